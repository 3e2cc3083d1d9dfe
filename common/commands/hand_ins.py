# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""What a class has handed in, for chapters/grade: read once, as bytes, and never written."""

import collections
import dataclasses
import functools
import os
import pathlib
import re
import zipfile

SOURCES = ("cu", "cpp", "cc", "cxx", "cuh", "hpp", "h", "txt")
# What an LMS calls what it lets a teacher download: Moodle "First Last_1234567_assignsubmission_file_", a folder, or
# the beginning of a file's name; Canvas lastfirst_1234_56789_NAME, with LATE_ before the numbers, or anon_1a2b3_56789_NAME.
DOWNLOADS = [
    re.compile(r"(?P<name>[^_]+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"),
    re.compile(r"(?P<name>[^\W\d_]\w*?)_(?:LATE_)?(?P<id>\d{2,})_\d{3,}_(?P<file>.+)"),
    re.compile(r"(?:LATE_)?(?P<name>anon_(?P<id>\w{5}))_\d+_(?P<file>.+)"),
]
ARCHIVE = re.compile(r"(.*?)(\.tar)?\.(zip|rar|7z|tar|t?gz|t?bz2?|t?xz)", re.I)
CLOSED = "can't be opened"
NOT_ANSWERS = {"solutions", "exercise_checks", "exercise-backups", "build", ".git", "__MACOSX"}
MOST_BYTES, MOST_IN_ALL = 1 << 20, 1 << 26
KEYWORDS = set(
    """auto bool break case char class const constexpr continue default do double else false float for if
    int long namespace nullptr return short signed sizeof static struct switch template this true
    typename unsigned using void while __global__ __shared__ __constant__ __device__ __host__
    __syncthreads threadIdx blockIdx blockDim gridDim""".split()
)


@dataclasses.dataclass
class Submission:
    """What one student has handed in; and of one that comes from an LMS, its number there, and how the name of a
    file begins that goes back to the student."""

    files: dict = dataclasses.field(default_factory=dict)
    number: str = ""
    reply: str = ""


@dataclasses.dataclass
class Found:
    """One answer; `problem` where there is not one. `note` says which file it was, if it had another name."""

    path: str = ""
    text: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)
    problem: str = ""  # "", "missing", "not recognized", "several files", "not checked"
    note: str = ""
    unused: str = ""  # a file that is nearly as good, and differs


def is_wanted(path):
    name = path.rpartition("/")[2]
    ending = name.lower().rsplit(".", 1)[-1].split(" ")[0]
    return ending in SOURCES or ".progress/hints_" in path


def is_header(name):
    return name.endswith((".hpp", ".cuh", ".h"))


def is_hidden(path):
    return bool(NOT_ANSWERS & set(path.split("/")))


def files_of(place, depth=2, room=MOST_IN_ALL):
    """{path: bytes} of the sources in a folder or a zip, or of a file; of others, or what cannot be read, the
    reason as a text. `room`: for so many bytes."""
    files = {}

    def add(path, size, read):
        nonlocal room
        # No longer than a file system allows: what looks through names need not be quick.
        can_be = len(path.rpartition("/")[2].encode("utf-8", "replace")) < 256 and len(path) < 4096
        if len(files) < 20000 and can_be and not is_hidden(path):
            wanted, small = is_wanted(path), size <= min(MOST_BYTES, room)
            other = CLOSED if ARCHIVE.fullmatch(path) else "is no source file"
            files[path] = read() if wanted and small else "is too large" if wanted else other
            room -= len(files[path])

    def read(file):
        return file.read_bytes() if os.access(file, os.R_OK) else "cannot be read"

    if place.is_dir():
        for folder, names, own in os.walk(place):
            names[:] = sorted(set(names) - NOT_ANSWERS)
            for file in [pathlib.Path(folder, name) for name in sorted(own)]:
                path = str(file.relative_to(place))
                if file.is_symlink() or not file.is_file():
                    continue
                if path.lower().endswith(".zip") and depth:
                    for each, data in files_of(file, depth - 1, room).items():
                        files[path if data == CLOSED and each == file.name else f"{path}/{each}"] = data
                        room -= len(data)
                else:
                    add(path, file.stat().st_size, lambda: read(file))
    elif place.suffix.lower() != ".zip":
        add(place.name, place.stat().st_size, lambda: read(place))
    else:
        try:
            with zipfile.ZipFile(place) as archive:
                for each in archive.infolist():
                    if not each.is_dir():
                        add(each.filename, each.file_size, lambda: archive.open(each).read(MOST_BYTES))
        except Exception:  # what is wrong with an archive raises nearly anything
            files[place.name] = CLOSED
    return files


def of_download(name):
    return next(filter(None, (form.fullmatch(name) for form in DOWNLOADS)), None)


