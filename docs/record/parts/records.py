# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What the commands that record something on a GPU have in common."""

import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Problem(Exception):
    """The record cannot be made; `status` is what the command ends with."""

    def __init__(self, message, status=2):
        super().__init__(message)
        self.status = status


def parser(text):
    """Options of a command whose help is this text, the docstring of the command."""
    title, _, details = text.partition("\n\n")
    return argparse.ArgumentParser(
        prog=("docs/record/measure " if sys.argv[0].endswith(".py") else "docs/record/") + pathlib.Path(sys.argv[0]).stem,
        description=title,
        epilog=details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def ending(name, work):
    """The exit status of docs/record/NAME: what work() returns, or that of a problem, which is printed."""
    try:
        return work()
    except (Problem, OSError) as problem:
        print(f"docs/record/{name}: {problem}", file=sys.stderr)
        return getattr(problem, "status", 2)


def tool(name, hint="it is part of the CUDA toolkit"):
    """The program's path: from the PATH, or where the toolkit is installed by default."""
    found = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not found:
        raise Problem(f"{name} was not found: {hint}")
    return found


def build(preset, targets):
    """Builds these targets, or all, quietly unless it fails, and returns the folder of the programs."""
    folder = ROOT / "build" / preset
    if shutil.which("ninja"):  # make takes one named target after the other
        os.environ.setdefault("CMAKE_GENERATOR", "Ninja")
    for command in (
        ["cmake", "--preset", preset, "-S", str(ROOT)],
        ["cmake", "--build", str(folder), "-j", str(os.cpu_count()), *(["--target", *targets] if targets else [])],
    ):
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT)
        except OSError as error:
            raise Problem(f"{command[0]} could not be started: {error.strerror}") from None
        if done.returncode != 0:
            raise Problem(f"'{' '.join(command)}' failed:\n" + done.stdout.decode("utf-8", "replace")[-4000:])
    return folder / "bin"


def run(program, *arguments):
    """The exit status of a program that prints what it likes."""
    try:
        return subprocess.run([str(program), *map(str, arguments)], stdin=subprocess.DEVNULL).returncode
    except OSError as error:
        raise Problem(f"{program} could not be started: {error.strerror}") from None


def first_line(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    if done.returncode != 0 or not lines:
        raise Problem(f"'{' '.join(command)}' says nothing: is there an NVIDIA GPU here?")
    return lines[0].strip()


def processor():
    """Its name and how many cores there are."""
    names = re.findall(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def device_count():
    """How many GPUs programs see: those that nvidia-smi lists, or some of them."""
    if chosen := os.environ.get("CUDA_VISIBLE_DEVICES"):
        return len(chosen.split(","))
    smi = tool("nvidia-smi", "there is no NVIDIA driver here, so nothing to measure")
    done = subprocess.run([smi, "--query-gpu=name", "--format=csv,noheader"], stdout=subprocess.PIPE, text=True)
    return len(done.stdout.strip().splitlines())


def facts(name, folder, devices=1):
    """What stands in the record.json of what docs/record/NAME writes into this folder; it has used so many devices."""
    smi = tool("nvidia-smi", "there is no NVIDIA driver here, so nothing to measure")
    toolkit = re.search(
        r"release ([0-9.]+)", subprocess.run([tool("nvcc"), "--version"], stdout=subprocess.PIPE, text=True).stdout
    )
    return {
        "device": (f"{devices} " if devices > 1 else "")
        + first_line(smi, "--query-gpu=name", "--format=csv,noheader", "-i", "0"),
        "driver": first_line(smi, "--query-gpu=driver_version", "--format=csv,noheader", "-i", "0"),
        "toolkit": toolkit[1] if toolkit else "unknown",
        "host": processor(),
        "date": datetime.date.today().isoformat(),
        "command": f"docs/record/{name} docs/measurements/{folder.resolve().name}",
    }


def save_facts(folder, record):
    (folder / "record.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def new_folder(path):
    """The folder, made if it is not there. A record that is there already stays as it is."""
    if (path / "record.json").exists():
        raise Problem(f"{path} holds a record already; name a new folder")
    path.mkdir(parents=True, exist_ok=True)
    return path


def raw_folder(folder):
    """build/record/NAME, or NAME/again: the tables that a record of this name, or its second run, is made of."""
    folder = folder.resolve()
    path = ROOT / "build/record" / (pathlib.Path(folder.parent.name, "again") if folder.name == "again" else folder.name)
    path.mkdir(parents=True, exist_ok=True)
    return path


def read_csv(path, columns=(), hint=""):
    """[{column: cell}]. The hint is what a missing column may come from."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}") from None
    if not rows:
        raise Problem(f"{path} has no rows")
    for name in columns:
        if name not in rows[0]:
            raise Problem(f"{path} has no column {name}" + (f": {hint}" if hint else ""))
    return rows


def write_csv(path, columns, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
