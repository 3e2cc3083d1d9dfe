# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Leaves in docs/measurements what a page shows or links to, or a test reads.

    docs/record/measure shown      removes other files, and of the tables other rows

What a page links to stays as a whole, and so does what tests read. Of the other tables those rows stay that a block
or a figure in a sentence shows, that docs/record/chapter_figures.csv names, or that docs/record/beside compares with another device.
"""

import re
import shlex
import sys

sys.dont_write_bytecode = True
import records  # noqa: E402

sys.path.insert(0, str(records.ROOT / "docs/write"))
from blocks import split_options  # noqa: E402
from table_blocks import COLUMNS, FIGURE_OPTIONS, recorded  # noqa: E402

READ_BY_TESTS = re.compile(
    r".*record\.json|README\.md|[^/]+/again/.*|[^/]+-counts/counts_(?:kernels|launches)\.csv"
    r"|.*-peers/(?:from_host|one_call|faster|least|pictures|ratios_\w+|standard)\.csv"
)
# Rows that no page shows and a test reads.
ROWS_READ_BY_TESTS = {"13_one_pass.csv": "table=prices"}


def meets(row, conditions):
    """Does the row, {column: cell}, have these values, "A=1,B!=2"?"""
    for condition in filter(None, conditions.split(",")):
        name, _, value = condition.partition("=")
        if (row[name.removesuffix("!")] == value) == name.endswith("!"):
            return False
    return True


def compared_with_others(name, row):
    """Does docs/record/beside take this row of an H200?"""
    return re.match(r"h200-[\d-]+/\d\d_", name) and all(row.get(each) for each in ("work", "of_limit", "median_ms"))


def what_pages_show(root):
    """(files that stay as they are, {file: [conditions of rows]})"""
    pages = [root / "README.md"]
    for names in ("docs/*.md", "docs/measurements/README.md", "chapters/*/*.md"):
        pages += root.glob(names)
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    text = re.sub(r"(?ms)^```.*?^```$", "", text)  # an example of a block is none
    whole = {root / "docs/measurements" / name for name in re.findall(r"\]\([^)\s]*measurements/([\w./-]+\.\w+)\)", text)}
    tables = {}
    for block in re.findall(r"<!-- generated: measured (.*?) -->", text):
        (name,), options, _ = split_options(shlex.split(block), COLUMNS)
        tables.setdefault(recorded(root, name), []).append(options.get("where", ""))
    for marker in re.findall(r"<!-- figure: (.*?) -->", text):
        (name, _), options, _ = split_options(shlex.split(marker), FIGURE_OPTIONS)
        rows = tables.setdefault(recorded(root, name), [])
        rows += [options.get("where", ""), options.get("per_where", options.get("where", ""))]
    for figure in records.read_csv(root / "docs/record/chapter_figures.csv"):
        rows = tables.setdefault(recorded(root, figure["file"]), [])
        rows += [figure[column] for column in ("where", "over") if figure[column]]
    return whole, tables


def unshown(root):
    """{file: the rows that stay} of files that have others."""
    whole, tables = what_pages_show(root)
    found = {}
    for path in sorted((root / "docs/measurements").rglob("*")):
        name = path.relative_to(root / "docs/measurements").as_posix()
        if not path.is_file() or path in whole or READ_BY_TESTS.fullmatch(name):
            continue
        if path not in tables:
            found[path] = []
            continue
        conditions = [*tables[path], *filter(None, [ROWS_READ_BY_TESTS.get(path.name)])]
        rows = records.read_csv(path)
        kept = [row for row in rows if compared_with_others(name, row) or any(meets(row, each) for each in conditions)]
        if len(kept) < len(rows):
            found[path] = kept
    return found


def main():
    for path, rows in unshown(records.ROOT).items():
        print(f"{path.relative_to(records.ROOT)}: {len(rows)} rows stay")
        if rows:
            records.write_csv(path, tuple(rows[0]), rows)
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
