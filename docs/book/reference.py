# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The reference: one page a chapter, one a room of common/, and a list of all, from what Doxygen reads in the sources."""

import functools
import pathlib
import re
import subprocess
import xml.etree.ElementTree

import pages

MEMBERS = ("function", "enum", "typedef", "variable")
# Lines of a declaration before the one that has its name.
BEFORE = re.compile(r"\s*(template\s*<.*|requires\b.*|(__global__|__device__|__host__|static|inline|constexpr)\b[^;{}]*)$")
KERNELS, FUNCTIONS, TYPES, VALUES = "Kernels", "Functions", "Types", "Values"


def sources(root):
    """The files whose names the reference explains: those of the shared helper, and of each chapter what others may use."""
    root = pathlib.Path(root)
    found = sorted(root.glob("common/*/*.hpp")) + sorted(root.glob("common/*/*.cuh"))
    for folder in sorted(root.glob("chapters/[0-9][0-9]_*")):
        found += [
            path
            for path in sorted(folder.rglob("*"))
            if path.suffix in (".hpp", ".h", ".cu", ".cuh")
            and not {"exercises", "solutions", "pictures", "checks", "show"} & set(path.relative_to(folder).parts)
            and not re.match(r"(broken|child_process|tables|versions|checks|.*_checks)\.", path.name)
        ]
    return [path.relative_to(root).as_posix() for path in found]


def page_of(path):
    """The page of the reference that has a file."""
    return "reference/" + path.split("/")[1]


def escaped(text):
    """Prose of a contract as Markdown; what stands between backticks is code in both."""
    return re.sub(r"(`[^`]*`)|([*_$\\\[\]<>#|])", lambda m: m[1] or "\\" + m[2], text)


def contract(lines):
    """Markdown of the lines of a comment: paragraphs, and as code what is indented."""
    text = []
    for part in "\n".join(lines).split("\n\n"):
        lines = part.split("\n")
        if lines[0].startswith("  ") and not lines[0].lstrip().startswith("- "):
            text.append("```text\n" + part + "\n```")
        else:
            text.append(escaped(part))
    return "\n\n".join(text).strip()


def plain(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


class Entry:
    """A kernel, a function, a type, a constant, or a member of a type; `text` is {path: lines of the file}."""

    def __init__(self, element, text):
        place = element.find("location")
        compound = re.sub("<.*", "", plain(element.find("compoundname")))  # a specialization goes by its template's name
        self.name = plain(element.find("name")) or compound.strip().split("::")[-1]
        self.path = place.get("declfile") or place.get("file")
        self.line = int(place.get("declline") or place.get("line"))
        kind = element.get("kind")
        self.kind = TYPES if kind in ("struct", "class", "enum", "typedef") else FUNCTIONS if kind == "function" else VALUES
        if "__global__" in plain(element.find("type")):
            self.kind = KERNELS
        self.lines = text[self.path]
        self.first = self.line - 1  # where its declaration begins
        while self.first and BEFORE.match(self.lines[self.first - 1]):
            self.first -= 1
        self.contract = contract(self.comment())
        self.parts, self.anchor = [], self.name.replace("~", "not-").lower()

    def comment(self):
        behind = re.search(r"///< ?(.*)", self.lines[self.line - 1])
        if behind:
            last = self.line
            while last < len(self.lines) and re.match(r"\s*///<", self.lines[last]):
                last += 1
            return [behind[1]] + [line.partition("///<")[2].strip() for line in self.lines[self.line : last]]
        first = self.first
        while first and re.match(r"\s*//(?!/<)", self.lines[first - 1]):
            first -= 1
        lines = [line.lstrip() for line in self.lines[first : self.first]]
        return [re.sub("/// ?", "", line, count=1) for line in lines if line.startswith("///")]

    def signature(self):
        """As written in its file: up to the body or the end of the declaration."""
        text, depth = "", 0
        for line in self.lines[self.first : self.first + 30]:
            line = re.sub(r"\s*//.*", "", line)
            for i, sign in enumerate(line):
                depth += (sign in "([") - (sign in ")]")
                ends = sign == ";" or (sign == "{" and (self.kind != VALUES or i + 1 == len(line)))
                if depth == 0 and (ends or (self.kind == FUNCTIONS and line[i : i + 3] == " : ")):
                    return clean(text + line[:i])
            text += line + "\n"
        return clean(text)


def clean(text):
    lines = text.rstrip().split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:].rstrip() for line in lines)


