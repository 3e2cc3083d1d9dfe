# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks of tables: what programs count, and what was measured; and pictures of it."""

import csv
import json
import os
import pathlib
import re
import shlex

from blocks import Problem, split_options
from program_blocks import must_exit, program_of

COLUMNS = {"columns", "where", "digits", "across"}
FIGURE_OPTIONS = {"where", "per", "per_where", "digits", "as"}


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def cell(text, digits, recorded_digits=False):
    """A figure as people write it: rounded if asked, thousands separated from 10,000 on. With `recorded_digits` it has
    no more digits than the text: 0.04 of a record is not 0.0400."""
    value = number(text)
    if text in ("nan", "-nan"):
        return "-"
    if value is not None:
        if re.fullmatch(r"-?\d+", text):
            return f"{int(text):,}" if abs(int(text)) >= 10000 else text
        if digits is not None and value:
            if recorded_digits:
                digits = min(digits, len(re.sub("[eE].*", "", text).lstrip("+-0.").replace(".", "")))
            text = f"{value:#.{digits}g}".rstrip(".")
            if abs(value) >= 10000 or "e+" in text:
                text = f"{float(text):,.0f}" if abs(float(text)) >= 10000 else f"{float(text):.0f}"
    return text.replace("|", "\\|") or " "


def rows_of(text, where, source):
    """(names, rows): those rows of the CSV `text` that fulfil the conditions COLUMN=VALUE,..."""
    rows = list(csv.reader(line for line in text.splitlines() if line and not line.startswith("#")))
    if len(rows) < 2:
        raise Problem(f"{source} has no rows")
    names, rows = rows[0], rows[1:]
    for row in rows:
        if len(row) != len(names):
            raise Problem(f"{source}: a row has {len(row)} cells under {len(names)} names: {','.join(row)}")
    for condition in filter(None, where.split(",")):
        name, equals, value = condition.partition("=")
        if not equals:
            raise Problem(f"where={condition} is no COLUMN=VALUE")
        other = name.endswith("!")
        at = index_of(name.removesuffix("!"), names, source)
        rows = [row for row in rows if (row[at] == value) != other]
    if not rows:
        raise Problem(f"{source} has no row where {where}")
    return names, rows


def index_of(name, names, source):
    if name not in names:
        raise Problem(f"{source} has no column '{name}'; it has {', '.join(names)}")
    return names.index(name)


def table(text, options, source, recorded_digits=False):
    """Markdown lines of the CSV `text`."""
    names, rows = rows_of(text, options.get("where", ""), source)
    digits = int(options["digits"]) if "digits" in options else None

    def column_of(name):
        at = index_of(name, names, source)
        return [row[at] for row in rows]

    chosen = []  # (title, the column in all rows)
    for wanted in filter(None, options.get("columns", ",".join(names)).rstrip(";").split(",")):
        name, colon, title = wanted.partition(":")
        chosen.append((title if colon else name.replace("_", " "), column_of(name)))
    if "across" in options:
        chosen = side_by_side(chosen, column_of(options["across"]), options["across"])
    columns = []
    for title, column in chosen:
        right = all(number(text) is not None or text.lower() in ("", "-", "nan", "-nan") for text in column)
        columns.append((title, right, [cell(text, digits, recorded_digits) for text in column]))
    lines = [
        "| " + " | ".join(c[0] for c in columns) + " |",
        "| " + " | ".join("---:" if c[1] else "---" for c in columns) + " |",
    ]
    lines += ["| " + " | ".join(values) + " |" for values in zip(*(c[2] for c in columns))]
    return lines


def side_by_side(chosen, values, name):
    """The columns with {} in their titles once for each of these values, one of each row, which stands in place of {}. Rows
    that agree in all other columns become one."""
    repeated = [each for each in chosen if "{}" in each[0]]
    kept = [each for each in chosen if "{}" not in each[0]]
    if not repeated:
        raise Problem(f"across={name}: no column has {{}} in its title")
    keys = list(zip(*(column for _, column in kept))) or [()] * len(values)
    places = {}
    for at, place in enumerate(zip(keys, values)):
        if place in places:
            raise Problem(f"across={name}: two rows with {place[1]} are the same in all other columns")
        places[place] = at
    rows = list(dict.fromkeys(keys))
    result = [(title, [row[i] for row in rows]) for i, (title, _) in enumerate(kept)]
    for value in dict.fromkeys(values):
        for title, column in repeated:
            here = [column[places[row, value]] if (row, value) in places else "" for row in rows]
            result.append((title.replace("{}", cell(value, None)), here))
    return result


