# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Which tool finds which mistake? Every mistake of every chapter's broken.cu, alone, under each of them.

    docs/record/measure faults FOLDER            on a machine with an NVIDIA GPU: builds for it and for the emulated device
    docs/record/measure faults --half gpu FOLDER          only what the GPU's tools say: gpu.csv and record.json
    docs/record/measure faults --half emulated FOLDER     only what the emulated device says: emulated.csv, on any machine
    docs/record/measure faults --merge FOLDER             makes the tables of a folder that holds both halves

Each mistake is used once, in its own process, on arrays that end where the data ends: on the emulated device, on the GPU,
and on the GPU under the four tools of compute-sanitizer. The checks of its chapter judge it, too. FOLDER gets

    faults.csv      one row for each mistake: chapter, mistake, what it does, result (on the GPU), and what each tool finds
    summary.csv     how many mistakes each tool finds

The two halves, with the first thing that each tool says, stay in build/record/NAME; with --half and --merge they are in FOLDER.

In gpu.csv and emulated.csv, "silent" means that a tool has looked and found nothing, and "no answer" that it did not end
in time or did not end normally.

    --programs FOLDER   where the programs faults_NN are; nothing is built then. For one half only
    --jobs N            N processes at a time (they do not measure time)
    --limit S           seconds for each process

Status 1 if nothing rejects a mistake, or if a tool reports something in a kernel without a mistake.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import records  # noqa: E402
from records import Problem  # noqa: E402

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
HALVES = {
    "emulated": ("chapter", "mistake", "result", "found", "message", "checks", "checks_message"),
    "gpu": ("chapter", "mistake", "result", "checks", "checks_message")
    + tuple(column for name in TOOLS for column in (name, name + "_message")),
}


# --- what is wrong, in the words of the chapters ---------------------------------------------------------------


def mistakes_of(text):
    """{name: what it does} of a broken.hpp: enumerators with ///< behind them, or functions with /// before them."""
    found = {}
    for name, what in re.findall(r"^ +(\w+),? *///< *(.+)$", text, re.MULTILINE):
        found[name] = what.strip()
    if not found:
        for comment, name in re.findall(r"((?:^/// .*\n)+)void (\w+)\(", text, re.MULTILINE):
            words = " ".join(line[4:] for line in comment.splitlines())
            found[name] = words.strip()
    return found


def chapters_mistakes(root):
    """{chapter: {name: what it does}}, of kernels only."""
    chapters = root / "chapters"
    return {
        path.relative_to(chapters).parts[0][:2]: mistakes_of(path.with_suffix(".hpp").read_text(encoding="utf-8"))
        for path in sorted(chapters.glob("[0-9][0-9]_*/**/broken.cu"))
    }


def is_none(mistake):
    """Kernels without a mistake, which nothing may refuse."""
    return mistake == "none" or mistake.startswith("none_")


# --- what the tools say ----------------------------------------------------------------------------------------


def sanitizer_answer(output):
    """(short, first line) of what compute-sanitizer printed; None if it did not come to its end."""
    lines = [line[9:].strip() for line in output.splitlines() if line.startswith("=========")]
    summary = next((line for line in reversed(lines) if "SUMMARY" in line), None)
    if summary is None:
        return None
    counts = [int(number) for number in re.findall(r"(\d+) (?:errors?|warnings?|hazards?)\b", summary)]
    if not any(counts):
        return "silent", ""
    wanted = r"Invalid|Uninitialized|Race reported|hazard detected|Barrier error|Program hit|Error:|Warning:|misaligned"
    message = next((line for line in lines if re.search(wanted, line) and "SUMMARY" not in line), summary)
    if "is misaligned" in output:
        return "misaligned access", message
    space = {"__global__": "global", "__shared__": "shared", "__local__": "local"}
    if found := re.search(r"Invalid (\S+) (read|write|atomic)", message):
        return f"out of bounds: {space.get(found[1], found[1])} {found[2]}", message
    if found := re.search(r"Uninitialized (\S+) memory", message):
        return f"unwritten {space.get(found[1], found[1])} memory", message
    if "Race reported" in message or "hazard" in message:
        return "race", message
    if "Barrier error" in message:
        return "divergent barrier", message
    if found := re.search(r"Program hit (\w+)", message):
        return found[1], message
    return "something else", message


def emulated_answer(status, output):
    """(short, first line) of what the emulated device printed; None if the program ended in another way."""
    found = re.search(r"^(?:\S+?:\d+: )?error: (.*?)(?: in (?:kernel )?\S+.*)?$", output, re.MULTILINE)
    if status == 1 and found:
        return found[1], found[0].strip()
    return ("silent", "") if status == 0 else None