def entries(folder, text):
    """All that has a contract, and all kernels, in the order of the files."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        for compound in xml.etree.ElementTree.parse(path).getroot().iter("compounddef"):
            kind = compound.get("kind")
            if "detail" in plain(compound.find("compoundname")).split("::"):
                continue
            members = [Entry(m, text) for m in compound.iter("memberdef") if m.get("prot") == "public" and m.get("kind") in MEMBERS]
            if kind in ("struct", "class"):
                entry = Entry(compound, text)
                entry.parts = [member for member in members if member.contract]
                members = [entry]
            elif kind not in ("namespace", "file"):
                continue
            for entry in members:
                if entry.contract or entry.parts or entry.kind == KERNELS:
                    found.setdefault((entry.path, entry.line, entry.name), entry)
    return [found[key] for key in sorted(found)]


def kernels_of(lines):
    """The names of the kernels that a file defines, read without Doxygen."""
    text = re.sub(r"//.*", "", "\n".join(lines))
    return re.findall(r"__global__[^;{}]*?\bvoid\s+(?:__launch_bounds__\([^)]*\)+\s+)?(\w+)\s*\(", text)


def first_sentence(text):
    text = " ".join(text.partition("\n\n")[0].split())
    return re.match(r".*?\.(?=\s|$)|.*", text)[0].rstrip(":;")


@functools.cache
def sections(root, document):
    """[heading, text, heading, text, ...]"""
    return re.split("^#{2,3} (.*)$", pages.read(root, document), flags=re.M)[1:]


def explained(root, lessons, name):
    """A link to the first section of these lessons, or of their further pages, that has a name; "" if none has."""
    wanted = re.compile(rf"\b{name}\b" if "_" in name else rf"`{name}\b|\b{name}[(<{{]")  # not a mere word
    for document in [page for lesson in lessons for page in (lesson, pages.more_of(root, lesson)) if page]:
        for heading, body in zip(sections(root, document)[::2], sections(root, document)[1::2]):
            if wanted.search(body):
                return f"[{heading}](../{document}.md#{pages.slug(heading)})"
    return ""


def shown(entry, section):
    file = entry.path.split("/", 2)[2]
    text = f"\n### `{entry.name}`\n\n```cpp\n{entry.signature()}\n```\n\n{entry.contract}\n"
    for part in entry.parts:
        text += f"\n```cpp\n{part.signature()}\n```\n\n{part.contract}\n"
    return text + f"\n[{file}, line {entry.line}](../{entry.path}#L-{entry.line})" + f", explained in {section}" * bool(section) + "\n"


def write(root, work, output):
    """Reads the sources with Doxygen and writes output/reference/*.md.

    Returns {name: [(page, anchor)]} of all kernels, functions and types.
    """
    root, work, output = pathlib.Path(root), pathlib.Path(work), pathlib.Path(output)
    work.mkdir(parents=True, exist_ok=True)
    files = sources(root)
    settings = pathlib.Path(__file__).with_name("Doxyfile").read_text(encoding="utf-8")
    settings += f'OUTPUT_DIRECTORY = "{work}"\nSTRIP_FROM_PATH = "{root}"\nINPUT = '
    settings += " ".join(f'"{root / path}"' for path in files)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, cwd=root)
    text = {path: (root / path).read_text(encoding="utf-8").split("\n") for path in files}
    found = entries(work / "xml", text)
    known = {entry.name for entry in found}
    lost = [f"{path}: {name}" for path, lines in text.items() for name in kernels_of(lines) if name not in known]
    if lost:
        raise SystemExit("Doxygen did not find these kernels:\n" + "\n".join(lost))
    (output / "reference").mkdir(parents=True, exist_ok=True)
    names, found_on = {}, {}
    for entry in found:
        found_on.setdefault(page_of(entry.path), []).append(entry)
    overview = "# All kernels and functions\n\nEach name leads to its contract and its place in the sources.\n"
    for page in sorted(found_on):  # chapters, and then rooms
        here = found_on[page]
        name = page.split("/")[1]
        lesson = f"chapters/{name}/README" if name[0].isdigit() else "common/README"
        heading = pages.title(root, lesson)
        title = heading if name[0].isdigit() else name.capitalize()
        text = f"# {title}: kernels and functions\n" if name[0].isdigit() else f"# {title}: a room of the shared helper\n"
        text += f"\nThe page that explains it: [{heading}](../{lesson}.md).\n"
        counted = [(sum(entry.kind == kind for entry in here), kind.lower()) for kind in (KERNELS, FUNCTIONS, TYPES)]
        numbers = [f"{number} {kind[:-1] if number == 1 else kind}" for number, kind in counted if number]
        overview += f"\n<details class=\"names\"><summary>{title} ({', '.join(numbers)})</summary>\n\n[The page with all contracts]({name}.md)\n"
        lessons = [lesson] if name[0].isdigit() else pages.chapters(root)
        taken = set()
        for kind in (KERNELS, FUNCTIONS, TYPES, VALUES):
            chosen = [entry for entry in here if entry.kind == kind]
            if chosen:
                text += f"\n## {kind}\n"
                overview += f"\n{kind}:\n\n" * (kind != VALUES)
            for entry in chosen:
                again = 0
                while entry.anchor in taken:
                    again += 1
                    entry.anchor = f"{entry.name.lower()}-{again}"
                taken.add(entry.anchor)
                section = explained(root, lessons, entry.name)
                text += shown(entry, section)
                if kind != VALUES:
                    names.setdefault(entry.name, []).append((page, entry.anchor))
                    overview += f"- [`{entry.name}`]({name}.md#{entry.anchor}) {first_sentence(entry.contract) or section}\n"
        overview += "\n</details>\n"
        (output / (page + ".md")).write_text(text, encoding="utf-8")
    (output / "reference/all.md").write_text(overview, encoding="utf-8")
    return names
