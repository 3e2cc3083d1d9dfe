#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The pages of chapters/grade: index.html for the class, and students/NAME.html for each student.

Most of the text comes from programs of others: all of it is escaped. A page may run no script, load nothing and lead nowhere.
"""

import collections
import datetime
import html
import re
import unicodedata
import urllib.parse

# result: sign, how it looks, how the page of the class says it where there is no finding
STATES = {
    "passed": ("✓", "good", "passes"),
    "failed": ("✗", "bad", "fails"),
    "does not compile": ("✗", "bad", "does not compile"),
    "crashed": ("✗", "bad", "crashes"),
    "out of time": ("✗", "bad", "does not end in time"),
    "out of memory": ("✗", "bad", "takes too much memory"),
    "too much output": ("✗", "bad", "prints too much"),
    "not checked": ("✗", "bad", "ends before its checks do"),
    "several files": ("?", "open", "is there more than once"),
    "not started": ("○", "open", "is as it was in the beginning"),
    "not yet": ("…", "none", "has not been checked yet"),
    "missing": ("–", "none", "is not there"),
}

STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882;
  --good: #1a7f37; --bad: #c62828; --open: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --good: #4cc26a; --bad: #ff7b72; --open: #e0b050; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; max-width: 46rem; }
.sign { display: inline-block; min-width: 1.1em; text-align: center; font-weight: bold; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
.none, .soft { color: color-mix(in srgb, currentColor 65%, transparent); }
.sentence { white-space: pre-line; font-weight: 600; }
pre { white-space: pre-wrap; background: var(--soft); padding: .6rem .8rem; border-radius: .3rem; margin: .4rem 0;
  font-size: .85rem; line-height: 1.4; }
code { font-size: .9em; }
section { border-top: 1px solid var(--line); margin-top: 1.2rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
ul { padding-left: 1.2rem; margin: .3rem 0; max-width: 46rem; } li { margin: .25rem 0; }
.bar { display: flex; height: .5rem; max-width: 46rem; border-radius: .25rem; overflow: hidden;
  background: var(--soft); }
.bar .b-good { background: var(--good); } .bar .b-bad { background: var(--bad); }
.grid { overflow-x: auto; border: 1px solid var(--line); border-radius: .3rem; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; }
th, td { padding: .3rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
tr:last-child > * { border-bottom: 0; }
thead th { vertical-align: bottom; font-weight: 600; }
tbody th { position: sticky; left: 0; background: Canvas; font-weight: 500; }
tbody th a { display: block; width: 9rem; overflow-wrap: break-word; }
@media (max-width: 40rem) { tbody th a { width: 6rem; } }
thead b { white-space: nowrap; }
td a { color: inherit; text-decoration: none; display: block; }
td a:hover, td a:focus { text-decoration: underline; }
td small { display: block; line-height: 1.25; min-width: 5.5rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); font-size: .85rem; }
@page wide { size: landscape; }
@media print {
  body { font-size: 10pt; max-width: none; padding: 0; } a { color: inherit; text-decoration: none; }
  .grid { overflow: visible; border: 0; } tbody th { position: static; }
  .signs { page: wide; font-size: 7pt; } .signs th, .signs td { padding: .1rem; } .signs th a { width: 6rem; }
  section, tr, li { break-inside: avoid; }
  .bar, pre { print-color-adjust: exact; }
}
"""


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
    return html.escape(plain(text), quote=True)


def is_stuck(answer):
    return STATES[answer.result][1] == "bad"


def stuck_at(answer):
    """In a few words, the same for all who are stuck at the same thing."""
    if answer.result == "failed":
        if answer.what:
            return answer.what
        if answer.case:
            return f'a wrong result in "{answer.case}"'
    if answer.result == "crashed" and answer.case:
        return f'a crash in "{answer.case}"'
    return {"failed": "the checks", "crashed": "a crash"}.get(answer.result, answer.result)


