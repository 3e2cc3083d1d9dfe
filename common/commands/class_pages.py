# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The pages of chapters/grade: index.html for the class, and students/NAME.html for each student.

Most of the text comes from programs of others: all of it is escaped. A page may run no script, load nothing
and lead nowhere.
"""

import collections
import dataclasses
import datetime
import html
import pathlib
import re
import string
import unicodedata
import urllib.parse

# result: sign, how it looks, how a page says it
STATES = {
    "passed": ("✓", "good", "It passes"),
    "failed": ("✗", "bad", "It fails"),
    "does not compile": ("✗", "bad", "It does not compile"),
    "crashed": ("✗", "bad", "It crashes"),
    "out of time": ("✗", "bad", "It does not end in time"),
    "out of memory": ("✗", "bad", "It takes too much memory"),
    "too much output": ("✗", "bad", "It prints too much"),
    "not checked": ("?", "open", "It cannot be checked"),
    "several files": ("?", "open", "There is more than one file for it"),
    "not started": ("○", "open", "The file has not been changed"),
    "not yet": ("…", "none", "It has not been checked yet"),
    "not recognized": ("?", "open", "No file is recognized as it"),
    "missing": ("–", "none", "It is not there"),
}
ENDED = "the answer ended the program, as exit() does"
# Nobody knows what these are worth.
BY_HAND = ("several files", "not checked", "not recognized")
ABSENT = ("missing", "not recognized")
OWN_CHECK = "passes only the tested sizes"
STUCK = [result for result, (_, look, _) in STATES.items() if look == "bad"]
SIGNS = ' class="signs"'
PAGE = string.Template(pathlib.Path(__file__).with_name("class_page.html").read_text(encoding="utf-8"))


@dataclasses.dataclass
class Row:
    """What came of one answer."""

    student: str
    number: str
    n: str
    title: str = ""
    result: str = "missing"
    passed: int = 0
    checks: int = 0
    message: str = ""
    flags: list = dataclasses.field(default_factory=list)
    case: str = ""  # the first that failed
    what: str = ""  # is wrong, in the same few words for all
    cause: str = ""  # of it, usually
    screen: str = ""  # as chapters/exercise check has it
    hint: int = 1
    note: str = ""  # which file it was taken from, if that is not plain
    unused: str = ""  # another that it could have been
    wanted: str = ""  # the name of its file
    key: str = ""
    shape: str = ""
    own: int = 0  # words that the starter has not
    report: str = ""
    sizes: str = ""  # the file of the teacher's own checks
    points: float = 1  # of the exercise

    def is_now(self, result, message=""):
        self.result, self.message = result, message

    @property
    def label(self):
        return f"{self.number}.{self.n}"

    @property
    def place(self):
        return f"e{self.number}_{self.n}"

    @property
    def heading(self):
        return f"{self.label} {escaped(self.title)}"

    @property
    def is_stuck(self):
        return self.result in STUCK

    @property
    def is_of_idea(self):
        """Whether a hint can help: what it is about has been tried, or not begun."""
        tried = ("failed", "crashed", "out of time", "out of memory")
        is_tried = self.result in tried and self.case and self.what not in (ENDED, OWN_CHECK)
        return is_tried or self.result == "not started" and not self.message

    @property
    def by_hand(self):
        """What the teacher should look at."""
        return "; ".join([*self.flags, *([self.message] if self.result in BY_HAND else [])])

    @property
    def stuck_at(self):
        """In a few words, the same for all who are stuck at the same thing."""
        if self.result == "failed":
            return self.what or f'"{self.case}"'
        if self.result == "crashed":
            return f'a crash in "{self.case}"' if self.case else "a crash"
        return self.result


def plain(text):
    """Less what would steer a terminal or turn the direction of a line."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))


def one_line(text):
    return plain(text.replace("\n", " ").replace("\t", " "))


def cell(value):
    """Of a table: what others wrote must not become a formula in a spreadsheet."""
    value = one_line(value) if isinstance(value, str) else value
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+@-")) else value


def escaped(text):
    return html.escape(plain(text))


def counted(number, one):
    return f"{number} {one}" + ("" if number == 1 else "s")


def some(names):
    """The first three of them."""
    return ", ".join([*names[:3], *([f"{len(names) - 3} more"] if len(names) > 3 else [])])


def grouped(rows, name):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[getattr(row, name)].append(row)
    return groups


def how_many(rows, *results):
    return sum(row.result in results for row in rows)


def all_absent(rows):
    return how_many(rows, *ABSENT) == len(rows)


def page(title, body):
    return PAGE.substitute(title=escaped(title), body=body)


def report_page(report):
    """Whatever a program wrote, in a frame that can run nothing, load nothing and lead nowhere."""
    return page("The report of a run", f'<iframe sandbox title="The report" srcdoc="{html.escape(report)}"></iframe>')


def with_reports(path):
    """A student's page with the reports that it links to in it, so that it can be sent alone."""

    def frame(link):
        report = (path.parent / link[1]).read_text(encoding="utf-8")
        return f"<details><summary>{link[2]}</summary>{re.search('<iframe.*</iframe>', report, re.S)[0]}</details>"

    return re.sub(r'<a href="(\.\./reports/[^"]*)"[^>]*>(.*?)</a>', frame, path.read_text(encoding="utf-8"))