def result_of(output):
    """'right', 'wrong: 12 of 600 outputs' or 'error: ...', as faults_NN ends; '' if it did not."""
    lines = re.findall(r"^(?:right$|wrong: .*|error: .*)", output, re.MULTILINE)
    return lines[-1] if lines else ""


def checks_of(output):
    """(kind of check that refuses, its words)."""
    found = re.search(r"^refused by (.+?): (.*)", output, re.MULTILINE)
    if found:
        return found[1], found[2]
    return ("accepted", "") if re.search(r"^accepted$", output, re.MULTILINE) else ("no answer", "")


# --- running ---------------------------------------------------------------------------------------------------


def run(command, limit):
    """(exit status, output); the status is None after the time limit. Only this process is ended then."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("EMULATOR_")}
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
            env=environment,
        )
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode("utf-8", "replace")
    except OSError as error:
        raise Problem(f"{command[0]} could not be started: {error.strerror}") from None
    return done.returncode, done.stdout.decode("utf-8", "replace")


def all_mistakes(programs, root=records.ROOT):
    """[(program, chapter, name)]. The programs know exactly the mistakes of the chapters."""
    found = []
    for chapter, known in chapters_mistakes(root).items():
        program = programs / f"faults_{chapter}"
        if not program.is_file():
            raise Problem(f"{program} was not found: build the target 'faults' first")
        status, output = run([program, "--list"], 60)
        names = output.split()
        if status != 0 or sorted(names) != sorted(known):
            different = sorted(set(names) ^ set(known))
            raise Problem(f"{program} --list and the chapter's broken.hpp differ: {' '.join(different)}")
        found += [(program, chapter, name) for name in known]
    return found


def without_paths(text):
    """Paths of the machine are nobody's business."""
    return re.sub(r"/\S+/(?=(?:chapters|common|tests|bin)/)", "", text).replace(str(records.ROOT) + "/", "")


def emulated_row(program, chapter, name, limit):
    status, output = run([program, name], limit)
    answer = emulated_answer(status, output) or ("no answer", output.strip().splitlines()[-1:] or "")
    row = {"chapter": chapter, "mistake": name, "result": result_of(output), "found": answer[0], "message": answer[1]}
    if answer[0] == "silent":  # otherwise the checks would end at what was found
        status, output = run([program, "--check", name], limit)
        row["checks"], row["checks_message"] = checks_of(output)
        seen = emulated_answer(status, output)
        if seen and seen[0] != "silent":  # on the arrays of a check, but not on those of a single use
            row["found"], row["message"] = seen[0] + " (in a check)", seen[1]
    return {key: without_paths(str(value)) for key, value in row.items()}


def gpu_jobs(program, name, sanitizer):
    """{column: command}"""
    jobs = {"result": [program, name], "checks": [program, "--check", name]}
    for each in TOOLS:
        jobs[each] = [sanitizer, "--tool", each, program, name]
    return jobs


def gpu_answer(column, output):
    """The cells that one command fills."""
    if column == "result":
        return {"result": result_of(output) or "no answer"}
    if column == "checks":
        short, message = checks_of(output)
    else:
        short, message = sanitizer_answer(output) or ("no answer", "")
    return {column: short, column + "_message": message}


def make_half(half, folder, programs, jobs, limit):
    mistakes = all_mistakes(programs)
    path = folder / f"{half}.csv"
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        if half == "emulated":
            rows = list(pool.map(lambda one: emulated_row(*one, limit), mistakes))
        else:
            sanitizer = records.tool("compute-sanitizer")
            tasks = [
                (chapter, name, column, command)
                for program, chapter, name in mistakes
                for column, command in gpu_jobs(program, name, sanitizer).items()
            ]
            answers = pool.map(lambda task: gpu_answer(task[2], run(task[3], limit)[1]), tasks)
            by_mistake = {(chapter, name): {"chapter": chapter, "mistake": name} for _, chapter, name in mistakes}
            for (chapter, name, *_), cells in zip(tasks, answers):
                by_mistake[chapter, name].update({k: without_paths(v) for k, v in cells.items()})
            rows = list(by_mistake.values())
    records.write_csv(path, HALVES[half], rows)
    print(f"{path.name}: {len(rows)} mistakes", flush=True)


# --- the tables ------------------------------------------------------------------------------------------------


