#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""own_pictures.py PROGRAM BITS: chapter 09's program on pictures of all kinds, good and bad, made here; and files of
chapter 10's, there and back.

A bad one must give one line that says what is wrong, exit status 2, and no file, not even half of one.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
BITS = pathlib.Path(sys.argv[2]).resolve()
failures = 0
runs = 0


def complain(what, why, result=None):
    global failures
    failures += 1
    print(f"FAILED: {what}: {why}")
    if result is not None:
        print("".join(f"  out| {line}\n" for line in result.stdout.splitlines())
              + "".join(f"  err| {line}\n" for line in result.stderr.splitlines()))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, color_type=2, depth=8, extra=b"", rows=None):
    """Shades; color_type 0: gray, 2: RGB, 3: palette, 4: gray and alpha, 6: RGB and alpha."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color_type] * (depth // 8)
    data = b"".join(b"\0" + bytes((7 * x + 11 * y) % (4 if color_type == 3 else 256) for x in range(width * samples))
                    for y in range(rows if rows is not None else height))
    palette = chunk(b"PLTE", bytes(range(12))) if color_type == 3 else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, 0))
            + extra + palette + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def segment(marker, data):
    return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data


def jpeg_header(width, height, components, precision=8):
    """Up to where the data would begin."""
    ids = range(1, components + 1)
    return (b"\xff\xd8" + (segment(0xEE, b"Adobe\0\x64\0\0\0\0\0") if components == 4 else b"")
            + segment(0xDB, b"\0" + bytes([1] * 64))
            + segment(0xC0, struct.pack(">BHHB", precision, height, width, components)
                      + b"".join(bytes((i, 0x11, 0)) for i in ids))
            + segment(0xDA, bytes((components,)) + b"".join(bytes((i, 0)) for i in ids) + b"\0\x3f\0"))


def pnm(kind, width, height, largest=255):
    samples = width * height * (3 if kind == "P6" else 1)
    return f"{kind}\n{width} {height}\n{largest}\n".encode() + bytes(i * 5 % 256 for i in range(samples))


def size_of_png(file):
    data = file.read_bytes()
    return struct.unpack(">II", data[16:24])


def run(folder, *arguments, program=PROGRAM):
    global runs
    runs += 1
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def good(folder, name, data, *options, words=()):
    (folder / name).write_bytes(data)
    result = run(folder, "--image", name, "--output", "out.jpg", "--panels", "out.png", *options)
    what = " ".join((name, *options))
    if result.returncode != 0 or result.stderr:
        complain(what, f"exit status {result.returncode}", result)
        return
    for word in ("verified against the serial definition", *words):
        if word not in result.stdout:
            complain(what, f"'{word}' is not in the output", result)
    jpeg = (folder / "out.jpg").read_bytes()
    if not (jpeg.startswith(b"\xff\xd8\xff\xe0") and jpeg.endswith(b"\xff\xd9")):
        complain(what, "the JPEG is none")
    for panels in ("out.png", "out_first.png"):
        if min(size_of_png(folder / panels)) < 2:
            complain(what, f"{panels} is too small")
    # What was written can be read again.
    again = run(folder, "--image", "out.jpg", "--quality", "100")
    if again.returncode != 0:
        complain(what, "the JPEG cannot be read again", again)
    for file in ("out.jpg", "out.png", "out_first.png", name):
        (folder / file).unlink()


def bad(folder, name, data, *options, words):
    if data is not None:
        (folder / name).write_bytes(data)
    before = sorted(os.listdir(folder))
    result = run(folder, "--image", name, "--output", "out.jpg", "--panels", "out.png", *options)
    what = " ".join((name, *options))
    if result.returncode != 2:
        complain(what, f"exit status {result.returncode} instead of 2", result)
    if result.stderr.count("\n") != 1:
        complain(what, "the message is not one line", result)
    for word in words:
        if word not in result.stderr:
            complain(what, f"'{word}' is not in the message", result)
    left = sorted(set(os.listdir(folder)) - set(before))
    if left:
        complain(what, f"left behind: {' '.join(left)}", result)
    if data is not None:
        (folder / name).unlink()


def try_all(folder):
    good(folder, "color.png", png(50, 34), words=("50 x 34, color", "4:2:0", "bits per pixel (24 before)"))
    good(folder, "color.png", png(50, 34), "--sampling", "444", "--quality", "95", words=("quality  95, 4:4:4",))
    good(folder, "gray.png", png(50, 34, 0), "--quality", "10", words=("50 x 34, gray", "quality  10, gray"))
    good(folder, "palette.png", png(20, 20, 3), words=("color",))
    for width, height in ((1, 1), (7, 9), (9, 7), (1, 17), (17, 1)):
        good(folder, "small.png", png(width, height), words=(f"{width} x {height}",))
        good(folder, "small.pgm", pnm("P5", width, height), "--quality", "1", words=(f"{width} x {height}",))
        good(folder, "small.ppm", pnm("P6", width, height), "--sampling", "444", words=(f"{width} x {height}",))
    good(folder, "just.pgm", pnm("P5", 32, 32), "--max-image", "1KiB", words=("32 x 32",))

    (folder / "whole.pgm").write_bytes(pnm("P5", 64, 64))
    run(folder, "--image", "whole.pgm", "--output", "whole.jpg")
    jpeg = (folder / "whole.jpg").read_bytes()
    (folder / "folder").mkdir()

    bad(folder, "missing.png", None, words=("missing.png", "no such file"))
    bad(folder, "folder", None, words=("folder",))
    bad(folder, "empty.png", b"", words=("empty.png",))
    bad(folder, "truncated.png", png(50, 34)[:-40], words=("truncated",))
    bad(folder, "rows_missing.png", png(50, 34, rows=20), words=("rows_missing.png",))
    bad(folder, "truncated.jpg", jpeg[:-100], words=("truncated",))
    bad(folder, "damaged.png", png(50, 34).replace(b"IDAT", b"IDAT\1", 1), words=("damaged",))
    bad(folder, "truncated.pgm", pnm("P5", 50, 34)[:-1], words=("truncated",))
    bad(folder, "zero.png", png(0, 5), words=("zero.png",))
    bad(folder, "zero.pgm", b"P5\n0 5\n255\n", words=("zero.pgm",))
    bad(folder, "zero.jpg", jpeg_header(0, 5, 3), words=("0",))
    bad(folder, "deep.png", png(9, 9, 2, 16), words=("16 bits",))
    bad(folder, "deep.pgm", pnm("P5", 9, 9, 65535), words=("65",))
    bad(folder, "deep.jpg", jpeg_header(9, 9, 3, 12), words=("8",))
    bad(folder, "alpha.png", png(9, 9, 6), words=("transparen",))
    bad(folder, "gray_alpha.png", png(9, 9, 4), words=("transparen",))
    bad(folder, "animated.png", png(9, 9, extra=chunk(b"acTL", struct.pack(">II", 2, 0))), words=("animat",))
    bad(folder, "cmyk.jpg", jpeg_header(9, 9, 4), words=("CMYK",))
    bad(folder, "text.png", b"not a picture\n", words=("text.png",))
    bad(folder, "moving.gif", b"GIF89a" + bytes(40), words=("GIF",))
    # Only a header: nothing of that size may be asked for, or waited for.
    bad(folder, "huge.png", png(30000, 30000, rows=1), words=("30,000 x 30,000", "GiB"))
    bad(folder, "huge.jpg", jpeg_header(30000, 30000, 3), words=("30,000 x 30,000", "GiB"))
    bad(folder, "huge.pgm", b"P5\n30000 30000\n255\nx", words=("truncated",))
    bad(folder, "just.pgm", pnm("P5", 33, 32), "--max-image", "1KiB", words=("33 x 32", "1 KiB"))
    bad(folder, "long.pgm", pnm("P5", 65501, 1), words=("long.pgm: a JPEG", "65,500"))

    bad(folder, "whole.pgm", None, "--csv", "", words=("--csv has an empty value",))
    bad(folder, "whole.pgm", None, "--quality", "0", words=("1 to 100",))
    bad(folder, "whole.pgm", None, "--sampling", "422", words=("444 or 420",))
    bad(folder, "whole.pgm", None, "--variant", "rate_distortion", words=("leave out --output",))
    bad(folder, "whole.pgm", None, "--variant", "tie", words=("'tie'",))
    bad(folder, "whole.pgm", None, "--picture", "a.svg", words=("rate_distortion",))
    flat = folder / "flat.pgm"
    flat.write_bytes(b"P5\n8 8\n255\n" + bytes([128] * 64))
    result = run(folder, "--image", "flat.pgm", "--variant", "rate_distortion", "--picture", "rd.svg")
    if result.returncode != 2 or "no curve" not in result.stderr or (folder / "rd.svg").exists():
        complain("a curve of what no quality loses", f"exit status {result.returncode} instead of 2", result)
    if run(folder, "--image", "flat.pgm", "--variant", "rate_distortion").returncode != 0:
        complain("a table of what no quality loses", "it is refused")
    flat.unlink()
    (folder / "out_first.png").write_bytes(png(9, 9))
    bad(folder, "out_first.png", None, words=("out_first.png", "another name"))
    (folder / "out_first.png").unlink()

    result = run(folder, "--image", "whole.pgm", "--variant", "rate_distortion", "--picture", "rd.svg", "--csv", "rd.csv")
    rows = (folder / "rd.csv").read_text().splitlines() if result.returncode == 0 else []
    if len(rows) < 8 or "bits_per_pixel" not in rows[0] or not (folder / "rd_ssim.svg").exists():
        complain("rate_distortion", "no table or no charts", result)
    for file in ("rd.svg", "rd_ssim.svg", "rd.csv", "whole.pgm", "whole.jpg"):
        (folder / file).unlink(missing_ok=True)
    left = os.listdir(folder)
    if left != ["folder"]:
        complain("at the end", f"left behind: {left}")


def there_and_back(folder):
    """Chapter 10's program: a file without restart markers and one with several, and what they decode to."""
    (folder / "a.ppm").write_bytes(pnm("P6", 20, 33))
    for every, sampling, intervals in (("0", "444", "1 restart interval"), ("2", "420", "3 restart intervals")):
        what = f"10_bits, a restart marker every {every}"
        made = run(folder, "--image", "a.ppm", "--restart", every, "--sampling", sampling, "--output", "a.jpg", "--csv",
                   "a.csv", program=BITS)
        if made.returncode != 0:
            complain(what, f"exit status {made.returncode}", made)
            continue
        names, values = (line.split(",") for line in (folder / "a.csv").read_text().splitlines())
        if dict(zip(names, values)).get("sampling") != ":".join(sampling):
            complain(what, "the table does not have the sampling", made)
        read = run(folder, "--decode", "a.jpg", "--output", "a.png", program=BITS)
        if read.returncode != 0 or not any(line.endswith(", " + intervals) for line in read.stdout.splitlines()):
            complain(what, f"'{intervals}' is not in the output", read)
        elif size_of_png(folder / "a.png") != (20, 33):
            complain(what, "the decoded picture has another size")
        (folder / "a.png").unlink(missing_ok=True)
    (folder / "b.jpg").write_bytes((folder / "a.jpg").read_bytes()[:-40])
    cut = run(folder, "--decode", "b.jpg", "--output", "b.png", program=BITS)
    if cut.returncode != 2 or (folder / "b.png").exists():
        complain("10_bits, a file cut short", "it is decoded", cut)


with tempfile.TemporaryDirectory() as scratch:
    try_all(pathlib.Path(scratch))
with tempfile.TemporaryDirectory() as scratch:
    there_and_back(pathlib.Path(scratch))
print(f"{runs} runs, {failures} failures")
sys.exit(failures != 0 or runs < 60)