def hint_html(text):
    """Of a hint as a terminal shows it: paragraphs, code between backquotes, and fences."""
    parts = []
    for index, part in enumerate(re.split(r"^```.*$\n?", text, flags=re.M)):
        if index % 2:
            parts.append(f"<pre>{escaped(part.rstrip())}</pre>")
        else:
            said = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(part.strip()))
            parts += [f"<p>{paragraph}</p>" for paragraph in re.split(r"\n\s*\n", said) if paragraph]
    return "".join(parts)


def file_names(students):
    """A file name for each student, of letters and digits; no two alike."""
    names = {}
    for student in sorted(students):
        bare = "".join(c for c in unicodedata.normalize("NFKD", student) if not unicodedata.combining(c))
        bare = re.sub(r"[\W_]+", "-", bare.lower()).strip("-")[:40] or "student"
        name, count = f"{bare}.html", 1
        while name in names.values():
            count += 1
            name = f"{bare}-{count}.html"
        names[student] = name
    return names


def name_of(student):
    return f"<bdi>{escaped(student)}</bdi>"


def section(row, hints):
    """One exercise on the page of its student."""
    sign, look, says = STATES[row.result]
    parts = [f'<section id="{row.place}"><h2>{row.heading}</h2>']
    add = parts.append
    add(f'<p class="{look}"><b aria-hidden="true">{sign}</b> {row.result}</p>')
    if row.note:
        add(f"<p>It was taken from {escaped(row.note)}.")
        add(f" {escaped(row.unused)} is different, and was not used.</p>" if row.unused else "</p>")
    if row.result != "passed":
        if not row.screen or row.result not in ("failed", "crashed", "does not compile"):
            add(f"<p><b>{says}{escaped(row.message and ': ' + row.message)}.</b></p>")
        if row.screen:
            add(f"<pre>{escaped(row.screen.strip())}</pre>")
        if row.passed:
            add(f"<p>{row.passed} of {row.checks} cases passed.</p>")
        if row.report:
            add(f'<div><a href="../{escaped(row.report)}" rel="noopener">The report of this run: its launches, ')
            add("counts and pictures, as the program wrote it</a></div>")
        if hints and row.is_of_idea:
            add(f"<details><summary>The hint to read next (hint {row.hint})</summary>")
            add(f"{hint_html(hints[row.hint - 1])}")
            add(f"<p>More hints: <code>chapters/exercise hint {row.number} {row.n}</code></p></details>")
        if row.what == OWN_CHECK:
            add("<p>This check is your teacher's own: <code>chapters/exercise check</code> does not have it.</p>")
        else:
            add(f"<p>Check it: <code>chapters/exercise check {row.number} {row.n}</code></p>")
    return "".join(parts) + "</section>"


def student_page(student, rows, hints, unrecognized, has_others):
    there = [row for row in rows if row.result not in ABSENT]
    absent = [row for row in rows if row.result in ABSENT]
    passed = f"{how_many(rows, 'passed')} of {counted(len(rows), 'exercise')} passed."
    nothing = "There is no exercise in it." if unrecognized else "Nothing has been handed in yet."
    nothing = "None of these exercises is in it." if has_others else nothing
    body = f"<h1>{name_of(student)}</h1><p>{passed if there else nothing}</p>"
    if absent and unrecognized:
        body += f"<p><b>Not recognized as an exercise: {escaped(some(unrecognized))}.</b></p>"
    body += "\n".join(section(row, hints[row.label]) for row in there)
    if absent and (there or unrecognized or has_others):
        files = listed(f"{row.heading}: <code>{escaped(row.wanted)}</code>" for row in absent)
        body += f"<section><h2>Not handed in</h2><p>Their files should be called:</p>{files}</section>"
    return page(student, body)


