# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The libraries that docs/record/peers compares with, each called at its best."""

import os


class Peer:
    """make(work, xs, h) gives call(i), which convolves xs[i % len(xs)] and returns the result."""

    def __init__(self, package, function, make, modes=("full", "same"), kinds=("float32", "float64", "int32"),
                 transforms=False, sums=None, side="GPU"):
        self.package, self.function, self.make, self.modes, self.kinds = package, function, make, modes, kinds
        self.transforms, self.side = transforms, side
        self.sums = not transforms if sums is None else sums  # that its errors are those of sums

    @property
    def name(self):
        return f"{self.package} {self.function}"

    def takes(self, work):
        return work.mode in self.modes and work.kind in self.kinds


FLOATS = ("float32", "float64")


def signal_peers(library, side, signal, prepare=lambda function: function):
    """fftconvolve and oaconvolve of scipy.signal or what has its interface."""

    def of(function):
        return lambda work, xs, h: lambda i: prepare(function)(xs[i % len(xs)], h, mode=work.mode)

    return [
        Peer(library, "fftconvolve", of(signal.fftconvolve), kinds=FLOATS, transforms=True, side=side),
        Peer(library, "oaconvolve", of(signal.oaconvolve), kinds=FLOATS, transforms=True, side=side),
    ]


def ndimage_peer(library, side, xp, ndimage):
    def make(work, xs, h):
        out = [xp.empty_like(x) for x in xs]

        def call(i):
            s = i % len(xs)
            ndimage.convolve1d(xs[s], h, mode="constant", output=out[s])
            return out[s]

        return call

    return Peer(library, "ndimage.convolve1d", make, modes=("same",), kinds=FLOATS, side=side)


def cupy_peers(cupy):
    from cupyx.scipy import ndimage, signal

    def convolve(work, xs, h):
        return lambda i: cupy.convolve(xs[i % len(xs)], h, mode=work.mode)

    def direct(work, xs, h):
        return lambda i: signal.convolve(xs[i % len(xs)], h, mode=work.mode, method="direct")

    return [
        # It chooses by the type: transforms for floating point, sums for whole numbers.
        Peer("CuPy", "convolve", convolve, transforms=True),
        Peer("CuPy", "signal.convolve, direct", direct),
        *signal_peers("CuPy", "GPU", signal),
        ndimage_peer("CuPy", "GPU", cupy, ndimage),
    ]


def torch_peers(torch):
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.benchmark = True

    def conv1d(work, xs, h):
        signals = [torch.as_tensor(x, device="cuda")[None, None] for x in xs]
        weight = torch.as_tensor(h, device="cuda").flip(0)[None, None].contiguous()  # it correlates
        padding = work.taps - 1 if work.mode == "full" else (work.taps - 1) // 2

        def call(i):
            with torch.inference_mode():
                return torch.nn.functional.conv1d(signals[i % len(signals)], weight, padding=padding)[0, 0]

        return call

    def rfft(work, xs, h):
        from scipy.fft import next_fast_len

        signals = [torch.as_tensor(x, device="cuda") for x in xs]
        length = next_fast_len(work.samples + work.taps - 1, real=True)
        spectrum = torch.fft.rfft(torch.as_tensor(h, device="cuda"), length)
        first = 0 if work.mode == "full" else (work.taps - 1) // 2

        def call(i):
            with torch.inference_mode():
                whole = torch.fft.irfft(torch.fft.rfft(signals[i % len(signals)], length) * spectrum, length)
                return whole[first : first + work.outputs]

        return call

    return [
        Peer("PyTorch", "conv1d", conv1d, kinds=FLOATS, sums=False),  # cuDNN may take any algorithm
        Peer("PyTorch", "rfft, spectrum kept", rfft, kinds=FLOATS, transforms=True),
    ]


def host_peers():
    import numpy
    import scipy.fft
    import scipy.ndimage
    import scipy.signal

    def on_all_cores(function):
        def call(*arguments, **named):
            with scipy.fft.set_workers(os.cpu_count() or 1):
                return function(*arguments, **named)

        return call

    def convolve(work, xs, h):
        return lambda i: numpy.convolve(xs[i % len(xs)], h, mode=work.mode)

    return [
        Peer("NumPy", "convolve", convolve, side="CPU"),
        *signal_peers("SciPy", "CPU", scipy.signal, on_all_cores),
        ndimage_peer("SciPy", "CPU", numpy, scipy.ndimage),
    ]
