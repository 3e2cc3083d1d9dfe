# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Makes the book: the reference from the code, the pages by Sphinx, and the pages on which one steps through a kernel.

    make_book.py --output DIR [--emulated DIR] [--strict]

OUTPUT/html gets the book, OUTPUT/work what it is made of. --emulated: a build for the emulated device, which makes the
pages of steps; without it, links to them lead to the programs. --strict: no book where something is doubtful.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import pages  # noqa: E402
import reference  # noqa: E402
import slides  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FONT = "/usr/share/fonts/opentype/stix-word/STIXMath-Regular.otf"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True)
    parser.add_argument("--emulated")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args(arguments)
    output = pathlib.Path(options.output).resolve()
    work, book = output / "work", output / "html"
    for folder in (work, book):
        shutil.rmtree(folder, ignore_errors=True)
    source = work / "source"
    source.mkdir(parents=True)
    (book / "steps").mkdir(parents=True)
    programs = pages.addresses_of_steps(ROOT) if options.emulated else {}
    drawn = concurrent.futures.ThreadPoolExecutor().submit(
        pages.draw_all_steps, ROOT, options.emulated, {book / (address + ".html"): program for address, program in programs.items()}
    )
    for name in ("README.md", "CONTRIBUTING.md", "THIRD_PARTY.md", "chapters", "common", "docs", "data"):
        (source / name).symlink_to(ROOT / name)
    (source / "index.md").symlink_to(HERE / "start.md")
    for page in pages.LONG:
        for name, text in pages.parts(pages.read(ROOT, page))[1:]:
            place = source / page.partition("/")[2] / (name + ".md")  # as deep as docs/: links stay right
            place.parent.mkdir(exist_ok=True)
            place.write_text(re.sub(r"(!\[[^\]]*\]\()(?!\.\./)", r"\1../docs/", text), encoding="utf-8")
    names = reference.write(ROOT, work / "doxygen", source)
    (work / "names.json").write_text(json.dumps(names), encoding="utf-8")
    (work / "sources.json").write_text(json.dumps(reference.sources(ROOT)), encoding="utf-8")
    environment = os.environ | {"BOOK_WORK": str(work), "BOOK_STEPS": "1" if options.emulated else ""}
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-E", "-c", HERE, "-d", work / "doctrees", "-b", "html", source, book]
    if options.strict:
        sphinx[3:3] = ["-W", "--keep-going"]
    if subprocess.run(sphinx, env=environment).returncode:
        return 1
    drawn.result()
    if slides.main([str(book / "slides")]):
        return 1
    for address, program in programs.items():
        page, (chapter, _, name) = book / (address + ".html"), program.partition("/pictures/")
        for lesson in (f"{chapter}/README", f"{chapter}/more"):
            before, found, _ = pages.read(ROOT, lesson).partition(f"](pictures/{name})")
            if found:
                break
        lesson += ".html#" + pages.slug(re.findall(r"(?m)^##+ (.*)", before)[-1])
        text = page.read_text(encoding="utf-8").replace('{"format":1,', f'{{"format":1,"lesson":"../{lesson}",', 1)
        page.write_text(text, encoding="utf-8")
    shutil.copyfile(FONT, book / "_static/formulas.otf")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
