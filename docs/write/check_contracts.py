#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Every public function of the headers has a contract: a `///` in front of it, or a `///<` behind it.

    check_contracts.py [--root DIR] [FILE...]      FILE: a header (those of common/ and of the chapters)

Names file and line of each function without a contract; status 1 if there is one. A header is read as tokens, not
compiled. These need no contract of their own: what the language writes (= default, = delete), destructors, copies and
moves, assignments and comparisons that mean the same as for numbers (+=, ==), what a base class declares (override),
friends, overloads in the line after a documented one of the same name, and whatever is private or in a namespace that
is called detail or has no name.
"""

import argparse
import pathlib
import re
import sys

TOKEN = re.compile(
    r"""(?P<doc>///[^\n]*|/\*\*.*?\*/) | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<preprocessor>^[ \t]*\#(?:[^\n\\]|\\.)*) | (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
    | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<number>\.?\d(?:[\w.]|'\w|[eEpP][+-])*)
    | (?P<word>~?[A-Za-z_]\w*) | (?P<sign>::|&&|->|\[\[|\]\]|[^\s\w])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
# A pair of parentheses behind one of these is no list of parameters.
NO_PARAMETERS = {
    "alignas", "decltype", "noexcept", "explicit", "requires", "__align__", "__attribute__", "__launch_bounds__",
}  # fmt: skip
OPENING = {"(": ")", "[": "]", "{": "}", "[[": "]]"}


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.last_line = line + text.count("\n")


def tokens_of(text):
    """The tokens of a header, and {line: comment} of those that document what follows them and what precedes."""
    tokens, before, behind, line, at = [], {}, {}, 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        token = Token(match.lastgroup if match.lastgroup != "mark" else "raw", match.group(), line)
        if token.kind == "doc" and re.match(r"///<|/\*\*<", token.text):
            behind[line] = token.text
        elif token.kind == "doc":
            before[token.last_line] = token.text
        elif token.kind not in ("comment", "preprocessor"):
            tokens.append(token)
    return tokens, before, behind


class Header:
    def __init__(self, text):
        self.tokens, self.before, self.behind = tokens_of(text)
        lines = text.split("\n")
        self.comments = {n + 1 for n, line in enumerate(lines) if re.match(r"\s*//", line)}
        self.missing = []  # (line, name)
        self.scope(0, "", public=True)

    def closing(self, at):
        """Index of the token that closes the group which the token `at` opens."""
        stack = []
        for i in range(at, len(self.tokens)):
            text = self.tokens[i].text
            if self.tokens[i].kind == "sign" and text in OPENING:
                stack.append(OPENING[text])
            elif stack and text == stack[-1]:
                stack.pop()
                if not stack:
                    return i
        return len(self.tokens) - 1

    def closing_angle(self, at):
        """The same for the angle bracket of a list of template arguments; `at` where it is no such bracket."""
        depth, i = 0, at
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return i
            elif text in ("(", "[", "{"):
                i = self.closing(i)
            elif text in (";", "}", ")"):
                return at
            i += 1
        return at

    def documented(self, first, last):
        """Whether the declaration from token `first` to token `last` has a contract."""
        line = self.tokens[first].line - 1
        while line in self.comments or line in self.before:
            if line in self.before:
                return not re.match(r"///\s*[\\@]file", self.before[line])
            line -= 1
        return bool({self.tokens[first].line, self.tokens[last].line} & {*self.behind})

    def scope(self, at, owner, public):
        """Reads declarations from token `at` to the brace that closes the scope; returns that brace's index."""
        earlier, earlier_line = None, 0  # the last function that is documented
        while at < len(self.tokens) and self.tokens[at].text != "}":
            if self.tokens[at].text in ("public", "private", "protected") and self.tokens[at + 1].text == ":":
                public = self.tokens[at].text == "public"
                at += 2
                continue
            at, name, first = self.declaration(at, owner, public)
            if not name or not public:
                continue
            last = at - 1
            overload = name == earlier and self.tokens[first].line <= earlier_line + 1
            if overload or self.documented(first, last):
                earlier, earlier_line = name, self.tokens[last].line
            else:
                self.missing.append((self.tokens[first].line, f"{owner}::{name}" if owner else name))
        return at

    def declaration(self, at, owner, public):
        """Index behind the declaration at token `at`, and the name of the function that it declares ('' if none)."""
        first, name, assigned, initializers, kind, previous = at, "", False, False, "", ""
        words = []  # of the declaration, without what stands in brackets
        while at < len(self.tokens):
            token = self.tokens[at]
            text = token.text
            if text == ";":
                break
            if text == "}":  # of the scope: a macro without a semicolon stood before it
                return at, "", first
            if text == "<" and re.match(r"\w", previous) and previous != "operator":
                at = self.closing_angle(at)
                if previous == "template":
                    words.append("<>")
            elif text == "(":
                end = self.closing(at)
                if previous == "operator":
                    words.append("()")
                elif not name and not assigned and previous not in NO_PARAMETERS and not kind:
                    name = self.name_of(words)
                    parameters = [t.text for t in self.tokens[at + 1 : end]]
                    words.append("()")
                at = end
            elif text in ("[", "[["):
                at = self.closing(at)
            elif text == "{":
                end = self.closing(at)
                if "namespace" in words or words[:1] == ["extern"] and not name:
                    if words[-1] not in ("namespace", "detail"):
                        self.scope(at + 1, "", public)
                    return end + 1, "", first
                if kind in ("class", "struct", "union"):
                    if public:
                        self.scope(at + 1, "".join(words[words.index(kind) + 1 :][:1]), kind != "class")
                elif name and not assigned and not (initializers and re.match(r"\w|>", previous)):
                    at = end  # the body of a function
                    break
                at = end
            elif text == "=" and not ("operator" in words and not name):
                assigned = True
            elif text == ":" and name:
                initializers = True
            elif token.kind == "word" and text in ("class", "struct", "union", "enum") and not name and not kind:
                kind = text
                words.append(text)
            else:
                words.append(text)
            previous = self.tokens[at].text
            at += 1
        exempt = (
            not name
            or kind
            or words[0] in ("using", "typedef", "static_assert", "friend")
            or (words[0] in ("template", "extern") and "<>" not in words[:2])
            or "::" in self.qualifiers(words, name)
            or "~" in name
            or re.fullmatch(r"operator([-+*/%&|^]?=|[!<>]=|<<=|>>=)", name)
            or "override" in words
            or (assigned and self.tokens[at - 1].text in ("default", "delete"))
            or re.fullmatch(r"[A-Z_0-9]+", name)
            or (name == owner and owner in parameters and {"&", "&&"} & {*parameters} and "," not in parameters)
        )
        return at + 1, "" if exempt else name, first

    @staticmethod
    def name_of(words):
        """The name in front of the parameters that begin behind `words`."""
        if "operator" in words:
            return "operator" + "".join(w for w in words[words.index("operator") + 1 :])
        return words[-1] if words and re.match(r"[~\w]", words[-1]) else ""

    @staticmethod
    def qualifiers(words, name):
        """What stands directly before the name: '::' where a member is defined outside of its class."""
        if name in words and words.index(name) > 0:
            return words[words.index(name) - 1 : words.index(name)]
        return []


def headers(root):
    found = sorted(root.glob("common/*/*.hpp"))
    for folder in sorted((root / "chapters").glob("[0-9][0-9]_*")):
        for room in (".", "kernels", "host", "checks", "show", "exercises/*"):
            found += sorted(p for p in folder.glob(f"{room}/*") if p.suffix in (".hpp", ".cuh"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    files = options.files or headers(options.root)
    if not files:
        print("There are no headers: nothing was checked.", file=sys.stderr)
        return 1
    missing = 0
    for file in files:
        for line, name in Header(file.read_text(encoding="utf-8")).missing:
            shown = file.relative_to(options.root) if file.is_relative_to(options.root) else file
            print(f"{shown}:{line}: {name}() has no contract: say above it, behind ///, what it does", file=sys.stderr)
            missing += 1
    if not missing:
        print(f"{len(files)} headers: every public function has a contract")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
