# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The tables of the lessons as they are shown, and the list of what the lessons say about them."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Table:
    """A table of a lesson as it is shown."""

    def __init__(self, lines):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        self.titles, self.rows = rows[0], rows[2:]

    def column(self, title, **wanted):
        """The figures under `title` (or in a column by number), in rows where other columns hold what is wanted."""
        at = title if isinstance(title, int) else self.titles.index(title)
        where = {self.titles.index(name.replace("_", " ")): value for name, value in wanted.items()}
        found = [row[at] for row in self.rows if all(row[i] == value for i, value in where.items())]
        if not found:
            raise LookupError(f"no row where {wanted}")
        return [float(cell.replace(",", "")) for cell in found if cell]

    def at(self, row, title):
        """The figure in the row that begins with `row`: a text, or several for the first columns."""
        begin = [row] if isinstance(row, str) else list(row)
        found = [line for line in self.rows if line[: len(begin)] == begin]
        if len(found) != 1:
            raise LookupError(f"{len(found)} rows begin with {row}")
        return float(found[0][title if isinstance(title, int) else self.titles.index(title)].replace(",", ""))


class Lesson:
    """A chapter's README.md, and its more.md where it has one."""

    def __init__(self, number):
        self.path = next((ROOT / "chapters").glob(f"{number}_*/README.md"))
        pages = (self.path, self.path.with_name("more.md"))
        self.text = "\n".join(page.read_text(encoding="utf-8") for page in pages if page.is_file())

    def other(self, number):
        """Another chapter, for a sentence that goes by its tables."""
        return Lesson(number)

    def says(self, sentence):
        return " ".join(sentence.split()) in " ".join(self.text.split())

    def table(self, *words):
        """The one table, measured or counted, whose block is made with all these words."""
        blocks = re.findall(r"<!-- generated: ((?:measured|counts) .*?) -->\n(.*?)<!-- end generated -->", self.text, re.DOTALL)
        found = [Table(body.splitlines()) for head, body in blocks if all(word in head for word in words)]
        if len(found) != 1:
            raise LookupError(f"{self.path.parent.name} has {len(found)} tables made with {words}")
        return found[0]


CLAIMS = []


def claim(chapter, sentence):
    def add(condition):
        CLAIMS.append((chapter, sentence, condition))
        return condition

    return add


def rising(values):
    return all(a < b for a, b in zip(values, values[1:]))


def alike(values, share):
    return max(values) <= (1 + share) * min(values)
