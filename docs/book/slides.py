# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Makes a teacher's slides of docs/slides/NN.md, one HTML file per chapter that needs no other file and no network.

    slides.py OUTPUT_FOLDER

The first slide comes from the lesson's card. Each further one is a sentence behind `## ` and, below it, what of the lesson
it shows, indented by four:

    picture NAME.svg        a picture
    code, output, diff ...  the generated block of this kind whose marker contains all words behind it
    lesson WORDS            the paragraph, list, table or drawing that begins with these words
    sentence WORDS          the sentence that does
    from PATTERN            of that, only what begins with this line ...
    to PATTERN              ... and ends with that line
"""

import base64
import html
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "docs/write")]
import blocks  # noqa: E402

Problem = blocks.Problem
# A slide has 1280 x 720 pixels, of which the thing to look at has these. Letters below these sizes cannot be read from afar.
WIDTH, HEIGHT, TALL = 1200, 530, 660
SMALLEST, SMALLEST_IN_PICTURE, COMFORTABLE = 16, 12, 21
ADVANCE, LINE = 0.605, 1.3  # of a letter of code, in sizes of the letter


def decks(root=ROOT):
    return sorted(pathlib.Path(root, "docs/slides").glob("[0-9][0-9].md"))


def parse(text):
    """[(sentence, [(word, the rest of its line)])] of a deck."""
    slides = re.split(r"(?m)^## ", text)[1:]
    lines = [[line.strip() for line in each.split("\n") if line.strip()] for each in slides]
    return [(sentence, [thing.partition(" ")[::2] for thing in things]) for sentence, *things in lines]


def chunks(lines):
    """The lesson without its generated blocks, in pieces between empty lines; a fence is one piece."""
    kept, at = [], 0
    for begin, end, *_ in blocks.find_blocks(lines):
        kept += [*lines[at:begin], ""]
        at = end + 1
    text = re.sub(r"<!--.*?-->", "", "\n".join(kept + lines[at:]), flags=re.S)
    return re.findall(r"(?ms)^```.*?^```$|^(?! *$).+?(?=\n *$|\Z)", text)


def only_one(found, what):
    if len(found) != 1:
        raise Problem(f"the lesson has {len(found) or 'no'} places with '{what}', and a slide needs exactly one")
    return found[0]


def part(text, options):
    """The lines of a piece of code or output from one pattern to another."""
    lines = text.split("\n")
    for word, pattern in options:
        at = next((i for i, line in enumerate(lines) if re.search(pattern, line)), None)
        if word not in ("from", "to") or at is None:
            raise Problem(f"'{word} {pattern}': there is no such line, or it is neither 'from' nor 'to'")
        lines = lines[at:] if word == "from" else lines[: at + 1]
    return "\n".join(lines)


def shown(lesson, things):
    """(kind, text) of what a slide shows: ("picture", (file, its text)), (a language, code), or ("text", Markdown)."""
    text = lesson.read_text(encoding="utf-8")
    (word, rest), options = things[0], things[1:]
    if word == "picture":
        said = only_one(re.findall(rf"!\[(.*)\]\(pictures/{re.escape(rest)}\)", text), rest)
        return "picture", (lesson.parent / "pictures" / rest, said)
    lines, start = text.split("\n"), re.escape(rest)
    if word in ("lesson", "sentence"):
        sentence = rf"(?s)(?:.*?[.?!)*]\s)?({start}.*?[.?!])(?=\s|$)"
        pattern = sentence if word == "sentence" else rf"(?s)((?:```\w*\n| *){start}.*)"
        piece = only_one([found[1] for each in chunks(lines) if (found := re.match(pattern, each))], rest)
    else:
        found = [block for block in blocks.find_blocks(lines) if block[3].split()[0] == word]
        begin, end, *_ = only_one([block for block in found if all(each in block[3] for each in rest.split())], f"{word} {rest}")
        piece = "\n".join(lines[begin + 1 : end]).strip()
    fence = re.fullmatch(r"(?s)`{3,}(\w*)\n(.*)\n`{3,}", piece)
    if fence or piece.startswith("    "):
        return (fence[1] if fence else "text"), part(fence[2] if fence else textwrap.dedent(piece), options)
    return "text " + word, re.sub(r"\n\nMeasured on .*", "", re.sub(r"(?<!!)\[([^\]]*)\]\([^)]*\)", r"\1", piece))


def size_of(lines):
    """The largest size at which lines of code fit."""
    return min(WIDTH / ADVANCE / max(map(len, lines)), HEIGHT / LINE / len(lines), 30)


def wrapped(lines, width):
    """Lines of output, but not of tables: long ones go on below, further to the right."""
    made = []
    for line in lines:
        text = line.strip()
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        whole = len(line) <= width or "   " in text
        made += [line] if whole else textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
    return made


def figure(kind, what):
    """(class of the slide, HTML) of what it shows; refuses what is too small to read."""
    if kind == "picture":
        file, text = what
        svg = file.read_text(encoding="utf-8")
        size = [int(re.search(rf'<svg[^>]* {side}="(\d+)"', svg)[1]) for side in ("width", "height")]
        tall = size[1] > 0.7 * size[0]
        scale = min((0.6 if tall else 1) * WIDTH / size[0], (TALL if tall else HEIGHT) / size[1], 2)
        smallest = scale * min(map(float, re.findall(r'font-size[:=]"?([\d.]+)', svg)))
        if smallest < SMALLEST_IN_PICTURE:
            raise Problem(f"{file.name}: letters of {smallest:.1f} pixels of 720, and {SMALLEST_IN_PICTURE} can be read")
        data = base64.b64encode(svg.encode()).decode()
        style = f"width: {scale * size[0] / 10:.1f}rem"
        return "tall" if tall else "", f'<img style="{style}" alt="{html.escape(text)}" src="data:image/svg+xml;base64,{data}">'
    import markdown_it
    import mdit_py_plugins.dollarmath
    import pygments.formatters
    import pygments.lexers

    import markup

    if not kind.startswith("text "):
        lines = what.split("\n")
        if kind == "text":
            choice = [wrapped(lines, width) for width in range(112, 59, -4)]
            lines = next((each for each in choice if size_of(each) >= COMFORTABLE), max(choice, key=size_of))
        size = size_of(lines)
        if size < SMALLEST:
            raise Problem(f"{len(lines)} lines of {max(map(len, lines))} columns: letters of {size:.1f} pixels of 720, and {SMALLEST} can be read")
        lexer = markup.CudaCpp() if kind == "cpp" else pygments.lexers.get_lexer_by_name(kind or "text")
        code = pygments.highlight("\n".join(lines), lexer, pygments.formatters.HtmlFormatter(nowrap=True))
        return "", f'<pre style="font-size: {size / 10:.2f}rem">{code}</pre>'
    math = lambda text, options: markup.formula(text.strip(), options["display_mode"])  # noqa: E731
    reader = markdown_it.MarkdownIt().enable("table").use(mdit_py_plugins.dollarmath.dollarmath_plugin, renderer=math)
    return kind, f'<div class="words">{reader.render(what)}</div>'


def make(deck, root=ROOT):
    """The HTML of a deck."""
    number = deck.stem
    lesson = only_one(list(pathlib.Path(root, "chapters").glob(f"{number}_*/README.md")), f"chapter {number}")
    text = lesson.read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    goals = re.search(r"(?m)^\| You will be able to \| (.*) \|$", text)[1].split("; ")
    goals = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", goal) for goal in goals]
    first = "Afterward, you can\n\n" + "\n".join(f"- {goal}" for goal in goals)
    slides = [(f"<h1>{html.escape(title)}</h1>", *figure("text goals", first))]
    for sentence, things in parse(deck.read_text(encoding="utf-8")):
        try:
            heading = re.sub("`(.*?)`", r"<code>\1</code>", html.escape(sentence, quote=False))
            slides.append((f"<h2>{heading}</h2>", *figure(*shown(lesson, things))))
        except (Problem, OSError, IndexError) as error:
            raise Problem(f"{deck}: '{sentence}': {error}") from None
    body = "".join(
        f'<section class="{kind}">{heading}<div class="show">{show}</div>'
        f"<footer>{html.escape(title)}<span>{i} / {len(slides)}</span></footer></section>\n"
        for i, (heading, kind, show) in enumerate(slides, 1)
    )
    static = HERE / "theme/static"
    book = (static / "book.css").read_text(encoding="utf-8")
    style = re.search(r"(?ms)^:root \{.*?^\}", book)[0]
    style += "\n".join(re.findall(r"(?m)^(?::is\(\.|\.(?:kt|nf|gi|gd|gu)\b).*", book))  # colors of code
    style += (static / "slides.css").read_text(encoding="utf-8")
    font = pathlib.Path("/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf")
    if "<math" in body and font.exists():
        style += f'@font-face {{ font-family: formulas; src: url(data:font/otf;base64,{base64.b64encode(font.read_bytes()).decode()}); }}'
    script = (static / "slides.js").read_text(encoding="utf-8")
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{html.escape(title)}: slides</title>'
    head += f"<style>{style}</style>"
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}<script>{script}</script></body></html>\n'


def main(arguments):
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip())
        return 2
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for deck in decks():
        try:
            (folder / f"{deck.stem}.html").write_text(make(deck), encoding="utf-8")
        except Problem as problem:
            print(problem, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
