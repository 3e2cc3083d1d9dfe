# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""How docs/record/peers times a call, and one work with every library that takes it."""

import statistics
import sys
import time

from peer_tables import relative, row_of
from peer_works import bounds, compared, difference

LONGEST_MS = 300
# What time_convolutions says it has chosen where our result is that of transforms; all others are sums.
OUR_TRANSFORMS = ("07 fft_one_block", "07 overlap_save", "13 one_pass")


def time_groups(call, group):
    """Median of groups, in ms per call. group(calls, work) says how long work() took together, in ms."""
    turn = [0]

    def calls(count):
        def work():
            for _ in range(count):
                call(turn[0])
                turn[0] += 1

        return group(work)

    for _ in range(2):
        once = calls(1)
    count = max(1, min(400, round(2 / max(once, 1e-4))))
    if count > 1:
        calls(count)
    repeats = 15 if once < 20 else 5 if once < 200 else 3
    return statistics.median(calls(count) / count for _ in range(repeats))


def event_groups(cupy):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()

    def group(work):
        begin.record()
        work()
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(begin, end)

    return group


def clock_group(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3


class Expectation:
    """How long a call will take, from works that are a step smaller: at most in proportion to samples and taps."""

    def __init__(self):
        self.known = {}

    def note(self, peer, work, ms):
        self.known.setdefault((peer.name, work.kind, work.mode), []).append((work.samples, work.taps, ms))

    def ms(self, peer, work):
        """The largest that a smaller work leads to expect, no more than in proportion to the samples alone for
        transforms; 0 where none is known."""
        expected = 0
        for samples, taps, ms in self.known.get((peer.name, work.kind, work.mode), []):
            if samples > work.samples or taps > work.taps:
                continue
            growth = work.samples / samples * (1 if peer.transforms else work.taps / taps)
            if ms > 1:  # below, what a call costs by itself is most of it
                expected = max(expected, ms * growth / 2)
        return expected


def compare_work(work, peers, data, ours, expectation, np, group, to_host):
    """Rows of all peers that take it. data is (signals, filter), made for this side."""
    xs, h, taps, norm, our_outputs = data
    rows = []
    for peer in peers:
        if not peer.takes(work):
            continue
        expected = expectation.ms(peer, work)
        if expected > LONGEST_MS:
            rows.append(row_of(work, peer, ours, note="not run: it would take too long"))
            continue
        try:
            call = peer.make(work, xs, h)
            y = call(0)
            if len(y) != work.outputs:
                rows.append(row_of(work, peer, ours, note=f"WRONG: {len(y)} outputs"))
                continue
            got = np.concatenate([to_host(y[begin : begin + count]) for begin, count in compared(y)])
            del y
            transforms = not peer.sums or ours["chosen"] in OUR_TRANSFORMS
            worst, good = difference(np, got, our_outputs, bounds(work, taps, norm, transforms))
            if not good:
                rows.append(row_of(work, peer, ours, difference=f"{worst:.3g}", note="WRONG: beyond the bound"))
                continue
            ms = time_groups(call, group)
            del call
        except Exception as error:  # a library may refuse a size in many ways, and the others are of interest still
            rows.append(row_of(work, peer, ours, note=f"refused: {type(error).__name__}"))
            print(f"docs/record/peers: {peer.name}, {work.argument()}: {error}", file=sys.stderr)
            continue
        expectation.note(peer, work, ms)
        rows.append(
            row_of(work, peer, ours, their_ms=f"{ms:.6g}", ratio=relative(ms, float(ours["ours_ms"])),
                   faster="ours" if ms > float(ours["ours_ms"]) else "theirs", difference=f"{worst:.3g}")
        )
    return rows