def provenance(path, root):
    """One line on where a recorded run comes from; every part of it is required."""
    record_path = path.parent / "record.json"
    shown = record_path.relative_to(root)
    try:
        record = json.loads(record_path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Problem(f"{shown} is missing: who measured this, on what?") from None
    except ValueError as error:
        raise Problem(f"{shown}: {error}") from None
    needed = ["compiler"] if record.get("compiler") else ["driver", "toolkit"]  # of a processor, or of a GPU
    missing = [n for n in ("device", *needed, "date", "command") if not record.get(n)]
    if missing:
        raise Problem(f"{shown} does not say: {', '.join(missing)}")
    command = record["command"]
    if isinstance(command, dict):
        command = command.get(path.name) or command.get("*")
        if not command:
            raise Problem(f"{shown} has no command for {path.name}")
    date = record["date"]
    if isinstance(date, dict):
        date = date.get(path.name) or date.get("*")
        if not date:
            raise Problem(f"{shown} has no date for {path.name}")
    if "compiler" in record:
        versions = record["compiler"]
    else:
        versions = f"driver {record['driver']}, CUDA {record['toolkit']}"
        versions += f", host {record['host']}" if record.get("host") else ""
    return f"Measured on {record['device']} ({versions}), {date}, by `{command}`"


DATE = r"\d{4}-\d\d-\d\d"


def recorded(root, name):
    """The path of docs/measurements/RECORD/FILE, where RECORD may leave out the date of the newest that has FILE."""
    match = re.fullmatch(r"docs/measurements/([^/]+)/([^/]+)", name)
    path = root / name
    if path.is_file() or not match or re.search(DATE, match[1]):
        if not path.is_file():
            raise Problem(f"there is no file {name}")
        return path
    # The date stands behind the device: h200-2026-01-31, h200-2026-01-31-counts.
    device, *rest = match[1].split("-", 1)
    suffix = "-" + rest[0] if rest else ""
    dated = re.compile(re.escape(device) + "-" + DATE + re.escape(suffix))
    folders = [each for each in path.parent.parent.glob(device + "-*") if dated.fullmatch(each.name)]
    holding = [each / match[2] for each in folders if (each / match[2]).is_file()]
    if not holding:
        raise Problem(f"there is no file {name}, and no record {device}-DATE{suffix} that has {match[2]}")
    return max(holding, key=lambda each: each.parent.name)


def counts_block(words, path, root, runner):
    plain, options, environment = program_of(words, "counts", COLUMNS | {"exit"})
    status, text, rows = runner(plain, environment, True)
    must_exit(status, options, plain, text)
    if rows is None:
        raise Problem(f"'{shlex.join(plain)}' wrote nothing for --csv")
    return table(rows, options, shlex.join(plain))


def measured_block(words, path, root, runner):
    plain, options, environment = split_options(words, COLUMNS)
    if len(plain) != 1 or environment:
        raise Problem("measured takes one file of docs/measurements/, then options")
    source = recorded(root, plain[0])
    lines = table(source.read_text(encoding="utf-8"), options, plain[0], recorded_digits=True)
    return [*lines, "", provenance(source, root)]


def one_figure(source, column, where, name):
    """The text of the one figure, not 0, that the recorded table `source` has in this column of the rows where ..."""
    names, rows = rows_of(source.read_text(encoding="utf-8"), where, name)
    at = index_of(column, names, name)
    values = {row[at] for row in rows if row[at]}
    if len(values) != 1 or not number(next(iter(values))):
        raise Problem(f"{name} has no one figure {column} where {where}")
    return values.pop()


def figure(words, root):
    """The text of a figure within a sentence: `FILE COLUMN [per=COLUMN] [where=...] [per_where=...] [digits=N]
    [as=TEXT]`, where {} in TEXT is the figure; before a % it counts in hundredths."""
    plain, options, environment = split_options(words, FIGURE_OPTIONS)
    if len(plain) != 2 or environment:
        raise Problem("figure takes one file of docs/measurements/ and a column, then options")
    source = recorded(root, plain[0])
    provenance(source, root)
    where = options.get("where", "")
    value = number(one_figure(source, plain[1], where, plain[0]))
    if "per" in options or "per_where" in options:
        value /= number(one_figure(source, options.get("per", plain[1]), options.get("per_where", where), plain[0]))
    shape = options.get("as", "{}")
    if "{}%" in shape:
        value *= 100
    digits = int(options.get("digits", 2))
    value = float(f"{value:.{digits - 1}e}")
    whole = value >= 10 ** (digits - 1)
    return shape.replace("{}", f"{value:,.0f}" if whole else f"{value:#.{digits}g}")


def picture_block(words, path, root, runner):
    if len(words) != 2:
        raise Problem("picture takes a file and, in quotes, its text")
    source = recorded(root, words[0])
    link = pathlib.PurePath(os.path.relpath(source, path.parent)).as_posix()
    origin = ["", provenance(source, root)] if (source.parent / "record.json").is_file() else []
    return [f"![{words[1]}]({link})", *origin]


KINDS = {"counts": counts_block, "measured": measured_block, "picture": picture_block}
