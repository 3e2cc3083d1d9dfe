# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The tables of docs/record/peers, from one row for each work and library."""

PEER_COLUMNS = ("work", "type", "mode", "samples", "taps", "chosen", "our_ms", "side", "library", "function", "their_ms",
                "ratio", "faster", "difference", "note")


def relative(ms, ours):
    """Four digits, without an exponent."""
    return f"{float(f'{ms / ours:.4g}'):g}" if ms and ours else ""


def row_of(work, peer, ours, **cells):
    return {
        **work.cells(),
        "chosen": ours["chosen"],
        "our_ms": ours["ours_ms"],
        "side": peer.side,
        "library": peer.package,
        "function": peer.function,
        **cells,
    }


def knows_the_filter(row):
    """What was prepared for one filter says nothing about a filter that is new."""
    return "kept" in row["function"]


def one_call_ratio(row, mine):
    """Their time over that of ours in one call; "" where there is none, or where theirs was prepared."""
    if not row.get("their_ms") or not mine["one_call_ms"] or knows_the_filter(row):
        return ""
    return relative(float(row["their_ms"]), float(mine["one_call_ms"]))


def standard_table(rows, ours):
    lines = []
    for row in rows:
        if row["work"]:
            mine = ours[row["type"], row["mode"], int(row["samples"]), int(row["taps"])]
            lines.append(
                {
                    "work": row["work"], "by": f"{row['library']} {row['function']}", "side": row["side"],
                    "ms": row.get("their_ms", ""), "ours_ms": row["our_ms"],
                    "ratio": relative(float(row.get("their_ms") or 0), float(row["our_ms"])),
                    "one_call_ms": mine["one_call_ms"],
                    "one_call_ratio": one_call_ratio(row, mine) if row["side"] == "GPU" else "",
                    "our_cpu_ms": mine["all_cores_ms"],
                    "cpu_ratio": relative(float(row.get("their_ms") or 0), float(mine["all_cores_ms"] or 0))
                    if row["side"] == "CPU" else "",
                    "note": row.get("note", ""),
                }
            )
    return lines


def fastest(rows, side):
    timed = [row for row in rows if row["side"] == side and row.get("their_ms")]
    return min(timed, key=lambda row: float(row["their_ms"]), default=None)


def grid_table(rows):
    """One row for each float32 work of the grid: ours, and the fastest library of each side."""
    by_work = {}
    for row in rows:
        if row["type"] == "float32":
            by_work.setdefault((row["mode"], int(row["samples"]), int(row["taps"])), []).append(row)
    lines = []
    for (mode, samples, taps), those in sorted(by_work.items()):
        line = {"mode": mode, "samples": samples, "taps": taps, "chosen": those[0]["chosen"], "ours_ms": those[0]["our_ms"]}
        for side, prefix in (("GPU", "gpu"), ("CPU", "cpu")):
            best = fastest(those, side)
            if best:
                line[prefix + "_library"] = f"{best['library']} {best['function']}"
                line[prefix + "_ms"], line[prefix + "_ratio"] = best["their_ms"], best["ratio"]
        lines.append(line)
    return lines


def one_call_table(rows, ours):
    """The least ratio of a library on the GPU: one row for each length, one column for each number of taps."""
    table = {}
    for row in rows:
        if row["type"] != "float32" or row["mode"] != "full" or row["side"] != "GPU":
            continue
        samples, taps = int(row["samples"]), int(row["taps"])
        ratio = one_call_ratio(row, ours["float32", "full", samples, taps])
        if ratio:
            cells = table.setdefault(samples, {"samples": samples})
            before = cells.get(f"taps_{taps}")
            cells[f"taps_{taps}"] = ratio if before is None else min(before, ratio, key=float)
    return [table[samples] for samples in sorted(table)]


def ratio_tables(lines):
    """{mode: rows} of ratios alone: one row for each length, one column for each number of taps."""
    tables = {}
    for line in lines:
        row = tables.setdefault(line["mode"], {}).setdefault(line["samples"], {"samples": line["samples"]})
        row[f"taps_{line['taps']}"] = line.get("gpu_ratio", "")
    return {mode: list(rows.values()) for mode, rows in tables.items()}


