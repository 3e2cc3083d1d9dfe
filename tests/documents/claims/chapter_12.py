# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the lesson of chapter 12 says about its tables."""

from claims.lessons import alike, claim


@claim("12", "With copies before and after the kernel, the chain is two signals long. With a pipeline, the chain is one signal and one chunk long")
def _(lesson):
    table = lesson.table("counts", "Memory", "taps=5,")
    plain = table.at(["12 copy_kernel_copy", "pinned"], "Longest chain")
    stages = table.at(["12 stream_per_stage", "pinned, 3 buffers"], "Longest chain")
    return plain == 2 and abs(stages - 1 - 1 / 32) < 0.002


@claim("12", "The program then prints the same table for 1025 taps. There, the chain is 1.273,")
@claim("12", "With 5 taps, it is 1.032, only slightly more than one signal.")
def _(lesson):
    chains = [
        lesson.table("counts", "Memory", taps).at([f"{chapter}stream_per_stage", "pinned, 3 buffers"], "Longest chain")
        for taps, chapter in (("taps=5,", "12 "), ("taps=1025,", ""))
    ]
    return chains == [1.032, 1.273]


@claim("12", "With 512 outputs per chunk, the copies to the device carry nearly three times the signal.")
def _(lesson):
    return abs(lesson.table("counts", "Outputs per chunk").column("Host to device")[0] - 3) < 0.01


@claim("12", "With copies from pinned memory, the times follow the chains: `copy_kernel_copy` takes")
def _(lesson):
    table = lesson.table("measured", "taps=5 ")
    plain = table.at(["copy_kernel_copy", "pinned"], "Of limit")
    return 0.5 < plain < 0.55 and table.at("stream_per_stage", "Of limit") > 0.97


@claim("12", "With 1025 taps, the times follow the chains as well, [except for zero copy](more.md#all-versions-counted-and-measured).")
def _(lesson):
    table = lesson.table("measured", "there and back", "taps=1025")
    plain = table.at(["copy_kernel_copy", "pinned"], "Of limit")
    return 0.48 < plain < 0.53 and table.at("stream_per_stage", "Of limit") > 0.97


@claim("12", "As in the count, the best size lies between the extremes.")
def _(lesson):
    times = lesson.table("measured", "chunk sizes").column("Median ms")
    return min(times) not in (times[0], times[-1])


@claim("12", "With 1025 taps, every pipeline is nearly as fast as with 5, because the copies are the limit.")
def _(lesson):
    few, many = (lesson.table("measured", "there and back", f"taps={taps} ") for taps in (5, 1025))
    versions = [["stream_per_chunk", "pinned, 2 streams"], ["stream_per_chunk", "pinned, 3 streams"], ["stream_per_stage"]]
    at_the_limit = all(t.at("stream_per_stage", "Of limit") > 0.95 for t in (few, many))
    return at_the_limit and all(alike([t.at(v, "Median ms") for t in (few, many)], 0.07) for v in versions)


@claim("12", "and the chain is at least two signals long. The remaining 0.142 comes from the blocks of overlap-save, which overlap and load some samples twice:")
def _(lesson):
    row = ["zero_copy", "pinned"]
    many = lesson.table("counts", "Memory", "taps=1025,")
    up, chain = (many.at(row, title) for title in ("Host to device", "Longest chain"))
    return round(chain - 2, 3) == round(up - 1, 3) == 0.142 and many.at(row, "Device to host") == 1


@claim("12", "Compared with `filter_beside`, the graph saves about 26% of *call and wait* with 1,048,576 samples, and about 7% with 16,777,216.")
def _(lesson):
    rows = lesson.table("measured", "new filter").rows
    kept = [float(row[2]) for row in rows if row[0] != "12 filter_from_scratch"]
    beside, graph = ([float(r[2]) for r in rows if r[0] == f"12 filter_{way}"] for way in ("beside", "graph"))
    short, long = (1 - after / before for before, after in zip(beside, graph))
    return max(kept) < 1 and abs(short - 0.26) < 0.01 and abs(long - 0.07) < 0.005


@claim("12", "With 16,777,216 samples, the graph takes 6% less time than `filter_parameter`, which launches the same kernels separately.")
def _(lesson):
    table = lesson.table("measured", "new filter")
    one_by_one, graph = (table.at([f"12 filter_{way}", "16,777,216"], 3) for way in ("parameter", "graph"))
    return round(100 * (1 - graph / one_by_one)) == 6


@claim("12", "On an H200's host, sixteen threads are")
def _(lesson):
    tables = [lesson.table("measured", "there and back", f"taps={taps} ") for taps in (5, 1025)]
    plain, threads = ["copy_kernel_copy", "pageable"], ["host_threads", "pageable, 16 threads"]
    return all(table.at(plain, "Median ms") > 3 * table.at(threads, "Median ms") for table in tables)


@claim("12", "What counts is that you keep plans and memory. How the taps reach the device matters little in comparison.")
def _(lesson):
    table = lesson.table("measured", "new filter")
    for samples in ("1048576", "16777216"):
        samples = f"{int(samples):,}"
        kept = [table.at([f"12 filter_{way}", samples], 2) for way in ("copied", "parameter", "beside")]
        if not (alike(kept, 0.1) and table.at(["12 filter_from_scratch", samples], 2) > 5 * max(kept)):
            return False
    return True


@claim("12", "Zero copy has the shortest chain, but not the shortest time.")
def _(lesson):
    chains = lesson.table("counts", "Memory", "taps=5,")
    table = lesson.table("measured", "taps=5 ")
    return (
        chains.at("12 zero_copy", "Longest chain") == min(chains.column("Longest chain"))
        and table.at("zero_copy", "Median ms") > 1.1 * table.at("stream_per_stage", "Median ms")
    )


@claim("12", "The ring took less time than its limit here")
def _(lesson):
    (share,) = lesson.table("work=longer than the device").column("Of limit")
    return 1.02 < share < 1.2


@claim("12", "the host waits for the device nine times, and most of these waits are hidden in `cudaFree()`.")
@claim("12", "and then convolves the signal, without a single wait.")
@claim("12", "A call now consists of nine launches.")
def _(lesson):
    table = lesson.table("counts", "work='new filter'")
    return (
        table.at("12 filter_from_scratch", "Waits") == 9
        and table.at("12 filter_copied", "Waits") == 0
        and table.at("12 filter_parameter", "Kernels") == 9
    )