def hand_ins(folder):
    """{student: Submission}, and the names of what is no submission."""
    places = [place for place in sorted(folder.iterdir()) if not place.name.startswith(".")]
    if len(places) == 1 and places[0].is_dir() and any(map(of_download, os.listdir(places[0]))):
        return hand_ins(places[0])
    found, loose = {}, []
    for place in places:
        form = of_download(place.name)
        archive = None if place.is_dir() else ARCHIVE.fullmatch(place.name)
        if not place.is_dir() and (place.is_symlink() or not (archive or form)):
            loose.append(place.name)
            continue
        files = files_of(place)
        if form and place.name in files:
            files[form["file"]] = files.pop(place.name)
        who = (form["name"], form["id"]) if form else (archive[1] if archive else place.name, "")
        mine = found.setdefault(who, Submission(number=who[1]))
        # What is there twice stays apart, as of a .zip in a folder.
        mine.files.update({f"{place.name}/{path}" if path in mine.files else path: files[path] for path in files})
        if form and not mine.reply:
            mine.reply = place.name[: form.start("file")].rstrip("_") + "_"
    names = [name for name, _ in found]
    return {
        name if names.count(name) == 1 else f"{name} {mine.number}".strip(): mine
        for (name, _), mine in found.items()
    }, loose


def plain_name(name):
    """"Every Third (1).cpp.txt" is every_third, as well as possible."""
    name = re.sub(r"\.txt$", "", name.lower())
    name = re.sub(r"(?<![ _-])[ _-]*(\(\d+\)|[ _-](copy|kopie)\b)|-\d+(?=\.)", "", name)
    return re.sub(r"[ -]+", "_", name)


@functools.cache
def meant_by(path, exercises):
    """The exercises that this path can be an answer to, each with how well it fits: 0 exactly, 1 by its name
    alone, 2 nearly."""
    parts = path.split("/")
    name = plain_name(parts[-1])
    stem, dot, ending = name.rpartition(".")
    if not dot and parts[-1].lower().endswith(".txt"):
        stem = name
    elif ending not in ("cu", "cpp", "cc", "cxx"):
        return []
    number, bare = re.fullmatch(r"(?:([1-9])_)?(.*)", stem).groups()
    above = [plain_name(each) for each in parts[:-1]]
    if above and re.match("[1-9]_", above[-1]) and above[-1][2:] == bare:
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


def unrecognized(files, exercises, ours):
    """The files that can be no answer, and are neither of the repository, by their path, nor headers."""
    for path in files:
        *folders, name = path.split("/")
        ends = {"/".join([*folders[i:], name]) for i in range(len(folders) + 1)}
        hidden = ours & ends or any(each.startswith(".") for each in [*folders, name])
        if not hidden and not is_header(name) and not meant_by(path, exercises):
            yield path


def find_answer(files, exercise, exercises, chosen):
    best, unclear = {}, []
    for path, data in sorted(files.items()):
        meant = dict(meant_by(path, exercises))
        if exercise not in meant:
            continue
        if len(meant) == 1:
            best.setdefault(meant[exercise], {})[path] = data
        elif [each for each in meant if each in chosen] == [exercise]:
            best.setdefault(3, {})[path] = data
        else:
            unclear.append(path)
    wanted = f"{exercise.chapter}/{exercise.name.rsplit('.', 1)[0]}/{exercise.bare}"
    closed = [path for path, data in files.items() if data == CLOSED]
    if not best and closed:
        return Found(problem="not checked", note=f"{closed[0]} {CLOSED}: a .zip can be, or the files by themselves")
    if not best:
        if unclear:
            return Found(problem="not recognized", note=f"{unclear[0]} may be of another exercise")
        return Found(problem="missing", note=f"no file {wanted}")
    fit = min(best)
    paths = best.pop(fit)
    if len(set(paths.values())) > 1:
        return Found(problem="several files", note=", ".join(paths))
    path, text = next(iter(paths.items()))
    if isinstance(text, str):
        return Found(problem="not checked", note=f"{path} {text}")
    folder = path.rpartition("/")[0]
    beside = {pathlib.PurePath(each).name: data for each, data in files.items() if each.rpartition("/")[0] == folder}
    headers = {name: data for name, data in beside.items() if is_header(name) and isinstance(data, bytes)}
    headers.pop(exercise.bare.rsplit(".", 1)[0] + ".hpp", None)  # the contract is ours
    unused = next((each for nearly in best.values() for each, data in nearly.items() if data != text), "")
    return Found(path, text, headers, "", path if fit > 1 or len(paths) > 1 or unused else "", unused)


def tokens_of(text):
    """Without comments and includes. No pattern may take long for any text."""
    text = text.decode("utf-8-sig", "replace")
    text = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*#[ \t]*include[^\n]*", " ", text, flags=re.S | re.M)
    return re.findall(r'"(?:\\.|[^"\\\n])*"?|[A-Za-z_]\w*|[0-9][\w.\']*|\S', text)


def words_of(text):
    return collections.Counter(tokens_of(text))


def shape(text):
    """The same for two answers that differ in layout, comments and names only."""
    names, tokens = {}, [""]
    for token in tokens_of(text):
        is_name = re.match(r"[A-Za-z_]", token) and token not in KEYWORDS
        if is_name and not (tokens[-1] == "." and token in "xyz"):  # of threadIdx
            token = names.setdefault(token, f"n{len(names)}")
        tokens.append(token)
    return " ".join(tokens)
