# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Blocks of what programs and commands print."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from blocks import Problem, fenced, split_options

TIMEOUT_S = 120

UNIT = re.compile(
    r"( *)(?<![\w.,])([0-9][0-9,]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)"
    r"(?= ?(?:ns|us|µs|ms|s|[kMGT]?B/s|[GT]FLOP/s)(?![\w/]))"
)


# Rounding depends on the vector width of the processor, so an error does; the bound that it is held to does not.
ERROR = re.compile(r"(?<=\berror )[0-9][0-9.]*(?:e[+-]?[0-9]+)?(?= *<=)")


LABEL = 9  # columns of the word at the beginning of a line that says what the line is about: "took     5.1 ms"


def dots(match):
    """Right-aligned where two or more spaces show that the figure stands in a column of figures."""
    spaces, figure = match[1], match[2]
    before = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    if re.fullmatch(r"\w+", before) and len(before + spaces) == LABEL:
        return spaces + "..."
    return "...".rjust(len(spaces) + len(figure)) if len(spaces) > 1 else spaces + "..."


def normalized(text, root, build, masks=()):
    """What the reader may see of a program's output: nothing that differs from run to run or machine to machine."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text).replace("\r\n", "\n")
    for folder in sorted(
        {str(build), str(build.resolve()), str(root), str(root.resolve())}, key=len, reverse=True
    ):
        text = re.sub(rf"(?<![\w.-]){re.escape(folder)}/", "", text)  # and not /copy/tutorial/ in /tutorial/
    text = re.sub(r"\b0x[0-9a-f]{5,}\b", "0x...", text)
    text = ERROR.sub("...", UNIT.sub(dots, text))
    for mask in masks:
        text = re.sub(mask, lambda m: "." * len(m[0]), text)
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


# Neither color nor progress: what is shown is what the program has to say.
QUIET = {"NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8", "TUTORIAL_PROGRESS": "0"}


class Runner:
    """Runs the programs of one build, each command once."""

    def __init__(self, root, build):
        self.root, self.build, self.done = root, build, {}

    def __call__(self, words, environment, csv_wanted):
        key = (tuple(words), tuple(sorted(environment.items())), csv_wanted)
        if key not in self.done:
            self.done[key] = self.run(words, environment, csv_wanted)
        return self.done[key]

    def run(self, words, environment, csv_wanted):
        program = self.build / words[0]
        if not program.is_file():
            raise Problem(
                f"{program} has not been built: run 'cmake --preset emulated && "
                "cmake --build --preset emulated' first, or name another build with --build"
            )
        with tempfile.TemporaryDirectory() as folder:
            for name in ("data", "chapters", "docs"):
                if (self.root / name).exists():
                    os.symlink(self.root / name, os.path.join(folder, name))
            os.symlink(self.build / "bin", os.path.join(folder, "bin"))
            arguments = list(words[1:])
            if csv_wanted:
                arguments += ["--csv", "table.csv"]
            settings = {**os.environ, **QUIET, **environment}
            for name in ("CLICOLOR_FORCE", *(n for n in os.environ if n.startswith("EMULATOR_"))):
                if name not in environment:
                    settings.pop(name, None)
            try:
                result = subprocess.run(
                    [str(program), *arguments],
                    cwd=folder,
                    env=settings,
                    timeout=TIMEOUT_S,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            except subprocess.TimeoutExpired:
                raise Problem(f"'{shlex.join(words)}' did not end within {TIMEOUT_S} seconds") from None
            except OSError as error:
                raise Problem(f"'{shlex.join(words)}' could not be started: {error.strerror}") from None
            text = result.stdout.decode("utf-8", "replace")
            table = os.path.join(folder, "table.csv")
            rows = None
            if csv_wanted and os.path.exists(table):
                rows = pathlib.Path(table).read_text(encoding="utf-8")
            return result.returncode, text, rows


def must_exit(status, options, words, text):
    wanted = int(options.get("exit", "0"))
    if status != wanted:
        tail = "\n".join("    " + line for line in text.rstrip().split("\n")[-15:])
        raise Problem(f"'{shlex.join(words)}' ended with status {status}, not {wanted}:\n{tail}")


def chosen_lines(text, options):
    lines = text.split("\n")
    if "lines" in options:
        match = re.fullmatch(r"(\d*)-(\d*)", options["lines"])
        if not match:
            raise Problem(f"lines={options['lines']} is no range such as 2-5")
        lines = lines[int(match[1] or 1) - 1 : int(match[2] or len(lines))]
    if "from" in options:
        start = next((i for i, line in enumerate(lines) if re.search(options["from"], line)), None)
        if start is None:
            raise Problem(f"no line of the output matches from={options['from']}")
        lines = lines[start:]
    if "to" in options:
        stop = next((i for i, line in enumerate(lines) if i > 0 and re.search(options["to"], line)), None)
        if stop is None:
            raise Problem(f"no line of the output matches to={options['to']}")
        lines = lines[: stop + 1]
    if not any(lines):
        raise Problem("nothing of the output is left to show")
    return "\n".join(lines)


def reader_command(words, environment):
    """How the reader says it: chapters/run for the program of a chapter, the path in the build for another."""
    chapter = re.fullmatch(r"bin/(\d\d)_\w+", words[0])
    command = ["chapters/run", chapter[1]] if chapter else ["build/emulated/" + words[0]]
    return "$ " + " ".join([f"{n}={v}" for n, v in environment.items()] + [shlex.join(command + words[1:])])


def program_of(words, kind, known):
    """(command, options, environment) of a block that a program of the build makes."""
    plain, options, environment = split_options(words, known)
    if not plain or not plain[0].startswith("bin/"):
        raise Problem(f"{kind} needs a program of the build, such as bin/02_direct_kernel")
    return plain, options, environment


def output_block(words, path, root, runner):
    plain, options, environment = program_of(words, "output", {"exit", "lines", "from", "to", "mask", "prompt"})
    status, text, _ = runner(plain, environment, False)
    must_exit(status, options, plain, text)
    shown = chosen_lines(normalized(text, runner.root, runner.build, options.get("mask", ())), options)
    if options.get("prompt") == "1":
        shown = reader_command(plain, environment) + "\n" + shown
    return fenced(shown, "text")


def terminal_block(words, path, root, runner):
    """The commands, each with what it prints."""
    build = runner.build
    plain, options, environment = split_options(words, {"exit", "from", "to", "mask", "quiet", "file"})
    if len(plain) < 2 or not (root / plain[0]).is_dir():
        raise Problem("terminal takes a folder, then commands in quotes")
    if not (build / "bin/emucc").is_file():
        raise Problem(f"{build} holds no build for the emulated device: cmake --preset emulated, then build it")
    unwanted = re.compile(r"EMUCC_|EMULATOR_|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|CPATH|LIBRARY_PATH|CLICOLOR_FORCE")
    settings = {name: value for name, value in os.environ.items() if not unwanted.match(name)}
    settings |= QUIET | environment
    settings["PATH"] = f"{build / 'bin'}:{settings.get('PATH', '')}"
    shown = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "files"
        shutil.copytree(root / plain[0], folder)
        for name in ("data", "chapters"):
            os.symlink(root / name, folder / name)
        for i, command in enumerate(plain[1:]):
            try:
                result = subprocess.run(
                    ["bash", "-c", command],
                    cwd=folder,
                    env=settings,
                    timeout=TIMEOUT_S,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            except subprocess.TimeoutExpired:
                raise Problem(f"'{command}' did not end within {TIMEOUT_S} seconds") from None
            text = result.stdout.decode("utf-8", "replace").replace(f"{folder}/", "")
            must_exit(result.returncode, options if i + 2 == len(plain) else {}, [command], text)
            if i < int(options.get("quiet", "0")):
                continue
            text = normalized(text, root, build, options.get("mask", ()))
            if i + 2 == len(plain) and text:
                text = chosen_lines(text, options)
            shown.append(f"$ {command}" + (f"\n{text}" if text else ""))
        if "file" in options:
            ours, made = root / plain[0] / options["file"], folder / options["file"]
            before = ours.read_bytes() if ours.is_file() else b""
            if not made.is_file() or made.read_bytes() == before and not before:
                raise Problem(f"the commands do not write {options['file']}")
            if made.read_bytes() != before:
                raise Problem(f"{plain[0]}/{options['file']} is not what {shlex.join(plain[1:])} writes")
    return fenced("\n".join(shown), "text")


KINDS = {"output": output_block, "terminal": terminal_block}