def file_names(students):
    """A file name for each student, of letters and digits; no two alike."""
    names, used = {}, set()
    for student in students:
        plain = "".join(c for c in unicodedata.normalize("NFKD", student) if not unicodedata.combining(c))
        plain = re.sub(r"[\W_]+", "-", plain.lower()).strip("-")[:40] or "student"
        name, count = plain, 1
        while name in used:
            count += 1
            name = f"{plain}-{count}"
        used.add(name)
        names[student] = name + ".html"
    return names


def link(student, files, place=""):
    """To the page of a student, or of one exercise there."""
    return f"students/{urllib.parse.quote(files[student])}{place}"


def name_of(student):
    return f"<bdi>{escaped(student)}</bdi>"


def label_of(answer):
    return f"{answer.number}.{answer.n}"


def place_of(answer):
    return f"#e{answer.number}_{answer.n}"


def state(answer):
    sign, look, _ = STATES[answer.result]
    sign = f'<span class="sign" aria-hidden="true">{sign}</span>'
    return f'<span class="{look}">{sign} {escaped(answer.result)}</span>'


def page(title, body, policy=""):
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'{policy}\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="chapters/grade">\n'
        f"<title>{escaped(title)}</title>\n<style>{STYLE}</style>\n{body}\n</html>\n"
    )


def report_page(report):
    """Whatever a program wrote, in a frame that can run nothing, load nothing and lead nowhere."""
    frame = f'<iframe sandbox srcdoc="{html.escape(report, quote=True)}" style="width:100%;height:90vh;border:0"></iframe>'
    return page("The report of a run", frame, "; img-src data:")


def hint_html(text):
    """Of a hint as a terminal shows it: paragraphs, code between backquotes, and fences."""
    parts = []
    for index, part in enumerate(re.split(r"^```.*$\n?", text, flags=re.M)):
        if index % 2:
            parts.append(f"<pre>{escaped(part.rstrip())}</pre>")
            continue
        for paragraph in re.split(r"\n\s*\n", part.strip()):
            if paragraph:
                parts.append("<p>" + re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(paragraph)) + "</p>")
    return "".join(parts)


def counted(number, one, more=None):
    return f"{number} {one if number == 1 else more or one + 's'}"


def what_happened(answer):
    """The middle of an exercise on the page of its student."""
    parts = []
    add = parts.append
    if answer.result == "not started" and not answer.message:
        add("<p>The file is as it was in the beginning.</p>")
    elif answer.message and not (answer.screen and answer.result in ("failed", "crashed", "does not compile")):
        add(f'<p class="sentence">It {escaped(STATES[answer.result][2])}: {escaped(answer.message)}.</p>')
    if answer.screen:
        add(f"<pre>{escaped(answer.screen.strip())}</pre>")
    if answer.passed:
        add(f'<p class="soft">{answer.passed} of {answer.checks} cases passed.</p>')
    if answer.report:
        add(
            f'<p><a href="../{escaped(answer.report)}" rel="noopener">The report of this run</a>: its launches, '
            "counts and pictures, as the program wrote it.</p>"
        )
    return "".join(parts)


def student_page(student, answers, hints):
    there = [answer for answer in answers if answer.result != "missing"]
    passed = sum(answer.result == "passed" for answer in answers)
    body = [f"<h1>{name_of(student)}</h1>"]
    if not there:
        body.append("<p>Nothing has been handed in yet.</p>")
    else:
        body.append(
            f"<p>{passed} of {counted(len(answers), 'exercise')} passed.</p>"
        )
    for answer in there:
        body.append(
            f'<section id="e{answer.number}_{answer.n}"><h2>{label_of(answer)} {escaped(answer.title)}</h2>'
            f"<p>{state(answer)}</p>"
        )
        if answer.note:
            body.append(f'<p class="soft">It was {escaped(answer.note)}.</p>')
        if answer.result != "passed":
            body.append(what_happened(answer))
            mine = hints.get((answer.number, answer.n))
            if mine:
                body.append(
                    f"<details><summary>The hint to read next (hint {answer.hint})</summary>"
                    f"{hint_html(mine[answer.hint - 1])}</details>"
                )
            body.append(
                f"<p>Check it: <code>chapters/exercise check {answer.number} {answer.n}</code>. "
                f"More hints: <code>chapters/exercise hint {answer.number} {answer.n}</code></p>"
            )
        body.append("</section>")
    absent = [
        f"{label_of(answer)} {escaped(answer.title)}" for answer in answers if answer.result == "missing"
    ]
    if absent and there:
        body.append(f"<section><h2>Not handed in</h2><p>{', '.join(absent)}</p></section>")
    return page(student, "\n".join(body))


