# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Kernels in two languages at once: every expression and statement is written as CUDA C++, for the emulated device, and
as Python, for machine.py, which knows nothing of the emulated device and says what must come out."""


class Unsuitable(Exception):
    """What was drawn has no defined meaning (an int overflows, say): another one is drawn."""


class Random:
    """The same numbers on every version of Python: splitmix64."""

    def __init__(self, seed):
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return z ^ (z >> 31)

    def below(self, n):
        return self.bits() % n

    def between(self, low, high):
        """Both included."""
        return low + self.below(high - low + 1)

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def chance(self, percent):
        return self.below(100) < percent


BYTES = {
    "int": 4, "unsigned": 4, "float": 4, "double": 8, "unsigned long long": 8, "long long": 8, "signed char": 1,
    "unsigned char": 1, "short": 2, "unsigned short": 2, "bool": 1,
}
BITS = {"unsigned": 32, "unsigned long long": 64, "unsigned char": 8, "unsigned short": 16}
SIGNED = {"int": 32, "long long": 64, "signed char": 8, "short": 16}
PACKED = {
    "int": "i", "unsigned": "I", "float": "f", "double": "d", "unsigned long long": "Q", "long long": "q",
    "signed char": "b", "unsigned char": "B", "short": "h", "unsigned short": "H",
}


class Value:
    """An expression of C++ type `type`: `c` in C++, `p` in Python."""

    def __init__(self, type, c, p):
        self.type, self.c, self.p = type, c, p

    def other(self, x):
        if isinstance(x, Value):
            assert x.type == self.type, (self.type, x.type, self.c, x.c)
            return x
        return number(self.type, x)

    def arithmetic(self, op, other):
        b = self.other(other)
        p = f"({self.p} {op} {b.p})"
        if self.type in BITS and op in "+-*<<":
            p = f"({p} & {(1 << BITS[self.type]) - 1})"
        elif self.type in SIGNED and op in "+-*<<":
            p = f"fits{SIGNED[self.type]}({p})"
        elif self.type == "float":
            p = f"exact({p})"
        return Value(self.type, f"({self.c} {op} {b.c})", p)

    def compare(self, op, other):
        b = self.other(other)
        return Value("bool", f"({self.c} {op} {b.c})", f"({self.p} {op} {b.p})")

    def __add__(self, b): return self.arithmetic("+", b)
    def __sub__(self, b): return self.arithmetic("-", b)
    def __mul__(self, b): return self.arithmetic("*", b)
    def __xor__(self, b): return self.arithmetic("^", b)
    def __and__(self, b): return self.arithmetic("&", b)
    def __or__(self, b): return self.arithmetic("|", b)
    def __lshift__(self, b): return Value(self.type, f"({self.c} << {b})", self.arithmetic("<<", b).p)
    def __rshift__(self, b): return Value(self.type, f"({self.c} >> {b})", f"({self.p} >> {b})")
    def __lt__(self, b): return self.compare("<", b)
    def __le__(self, b): return self.compare("<=", b)
    def __gt__(self, b): return self.compare(">", b)
    def __ge__(self, b): return self.compare(">=", b)
    def eq(self, b): return self.compare("==", b)
    def ne(self, b): return self.compare("!=", b)

    def __floordiv__(self, b):
        b = self.other(b)
        if self.type in BITS:
            return Value(self.type, f"({self.c} / {b.c})", f"({self.p} // {b.p})")
        return Value(self.type, f"({self.c} / {b.c})", f"quotient({self.p}, {b.p})")

    def __mod__(self, b):
        b = self.other(b)
        if self.type in BITS:
            return Value(self.type, f"({self.c} % {b.c})", f"({self.p} % {b.p})")
        return Value(self.type, f"({self.c} % {b.c})", f"remainder({self.p}, {b.p})")

    def divided(self, b):
        """Divided by what may be zero."""
        return Value(self.type, f"({self.c} / {b.c})", f"M.quotient(t, {self.p}, {b.p}, @L)")

    def both(self, b): return Value("bool", f"({self.c} && {b.c})", f"({self.p} and {b.p})")
    def either(self, b): return Value("bool", f"({self.c} || {b.c})", f"({self.p} or {b.p})")

    def to(self, type):
        """Converted; only what C++ defines and what is exact."""
        if type == self.type:
            return self
        c = f"static_cast<{type}>({self.c})" if len(self.c) % 3 else f"({type})({self.c})"
        if type in BITS:
            assert self.type not in ("float", "double")
            return Value(type, c, f"(int({self.p}) & {(1 << BITS[type]) - 1})")
        if type in SIGNED:
            if self.type in ("float", "double"):
                return Value(type, c, f"fits{SIGNED[type]}(int({self.p}))")
            return Value(type, c, f"wrapped({self.p}, {SIGNED[type]})")
        if type == "float":
            return Value(type, c, f"exact(float({self.p}))")
        if type == "double":
            return Value(type, c, f"float({self.p})")
        raise AssertionError(type)


def number(type, x):
    suffix = {"unsigned": "u", "unsigned long long": "ull", "long long": "ll", "float": ".0f", "double": ".0"}
    if type == "bool":
        return Value(type, "true" if x else "false", repr(bool(x)))
    x = int(x)
    text = f"{x}{suffix.get(type, '')}"
    if type in BITS and x > 9 and x % 3 == 0:
        text = f"0x{x:x}{suffix.get(type, '')}"
    if x < 0:
        text = f"({text})"
    return Value(type, text, f"{float(x)}" if type in ("float", "double") else f"({x})")


def choose(condition, a, b):
    b = a.other(b)
    return Value(a.type, f"({condition.c} ? {a.c} : {b.c})", f"({a.p} if {condition.p} else {b.p})")


def negated(condition):
    return Value("bool", f"!{condition.c}", f"(not {condition.p})")


def call(type, name, *arguments, python=None):
    c = ", ".join(a.c for a in arguments)
    p = ", ".join(a.p for a in arguments)
    return Value(type, f"{name}({c})", f"{python or name}({p})")


class Array:
    """Memory of some kind. `dims` in C++ from the outside in; one index for Python."""

    def __init__(self, name, type, size, space, dims=None, const=False, pointer_to=None):
        self.name, self.type, self.size, self.space = name, type, size, space
        self.dims, self.const = dims, const


class Text:
    """Lines of C++ and of Python, side by side; "@L" in Python is the line of the C++ text."""

    def __init__(self, first_line=1):
        self.lines, self.python, self.first_line = [], [], first_line
        self.indent, self.python_indent = 0, 0
        self.spans = {}  # line -> the first line of its statement

    def line(self):
        return self.first_line + len(self.lines)

    def add(self, c, p=None):
        """C++, which may be of several lines, and the Python that means the same."""
        first = self.line()
        if c is not None:
            for i, each in enumerate(c.split("\n")):
                self.spans[self.line()] = first
                self.lines.append(("  " * (self.indent + (i > 0)) + each).rstrip() if not each.startswith("#") else each)
        if p is not None:
            for each in p.split("\n"):
                self.python.append("  " * self.python_indent + each.replace("@L", str(first)))
        return first


class Block:
    """with text: a C++ brace and a Python suite."""

    def __init__(self, text, c, p, end="}"):
        self.text, self.c, self.p, self.end = text, c, p, end

    def __enter__(self):
        self.text.add(self.c, self.p)
        self.text.indent += 1
        if self.p is not None:
            self.text.python_indent += 1
            self.text.add(None, "pass")
        return self

    def __exit__(self, *exception):
        self.text.indent -= 1
        if self.p is not None:
            self.text.python_indent -= 1
        if self.end:
            self.text.add(self.end)