def merged(gpu, emulated, known):
    """Rows of faults.csv, those without a mistake left out; [problem] with what should not be."""
    on_gpu = {(row["chapter"], row["mistake"]): row for row in gpu}
    rows, problems = [], []
    for ours in emulated:
        key = ours["chapter"], ours["mistake"]
        what = known.get(key[0], {}).get(key[1])
        if key not in on_gpu or what is None:
            raise Problem(f"chapter {key[0]}, {key[1]}: not in both halves, or not in the chapter any more")
        theirs = on_gpu[key]
        counted = ours["checks"] == "counts"
        quiet = ours["found"] == "silent" or ours["found"].endswith("(in a check)")
        answers = {
            "checks": "" if theirs["checks"] == "accepted" else theirs["checks"],
            # What it finds on the arrays of a check is not held against tools that see a single use.
            "emulated": "counts" if counted else "" if quiet else ours["found"],
            **{name: "" if theirs[name] == "silent" else theirs[name] for name in TOOLS},
        }
        found = any(text and text != "no answer" for text in answers.values())
        if is_none(key[1]) == found:
            problems.append(f"chapter {key[0]}, {key[1]}: " + ("something is found" if found else "nothing finds it"))
        if is_none(key[1]):
            continue
        result = theirs["result"].split(":")[0]
        rows.append({"chapter": key[0], "mistake": key[1], "what": what, "result": result, **answers})
    return rows, problems


def summary(rows):
    """How many of the mistakes each one finds, and how many only this one."""
    names = ("checks", "emulated", *TOOLS)
    found = {name: [row[name] not in ("", "no answer") for row in rows] for name in names}
    sanitizer = [any(row[name] not in ("", "no answer") for name in TOOLS) for row in rows]
    lines = []
    for name in names:
        others = [n for n in names if n != name]
        alone = sum(all(not found[n][i] for n in others) for i, hit in enumerate(found[name]) if hit)
        by = "emulated device" if name == "emulated" else name
        lines.append({"by": by, "mistakes": len(rows), "found": sum(found[name]), "found_by_it_alone": alone})
    lines.append({"by": "compute-sanitizer, all four", "mistakes": len(rows), "found": sum(sanitizer)})
    right = [i for i, row in enumerate(rows) if row["result"] == "right"]
    for line in lines:
        hits = sanitizer if line["by"].startswith("compute") else found[line["by"].split()[0]]
        line["right_results"], line["found_of_these"] = len(right), sum(hits[i] for i in right)
    return lines


def merge(folder, halves):
    gpu, emulated = (records.read_csv(halves / f"{half}.csv", HALVES[half]) for half in ("gpu", "emulated"))
    rows, problems = merged(gpu, emulated, chapters_mistakes(records.ROOT))
    columns = ("chapter", "mistake", "what", "result", "checks", "emulated", *TOOLS)
    records.write_csv(folder / "faults.csv", columns, rows)
    lines = summary(rows)
    records.write_csv(folder / "summary.csv", tuple(lines[0]), lines)
    for line in lines:
        print(f"{line['by']:28} finds {line['found']:3} of {line['mistakes']}")
    for problem in problems:
        print(f"docs/record/measure faults: {problem}", file=sys.stderr)
    return 1 if problems else 0


def make_record(options):
    halves = [options.half] if options.half else ["gpu", "emulated"]
    if "gpu" in halves:
        record = records.facts("measure faults", options.folder)
        records.new_folder(options.folder)
    options.folder.mkdir(parents=True, exist_ok=True)
    place = options.folder if options.half else records.raw_folder(options.folder)
    for half in halves:
        programs = options.programs or records.build(half, ["faults"])
        make_half(half, place, programs, options.jobs, options.limit)
    if "gpu" in halves:
        records.save_facts(options.folder, record)
    return 0 if options.half else merge(options.folder, place)


def main(arguments=None):
    parser = records.parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--half", choices=sorted(HALVES))
    parser.add_argument("--merge", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--jobs", type=int, default=max(1, min(8, (os.cpu_count() or 2) // 2)), metavar="N")
    parser.add_argument("--limit", type=float, default=120, metavar="S")
    options = parser.parse_args(arguments)
    if options.programs and not options.half:
        parser.error("--programs is for one half: --half gpu or --half emulated")
    if options.merge and options.half:
        parser.error("--merge makes no half")
    return records.ending("measure faults", lambda: merge(options.folder, options.folder) if options.merge else make_record(options))


if __name__ == "__main__":
    sys.exit(main())