def bar(answers):
    """How many pass, and how many are stuck, of all."""
    good = sum(answer.result == "passed" for answer in answers)
    bad = sum(is_stuck(answer) for answer in answers)
    width = lambda count: f"{100 * count / len(answers):.1f}%"  # noqa: E731
    return (
        f'<div class="bar" role="img" aria-label="{good} of {len(answers)} passed, {bad} are stuck">'
        f'<span class="b-good" style="width:{width(good)}"></span>'
        f'<span class="b-bad" style="width:{width(bad)}"></span></div>'
    )


def places_of(answers):
    """[(where, answers)] of those who are stuck: the commonest first."""
    places = collections.defaultdict(list)
    for answer in filter(is_stuck, answers):
        places[stuck_at(answer)].append(answer)
    return sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))


def hottest(exercises):
    """The exercises in which most are stuck, three at most, each with its commonest finding."""
    groups = [answers for answers in exercises if sum(map(is_stuck, answers)) > 1]
    groups.sort(key=lambda answers: -sum(map(is_stuck, answers)))
    items = []
    for answers in groups[:3]:
        first, stuck = answers[0], sum(map(is_stuck, answers))
        where, at = places_of(answers)[0]
        which = f'<a href="{place_of(first)}">{label_of(first)} {escaped(first.title)}</a>'
        more = (
            f", {len(at)} of them at: {escaped(where)}" if len(at) < stuck else f", all at: {escaped(where)}"
        )
        items.append(f"<li><b>{stuck} of {len(answers)}</b> are stuck in {which}{more}.</li>")
    return "<ul>" + "".join(items) + "</ul>" if items else ""


def exercise_summary(answers, files):
    """Who is stuck in one exercise, and where: the commonest finding first."""
    first, size = answers[0], len(answers)
    stuck = [answer for answer in answers if is_stuck(answer)]
    open_ = [answer for answer in answers if answer.result in ("not started", "several files")]
    passed = sum(answer.result == "passed" for answer in answers)
    absent = sum(answer.result == "missing" for answer in answers)
    parts = [
        f'<h3 id="e{first.number}_{first.n}">{label_of(first)} {escaped(first.title)}</h3>',
        bar(answers),
    ]
    parts.append(
        f"<p>{passed} of {size} passed, {len(stuck)} "
        f"{'is' if len(stuck) == 1 else 'are'} stuck, "
        f"{absent} {'has' if absent == 1 else 'have'} not handed it in.</p>"
    )
    items = []
    for where, group in places_of(answers):
        causes = collections.Counter(filter(None, (answer.cause for answer in group)))
        cause = (
            f' <span class="soft">Usual cause: {escaped(causes.most_common(1)[0][0])}.</span>'
            if causes
            else ""
        )
        items.append(
            f"<li><b>{len(group)} of {size}: {escaped(where)}.</b>{cause}<br>{who(group, files)}</li>"
        )
    for result in ("not started", "several files"):
        group = [answer for answer in open_ if answer.result == result]
        if group:
            text = "not started" if result == "not started" else "more than one file"
            items.append(f"<li>{len(group)} of {size}: {text}<br>{who(group, files)}</li>")
    if items:
        parts.append("<ul>" + "".join(items) + "</ul>")
    return "".join(parts)


def who(group, files):
    return ", ".join(
        f'<a href="{link(answer.student, files, place_of(answer))}">{name_of(answer.student)}</a>'
        for answer in group
    )


