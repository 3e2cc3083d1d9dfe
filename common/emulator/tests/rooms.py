#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Each room of source/ uses only itself and the rooms above it in the README's table: rooms.py FOLDER, of the emulated device.

Read are the includes, and the rooms of declarations: a function that a header declares is defined in the room of that header, so
that no call goes back up behind an include that is in order. No two headers include each other, in however many steps.
Then copies with a planted mistake each must be refused.
"""
import collections, pathlib, re, shutil, sys, tempfile

def rooms_of(readme):
    """The rooms of the README's table, in its order."""
    text = readme.read_text(encoding="utf-8")
    table = re.search(r"^\| folder \| what is in it \|\n\|[ -|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return re.findall(r"^\| `(\w+)/` \|", table[1], re.MULTILINE) if table else []


def included(path, source):
    """The files of ours that `path` includes, with the lines, as paths below the folder."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if name := re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line):
            for base in (path.parent, source, source.parent / "include"):
                if (base / name[1]).is_file():
                    yield number, (base / name[1]).resolve()
                    break


def functions(text, end):
    """Names of functions outside of classes: declarations end with ";", definitions with " {"."""
    text = re.sub(r"//.*", "", text)
    head = r"^(?=\S)(?:\[\[\w+\]\] )?(?!return|using|typedef|else)[\w:<>*&, ]+?[ *&](\w+)\([^;{}]*\)(?: noexcept)?"
    return set(re.findall(head + end, text, re.MULTILINE))


def circles(headers):
    """One line for each circle of headers that include each other."""
    found, done = [], set()

    def walk(header, way):
        if header in way:
            found.append(" includes ".join(way[way.index(header):] + [header]))
        elif header not in done:
            for other in headers.get(header, ()):
                walk(other, way + [header])
            done.add(header)

    for header in sorted(headers):
        walk(header, [])
    return found


def faults_of(folder):
    folder = folder.resolve()
    source, rooms = folder / "source", rooms_of(folder / "README.md")
    present = sorted(entry.name for entry in source.iterdir())
    if sorted(rooms) != present:
        return [f"README.md has the rooms {', '.join(sorted(rooms))}, and source/ has {', '.join(present)}"]
    faults, headers, declared, defined = [], collections.defaultdict(list), {}, collections.defaultdict(set)
    files = sorted(path for path in folder.glob("source/*/*") if path.suffix in (".hpp", ".cpp"))
    for path in files + sorted(folder.glob("include/**/*.hpp")):
        own = path.relative_to(folder).as_posix()
        if path.suffix == ".hpp":
            headers[own] = [other.relative_to(folder).as_posix() for _, other in included(path, source)]
        if path not in files:
            continue
        room, text = path.parent.name, path.read_text(encoding="utf-8")
        if path.suffix == ".hpp":
            declared.update(((name, room), own) for name in functions(text, ";"))
        for name in functions(text, r" \{"):
            defined[name].add(room)
        for number, other in included(path, source):
            if other.is_relative_to(folder / "libraries"):
                faults.append(f"{own}:{number}: source/ knows no library, and includes {other.relative_to(folder).as_posix()}")
            if not other.is_relative_to(source):
                continue
            if rooms.index(other.parent.name) > rooms.index(room):
                faults.append(f"{own}:{number}: {room}/ is before {other.parent.name}/, and includes "
                              f"{other.relative_to(source).as_posix()}")
    for path in sorted(folder.glob("libraries/*/*.?pp")):
        for number, other in included(path, source):
            if other.is_relative_to(folder / "libraries") and not other.is_relative_to(path.parent):
                faults.append(f"{path.relative_to(folder).as_posix()}:{number}: a library uses no other one, and includes "
                              f"{other.relative_to(folder).as_posix()}")
    for (name, room), own in sorted(declared.items()):
        if defined[name] and not any(rooms.index(other) <= rooms.index(room) for other in defined[name]):
            faults.append(f"{own}: declares {name}(), which is defined in {', '.join(sorted(defined[name]))}/")
    return faults + circles(headers)


def can_fail(folder):
    """What is wrong with the check itself: copies with one planted mistake each must be refused, for that mistake."""
    planted = {  # file: what is put at its end; what is said of it
        "source/watch/observer.cpp": ('#include "order/flags.hpp"\n', "watch/ is before order/, and includes order/flags.hpp"),
        "source/runtime/streams.cpp": ('#include "order/flags.hpp"\n', None),
        "source/runtime/device.cpp": ('#include "../../libraries/nccl/nccl_comm.hpp"\n',
                                      "source/ knows no library, and includes"),
        "libraries/cufft/fft.cpp": ('#include "../nccl/nccl_comm.hpp"\n', "a library uses no other one, and includes"),
        "source/tell/trace.hpp": ("void run_kernel(int blocks);\n", "declares run_kernel(), which is defined in run/"),
        "source/order/clock.hpp": ('#include "operation.hpp"\n', "source/order/clock.hpp includes source/order/operation.hpp"),
        "README.md": ("", "README.md has the rooms"),
    }
    wrong = []
    for name, (line, expected) in planted.items():
        with tempfile.TemporaryDirectory() as scratch:
            copy = pathlib.Path(scratch)
            for part in ("source", "include", "libraries"):
                shutil.copytree(folder / part, copy / part)
            text = (folder / "README.md").read_text(encoding="utf-8")
            (copy / "README.md").write_text(text, encoding="utf-8")
            changed = copy / name
            text = changed.read_text(encoding="utf-8")
            changed.write_text(text.replace("| `tell/` |", "| `told/` |") if name == "README.md" else text + line, encoding="utf-8")
            faults = faults_of(copy)
        if bool(faults) != bool(expected) or expected and not any(expected in fault for fault in faults):
            wrong.append(f"a planted mistake in {name} gives {faults or 'nothing'}, and should give {expected or 'nothing'}")
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1])
    faults = faults_of(folder)
    for fault in faults or can_fail(folder):
        print(f"rooms.py: {fault}", file=sys.stderr)
        faults = faults or [fault]
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
