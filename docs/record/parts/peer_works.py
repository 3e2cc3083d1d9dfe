# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What docs/record/peers convolves: works, their data, and how far apart two results may be."""

import math

STRETCHES, STRETCH = 64, 1024
LENGTHS = tuple(4**n for n in range(6, 15))  # 2^12 ... 2^28
TAPS = (3, 17, 65, 257, 1025, 4097, 16385)
# type, mode, samples, taps
STANDARD = (
    ("A: 5 taps, same", "float64", "same", 10_000_000, 5),
    ("1024 by 1024", "int32", "full", 1024, 1024),
    ("B: 1025 taps", "float32", "full", 1 << 24, 1025),
    ("65 taps", "float32", "full", 1 << 24, 65),
    ("4097 taps", "float32", "full", 1 << 24, 4097),
)


class Work:
    def __init__(self, kind, mode, samples, taps, name=""):
        self.kind, self.mode, self.samples, self.taps, self.name = kind, mode, int(samples), int(taps), name

    @property
    def outputs(self):
        return self.samples if self.mode == "same" else self.samples + self.taps - 1

    def argument(self):
        return f"{self.kind}:{self.mode}:{self.samples}:{self.taps}"

    def key(self):
        return self.kind, self.mode, self.samples, self.taps

    def cells(self):
        return {"work": self.name, "type": self.kind, "mode": self.mode, "samples": self.samples, "taps": self.taps}


def all_works():
    works = [Work(*rest, name) for name, *rest in STANDARD]
    known = {work.key() for work in works}
    for samples in LENGTHS:
        for mode in ("full", "same"):
            for taps in TAPS:
                work = Work("float32", mode, samples, taps)
                # ndimage is the only one that is there for 'same' alone, and it sums directly.
                if taps <= samples and (mode == "full" or taps <= 257) and work.key() not in known:
                    works.append(work)
    return works


GOLDEN, MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def mixed(z):
    """splitmix64's mixer, of an int."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def random_bits(seed, i):
    """As common/verify/inputs.hpp has it."""
    return mixed((mixed((seed + GOLDEN) & MASK) + (i + 1) * GOLDEN) & MASK)


def random_signal(xp, kind, samples, seed=1):
    """random_signal() of common/verify/inputs.hpp, bit by bit, as an array of xp."""
    start = mixed((seed + GOLDEN) & MASK)
    z = (xp.arange(1, samples + 1, dtype=xp.uint64) * xp.uint64(GOLDEN)) + xp.uint64(start)
    z = (z ^ (z >> xp.uint64(30))) * xp.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> xp.uint64(27))) * xp.uint64(0x94D049BB133111EB)
    z = z ^ (z >> xp.uint64(31))
    if kind == "int32":
        return (((z >> xp.uint64(32)) * xp.uint64(2001)) >> xp.uint64(32)).astype(xp.int32) - xp.int32(1000)
    if kind == "float32":
        return (z >> xp.uint64(40)).astype(xp.float32) * xp.float32(2**-23) - xp.float32(1)
    return (z >> xp.uint64(11)).astype(xp.float64) * 2**-52 - 1


def random_taps(kind, taps, seed=2):
    """random_taps() of common/verify/inputs.hpp as a list of numbers, those of float32 not yet rounded."""
    magnitude = list(range(1, taps + 1))
    for i in range(taps, 1, -1):
        other = ((random_bits(seed, i) >> 32) * i) >> 32
        magnitude[i - 1], magnitude[other] = magnitude[other], magnitude[i - 1]
    values = []
    for k, size in enumerate(magnitude):
        bits = random_bits(seed + 1, k)
        sign = -1 if bits & 1 else 1
        if kind == "int32":
            values.append(sign * (2 * size - ((bits >> 1) & 1)))
        else:
            values.append(sign * (size - 0.5 * ((bits >> 11) * 2**-53)) / (taps + 1))
    return values


def compared(y):
    """The outputs that time_convolutions writes of such a result."""
    if len(y) <= STRETCHES * STRETCH:
        return [(0, len(y))]
    return [((len(y) - STRETCH) * s // (STRETCHES - 1), STRETCH) for s in range(STRETCHES)]


def bounds(work, taps, signal_norm, transforms):
    """(most for each output, most for the norm of those compared); None where there is no such bound."""
    if work.kind == "int32":
        return 0, None
    u = 2**-24 if work.kind == "float32" else 2**-53
    tap_sum = sum(map(abs, taps))
    if not transforms:
        return 2 * work.taps * u * tap_sum * (1 + work.taps * 2 * u), None
    # Of every prime factor up to 7, e_p is at most 1.8 log2(p) e_2; two transforms of twice as many are allowed for.
    e = 1.8 * math.log2(4 * (work.samples + work.taps)) * (1 + 4 * math.sqrt(2)) * u
    share = min(1, 4 * math.sqrt(min(1, STRETCHES * STRETCH / work.outputs)))
    return None, 2 * (3 * e + 4 * u) * signal_norm * tap_sum * share


def difference(np, theirs, ours, limits):
    """(largest difference, whether it is within the bounds)"""
    wide = np.float64 if ours.dtype != np.int32 else np.int64
    apart = np.abs(theirs.astype(wide) - ours.astype(wide))
    if not np.all(np.isfinite(apart)):
        return math.inf, False
    each, norm = limits
    worst = float(apart.max())
    good = (each is None or worst <= each) and (norm is None or float(np.linalg.norm(apart)) <= norm)
    return worst, bool(good)
