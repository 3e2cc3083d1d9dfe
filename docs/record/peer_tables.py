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


GRID_COLUMNS = ("mode", "samples", "taps", "chosen", "ours_ms", "gpu_library", "gpu_ms", "gpu_ratio", "cpu_library",
                "cpu_ms", "cpu_ratio")


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
    taps = sorted({int(name.removeprefix("taps_")) for row in rows for name in row if name != "samples"})
    return ["samples", *(f"taps_{number}" for number in taps)]