def by_taps(rows):
    """The columns of a table of ratios."""
    names = {name for row in rows for name in row}
    taps = sorted(int(name.removeprefix("taps_")) for name in names if name.startswith("taps_"))
    return ["samples", *(f"taps_{number}" for number in taps), *(["faster"] if "faster" in names else [])]


def from_host_table(rows, ours):
    """Signals on the host, results there: the fastest library of the host over ours with both copies."""
    table = {}
    for line in grid_table(rows):
        samples, taps = line["samples"], line["taps"]
        copies = ours["float32", line["mode"], samples, taps].get("with_copies_ms")
        if line["mode"] == "full" and line.get("cpu_ms") and copies:
            cells = table.setdefault(samples, {"samples": samples, "faster": ""})
            cells[f"taps_{taps}"] = relative(float(line["cpu_ms"]), float(copies))
            if float(line["cpu_ms"]) < float(copies) and line["cpu_library"] not in cells["faster"]:
                cells["faster"] += ", " * bool(cells["faster"]) + line["cpu_library"]
    return [table[samples] for samples in sorted(table)]


def compared(rows, ours):
    """(what is compared, their time over ours, where, both times in ms) for every ratio of the tables."""
    for row in rows:
        if (row["type"], row["side"]) != ("float32", "GPU") or not row.get("their_ms"):
            continue
        where = f"{row['samples']} samples, {row['taps']} taps: {row['library']} {row['function']}"
        yield f"{row['mode']}, filter kept", float(row["ratio"]), where, row["their_ms"], row["our_ms"]
        mine = ours["float32", row["mode"], int(row["samples"]), int(row["taps"])]
        ratio = one_call_ratio(row, mine)
        if ratio:
            yield f"{row['mode']}, new filter", float(ratio), where, row["their_ms"], mine["one_call_ms"]
    for line in standard_table(rows, ours):
        of_gpu = [("ratio", "filter kept", "ours_ms"), ("one_call_ratio", "new filter", "one_call_ms")]
        for column, kind, mine in of_gpu if line["side"] == "GPU" else [("cpu_ratio", "on all cores", "our_cpu_ms")]:
            if line[column]:
                yield f"works of the chapters, {kind}", float(line[column]), f"{line['work']}: {line['by']}", line["ms"], line[mine]


LEAST_COLUMNS = ("compared", "ratios", "least", "at", "below_1", "again_least", "again_at", "again_below_1")


def least_table(runs):
    """The smallest ratio of each comparison, of one run or two. Each run is the rows of its libraries, and of ours."""
    lines = {}
    for before, (rows, ours) in zip(("", "again_"), runs):
        found = {}
        for what, ratio, where, *_ in compared(rows, ours):
            found.setdefault(what, []).append((ratio, where))
        for what, ratios in found.items():
            line = lines.setdefault(what, {"compared": what, "ratios": len(ratios)})
            line[before + "least"], line[before + "at"] = min(ratios)
            line[before + "below_1"] = sum(ratio < 1 for ratio, _ in ratios)
    return list(lines.values())


FASTER_COLUMNS = ("run", "compared", "ratio", "at", "their_ms", "our_ms")


def faster_table(runs):
    """What least_table counts as below 1."""
    return [
        dict(zip(FASTER_COLUMNS, (number, what, ratio, *more)))
        for number, (rows, ours) in enumerate(runs, 1)
        for what, ratio, *more in compared(rows, ours)
        if ratio < 1
    ]


ON_HOST_COLUMNS = ("side", "picture", "by", "gives", "timed", "ms", "again_ms", "file_bytes", "psnr_db", "levels_not_ours")


def on_host_table(runs):
    """Pictures and files that are both on the host, in one run or two."""
    def about(row):
        return tuple(row[name] for name in ("side", "picture", "by", "gives", "way", "timed"))

    again = {about(row): row["median_ms"] for row in runs[1]} if len(runs) > 1 else {}
    lines = []
    for row in runs[0]:
        if row["gives"].endswith("on the host") and row["way"].endswith("on the host"):
            cells = {name: row[name] for name in ON_HOST_COLUMNS if name in row}
            lines.append({**cells, "ms": row["median_ms"], "again_ms": again.get(about(row), "")})
    return lines