def grid(by_student, shown, files):
    """Students by exercises. With few columns, each cell says where its student is stuck."""
    wordy, signs = len(shown) <= 6, ' class="signs"'
    head = "".join(
        f'<th scope="col" title="{escaped(answer.title)}"><b>{label_of(answer)}</b>'
        + (f" <small>{escaped(answer.title)}</small>" if wordy else "")
        + "</th>"
        for answer in shown
    )
    rows = []
    for student, answers in by_student.items():
        cells = []
        known = {(answer.number, answer.n): answer for answer in answers}
        for column in shown:
            answer = known[column.number, column.n]
            sign, look, _ = STATES[answer.result]
            text = stuck_at(answer) if is_stuck(answer) else answer.result
            if answer.result == "missing":
                cells.append(f'<td class="{look}"><span class="sign" aria-label="missing">{sign}</span></td>')
                continue
            short = "wrong result" if text.startswith("a wrong result") else text
            flags = "; ".join(answer.flags)
            word = f"<small>{escaped(short)}</small>" if wordy and answer.result != "passed" else ""
            if flags:
                text += f". Look at it: {flags}"
                word += f"<small>⚑ {escaped(flags)}</small>" if wordy else " ⚑"
            cells.append(
                f'<td class="{look}"><a href="{link(student, files, place_of(answer))}" '
                f'title="{escaped(text)}" aria-label="{escaped(text)}">'
                f'<span class="sign">{sign}</span>{word}</a></td>'
            )
        rows.append(
            f'<tr><th scope="row"><a href="{link(student, files)}">{name_of(student)}</a></th>'
            f'{"".join(cells)}</tr>'
        )
    return (
        f'<div class="grid" tabindex="0" role="region" aria-label="Students and exercises">'
        f'<table{"" if wordy else signs}><thead><tr>'
        f'<th scope="col">Student</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        '<p class="soft">✓ passed · ✗ stuck · ○ not started · ? more than one file · – not handed in · ⚑ look at it yourself</p>'
    )


def class_page(answers, files, day):
    by_student, by_exercise = collections.OrderedDict(), collections.OrderedDict()
    for answer in answers:
        by_student.setdefault(answer.student, []).append(answer)
        by_exercise.setdefault((answer.number, answer.n), []).append(answer)
    missing = [group[0] for group in by_exercise.values() if all(one.result == "missing" for one in group)]
    shown = [group[0] for group in by_exercise.values() if group[0] not in missing]
    absent = [
        student for student, group in by_student.items() if all(one.result == "missing" for one in group)
    ]
    passed = sum(answer.result == "passed" for answer in answers)
    stuck = sum(is_stuck(answer) for answer in answers)
    body = ["<h1>The class</h1>"]
    body.append(
        f"<p>{counted(len(by_student), 'student')}, {counted(len(shown), 'exercise')} handed in, checked on the "
        f"emulated device on {day}. {counted(passed, 'answer')} passed, {stuck} "
        f"{'is' if stuck == 1 else 'are'} stuck.</p>"
    )
    body.append(hottest(by_exercise.values()))
    flagged = [answer for answer in answers if answer.flags]
    if flagged:
        body.append("<h2>To look at yourself</h2><ul>")
        for one in flagged:
            body.append(f"<li>{who([one], files)}, {label_of(one)} ({escaped(one.result)}): {escaped('; '.join(one.flags))}</li>")
        body.append("</ul>")
    if absent:
        body.append(f"<p>Nothing handed in: {', '.join(map(name_of, absent))}.</p>")
    if shown:
        body.append("<h2>Who is where</h2>" + grid(by_student, shown, files))
        body.append("<h2>Where they are stuck</h2>")
        body += [exercise_summary(by_exercise[one.number, one.n], files) for one in shown]
    if missing:
        names = ", ".join(f"{label_of(one)} {escaped(one.title)}" for one in missing)
        body.append(f"<h2>Exercises not handed in</h2><p>{names}</p>")
    return page("The class", "\n".join(body))


def write_pages(answers, hints, folder, write):
    """`hints`: {(number, n): texts}. `write(path, text)` writes a file as a whole."""
    files = file_names(sorted({answer.student for answer in answers}))
    (folder / "students").mkdir(parents=True, exist_ok=True)
    for student, name in files.items():
        text = student_page(student, [answer for answer in answers if answer.student == student], hints)
        path = folder / "students" / name
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
            write(path, text)
    write(folder / "index.html", class_page(answers, files, datetime.date.today().isoformat()))
