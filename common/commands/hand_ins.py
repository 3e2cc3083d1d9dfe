# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What a class has handed in, for chapters/grade: read once, as bytes, and never written."""

import dataclasses
import os
import pathlib
import re
import zipfile

SOURCES = ("cu", "cpp", "cc", "cxx", "cuh", "hpp", "h", "txt")
NOT_ANSWERS = {"solutions", "exercise_checks", "exercise-backups", "build", ".git", "__MACOSX"}
MOST_BYTES = 1 << 20
KEYWORDS = set(
    """auto bool break case char class const constexpr continue default do double else false float for if
    int long namespace nullptr return short signed sizeof static struct switch template this true
    typename unsigned using void while __global__ __shared__ __constant__ __device__ __host__
    __syncthreads threadIdx blockIdx blockDim gridDim x y z""".split()
)


@dataclasses.dataclass
class Found:
    """One answer; `problem` where there is not one. `note` says which file it was, if it had another name."""

    path: str = ""
    text: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)
    problem: str = ""  # "", "missing", "several files"
    note: str = ""


def is_wanted(path):
    *folders, name = path.split("/")
    ending = name.lower().rsplit(".", 1)[-1].split(" ")[0]
    return not NOT_ANSWERS & set(folders) and (ending in SOURCES or ".progress/hints_" in path)


def files_of(place, depth=2):
    """{path: bytes} of the sources in a folder or a zip; of what cannot be read, the reason as a text."""
    files = {}
    for folder, names, own in os.walk(place):
        names[:] = sorted(set(names) - NOT_ANSWERS)
        for file in [pathlib.Path(folder, name) for name in sorted(own)]:
            path = str(file.relative_to(place))
            if file.is_symlink() or not file.is_file() or len(files) > 5000:
                continue
            if path.lower().endswith(".zip") and depth:
                files |= {f"{path}/{each}": data for each, data in files_of(file, depth - 1).items()}
            elif is_wanted(path) and file.stat().st_size > MOST_BYTES:
                files[path] = "is too large"
            elif is_wanted(path):
                files[path] = file.read_bytes() if os.access(file, os.R_OK) else "cannot be read"
    if place.is_dir():
        return files
    try:
        with zipfile.ZipFile(place) as archive:
            for each in archive.infolist():
                if is_wanted(each.filename) and each.file_size <= MOST_BYTES and len(files) < 5000:
                    with archive.open(each) as file:
                        files[each.filename] = file.read(MOST_BYTES)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        files["answer.zip"] = "cannot be read"
    return files


def hand_ins(folder):
    """{student: files}, and the names of what is neither a folder nor a zip."""
    found, loose = {}, []
    for place in sorted(pathlib.Path(folder).iterdir()):
        if place.is_dir():
            found[place.name] = files_of(place)
        elif place.suffix.lower() == ".zip":
            found.setdefault(place.stem, {}).update(files_of(place))
        elif not place.name.startswith("."):
            loose.append(place.name)
    return found, loose


def plain_name(name):
    """"Every Third (1).cpp.txt" is every_third, as well as possible."""
    name = re.sub(r"\.txt$", "", name.lower())
    name = re.sub(r"[ _-]*\(\d+\)|[ _-]+(copy|kopie)\b", "", name)
    return re.sub(r"[ -]+", "_", name)


def meant_by(path, exercises):
    """The exercises that this path can be an answer to, each with how well it fits: 0 exactly, 1 by its name
    alone, 2 nearly."""
    parts = path.split("/")
    name = plain_name(parts[-1])
    stem, _, ending = name.rpartition(".")
    if ending not in ("cu", "cpp", "cc", "cxx"):
        return []
    number, bare = re.fullmatch(r"(?:([1-9])_)?(.*)", stem).groups()
    above = [plain_name(each) for each in parts[:-1]]
    if above and re.fullmatch(rf"[1-9]_{re.escape(bare)}", above[-1]):
        number = above.pop()[0]
    if above and above[-1] == "exercises":
        above.pop()
    chapter = re.fullmatch(r"(?:chapter|ch|kapitel)?_*0*(\d{1,2})(_.*)?", above[-1]) if above else None
    result = []
    for each in exercises:
        if each.bare.rsplit(".", 1)[0] == bare and number in (None, each.n):
            here = chapter and int(chapter[1]) == int(each.number)
            exact = parts[-1] in (each.bare, each.name) and (not chapter or above[-1] == each.chapter.lower())
            result.append((each, (0 if here else 1) if exact else 2 if not chapter or here else 3))
    if any(fit in (0, 2) for _, fit in result) and chapter:
        result = [(each, fit) for each, fit in result if int(chapter[1]) == int(each.number)]
    return result


def find_answer(files, exercise, exercises):
    best, unclear = {}, []
    for path, data in sorted(files.items()):
        meant = meant_by(path, exercises)
        if exercise not in [each for each, _ in meant]:
            continue
        if len(meant) > 1:
            unclear.append(path)
        else:
            best.setdefault(meant[0][1], {})[path] = data
    wanted = f"{exercise.chapter}/{exercise.name.rsplit('.', 1)[0]}/{exercise.bare}"
    if not best:
        more = f"; {unclear[0]} may be of another exercise" if unclear else ""
        return Found(problem="missing", note=f"no file {wanted}{more}")
    fit = min(best)
    paths = best[fit]
    if len(set(paths.values())) > 1:
        return Found(problem="several files", note=", ".join(paths))
    path, text = next(iter(paths.items()))
    if isinstance(text, str):
        return Found(problem="missing", note=f"{path} {text}")
    folder = path.rpartition("/")[0]
    headers = {}
    for each, data in files.items():
        place, _, name = each.rpartition("/")
        if place == folder and name.endswith((".hpp", ".cuh", ".h")) and isinstance(data, bytes):
            headers[name] = data
    headers.pop(exercise.bare.rsplit(".", 1)[0] + ".hpp", None)  # the contract is ours
    return Found(path, text, headers, "", f"taken from {path}" if fit > 1 or len(paths) > 1 else "")


def shape(text):
    """The same for two answers that differ in layout, comments and names only."""
    text, names, tokens = text.decode("utf-8", "replace"), {}, []
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^\s*#\s*include[^\n]*", " ", text, flags=re.S | re.M)
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*|[0-9][\w.\']*|\S', text):
        if re.match(r"[A-Za-z_]", token) and token not in KEYWORDS:
            token = names.setdefault(token, f"n{len(names)}")
        tokens.append(token)
    return " ".join(tokens)