class ClassPage:
    def __init__(self, rows, files, unrecognized, others):
        self.rows, self.files, self.unrecognized, self.others = rows, files, unrecognized, others
        self.by_student, self.by_exercise = grouped(rows, "student"), grouped(rows, "label")

    def link(self, row, text, title=""):
        """To an exercise on the page of its student."""
        place = f"students/{urllib.parse.quote(self.files[row.student])}#{row.place}"
        title = title and f' title="{escaped(title)}" aria-label="{escaped(title)}"'
        return f'<a href="{place}"{title}>{text}</a>'

    def who(self, rows):
        return ", ".join(self.link(row, name_of(row.student)) for row in rows)

    @staticmethod
    def stuck(rows):
        """[(where, rows)] of those who are stuck: the commonest first."""
        places = grouped([row for row in rows if row.is_stuck], "stuck_at")
        return sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))

    def hottest(self):
        """The exercises in which most are stuck, three at most, each with its commonest finding."""
        stuck = {label: how_many(rows, *STUCK) for label, rows in self.by_exercise.items()}
        for label in sorted(stuck, key=lambda label: -stuck[label])[:3]:
            rows, count = self.by_exercise[label], stuck[label]
            if count > 1:
                where, at = self.stuck(rows)[0]
                most = f"{len(at)} of them" if len(at) < count else "all"
                which = f'<a href="#{rows[0].place}">{rows[0].heading}</a>'
                yield f"<b>{count} of {len(rows)}</b> are stuck on {which}, {most} at: {escaped(where)}."

    def where_stuck(self, rows):
        """In one exercise: the commonest finding first."""
        for where, group in self.stuck(rows):
            causes = collections.Counter(row.cause for row in group if row.cause).most_common(1)
            cause = f" Usual cause: {escaped(causes[0][0])}." if causes else ""
            yield f"<b>{len(group)} of {len(rows)}: {escaped(where)}.</b>{cause}<br>{self.who(group)}"
        for result, group in grouped(rows, "result").items():
            if result in ("not started", *BY_HAND):
                yield f"{len(group)} of {len(rows)}: {result}<br>{self.who(group)}"

    def grid(self, shown):
        """Students by exercises. With few columns, each cell says where its student is stuck."""
        wordy = len(shown) <= 6
        head = ""
        for rows in shown:
            title = f"<small>{escaped(rows[0].title)}</small>" if wordy else ""
            head += f'<th scope="col" title="{escaped(rows[0].title)}">{rows[0].label}{title}</th>'
        body = ""
        for line in zip(*shown):
            body += f'<tr><th scope="row">{self.who(line[:1])}</th>'
            for row in line:
                sign, look, _ = STATES[row.result]
                words = row.stuck_at if row.is_stuck else row.result
                flags = row.by_hand
                text = sign + (" ⚑" if flags else "")
                if wordy and row.result not in ("passed", "missing"):
                    text += f"<small>{escaped(row.what or row.result)}</small>"
                if wordy and row.flags:
                    text += f"<small>{escaped('; '.join(row.flags))}</small>"
                if row.result != "missing":
                    text = self.link(row, text, words + (f". Check by hand: {flags}" if flags else ""))
                body += f'<td class="{look}">{text}</td>'
            body += "</tr>\n"
        return (
            '<div class="grid" tabindex="0" role="region" aria-label="Students and exercises">'
            f'<table{"" if wordy else SIGNS}><thead><tr><th scope="col">Student</th>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div><p>✓ passed · ✗ stuck · ○ not started · "
            "? not checked, not recognized, or more than one file · – not handed in · ⚑ check it by hand</p>"
        )

    def text(self):
        shown = [rows for rows in self.by_exercise.values() if not all_absent(rows)]
        missing = [rows[0].heading for rows in self.by_exercise.values() if all_absent(rows)]
        absent = [name for name, rows in self.by_student.items() if how_many(rows, "missing") == len(rows)]
        flagged = collections.defaultdict(list)
        for row in self.rows:
            if row.by_hand:
                flagged[row.student, row.result, row.by_hand].append(row)
        flagged = listed(
            f"{self.who(rows[:1])}, {some([row.label for row in rows])} ({result}): {escaped(why)}"
            for (_, result, why), rows in flagged.items()
        )
        stuck = how_many(self.rows, *STUCK)
        body = [
            f"<h1>The class</h1><p>{counted(len(self.by_student), 'student')}, ",
            f"{counted(len(shown), 'exercise')} handed in, checked on the emulated device on ",
            f"{datetime.date.today().isoformat()}. ",
            f"{counted(how_many(self.rows, 'passed'), 'answer')} passed, {stuck} stuck.</p>",
            listed(self.hottest()),
        ]
        if flagged:
            body.append(f"<h2>To check by hand</h2>{flagged}")
        for what, names in ("Nothing", set(absent) - self.others), ("Only other exercises", self.others & set(absent)):
            if names:
                body.append(f"<p>{what} handed in: {', '.join(map(name_of, sorted(names)))}.</p>")
        if shown:
            body.append(f"<h2>Who is where</h2>{self.grid(shown)}<h2>Where they are stuck</h2>")
        for rows in shown:
            body.append(
                f'<h3 id="{rows[0].place}">{rows[0].heading}</h3>'
                f"<p>{how_many(rows, 'passed')} of {len(rows)} passed, {how_many(rows, *STUCK)} stuck, "
                f"{how_many(rows, *ABSENT)} not handed in.</p>" + listed(self.where_stuck(rows))
            )
        if missing:
            body.append(f"<h2>Exercises not handed in</h2><p>{', '.join(missing)}</p>")
        return page("The class", "".join(body))


def listed(items):
    items = "".join(f"<li>{item}</li>" for item in items)
    return items and f"<ul>{items}</ul>"


def write_pages(rows, hints, unrecognized, others, folder, write):
    """`hints`: the texts of each exercise, by its label; `others`: who handed in other exercises, too.
    `write(path, text)` writes a file as a whole."""
    files = file_names({row.student for row in rows})
    (folder / "students").mkdir(parents=True, exist_ok=True)
    for student, mine in grouped(rows, "student").items():
        text = student_page(student, mine, hints, unrecognized[student], student in others)
        path = folder / "students" / files[student]
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
            write(path, text)
    write(folder / "index.html", ClassPage(rows, files, unrecognized, others).text())
