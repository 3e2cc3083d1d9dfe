# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The committed sample inputs, read independently of the generator."""

import pathlib
import re
import struct
import unittest
import zlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"


def numbers(name):
    return [float(word) for word in (DATA / name).read_text().split()]


def picture(name):
    """(width, height, channels, rows of bytes) of an 8-bit PNG without interlacing."""
    data, at, packed = (DATA / name).read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body), name
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (depth, interlace) == (8, 0)
            channels = {0: 1, 2: 3}[color]
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    stream, stride, previous, rows = zlib.decompress(packed), width * channels, bytes(width * channels), []
    for j in range(height):
        kind, line = stream[j * (stride + 1)], bytearray(
            stream[j * (stride + 1) + 1 : (j + 1) * (stride + 1)]
        )
        for i in range(stride):
            a = line[i - channels] if i >= channels else 0
            b, c = previous[i], previous[i - channels] if i >= channels else 0
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            paeth = a if pa <= pb and pa <= pc else b if pb <= pc else c
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        rows.append(bytes(line))
        previous = bytes(line)
    return width, height, channels, rows


class Contents(unittest.TestCase):
    def pulses(self):
        """The samples, and that the file is as NumPy writes it."""
        data = (DATA / "pulses.npy").read_bytes()
        self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
        size = struct.unpack("<H", data[8:10])[0]
        self.assertEqual((10 + size) % 64, 0, "the samples must begin at a multiple of 64 bytes")
        header = data[10 : 10 + size].decode()
        self.assertRegex(header, r"'descr': '<f8', 'fortran_order': False, 'shape': \(4096,\)")
        return list(struct.unpack("<4096d", data[10 + size :]))

    def test_pulses_look_measured(self):
        x = self.pulses()
        self.assertEqual(x, [round(sample, 2) for sample in x], "two decimals")
        steps = [abs(a - b) for a, b in zip(x, x[1:])]
        self.assertLess(sorted(x)[len(x) // 2], 40, "the baseline is the most common value")
        self.assertGreater(max(x), 70, "there are high pulses")
        self.assertGreater(sum(step > 20 for step in steps), 14, "pulses and spikes rise steeply")
        self.assertTrue(0.5 < sorted(steps)[len(steps) // 2] < 3, "noise between neighbors")

    def test_filters(self):
        self.assertEqual(numbers("smooth5.txt"), [0.2] * 5)
        h = numbers("smooth31.txt")
        self.assertEqual(len(h), 31)
        self.assertEqual(h, h[::-1])
        self.assertAlmostEqual(sum(h), 1, delta=1e-12)
        echo = numbers("echo.txt")
        taps = [tap for tap in echo if tap]
        self.assertEqual((len(echo), len(taps), len(set(taps))), (241, 5, 5))
        self.assertNotEqual(echo, echo[::-1])

    def test_pictures(self):
        for name, size in (("gray.png", (512, 384, 1)), ("color.png", (768, 512, 3))):
            width, height, channels, rows = picture(name)
            self.assertEqual((width, height, channels), size, name)
            self.assertLess((DATA / name).stat().st_size, 600 * 1024, name)
            values = b"".join(rows)
            self.assertGreater(len(set(values)), 180, f"{name} uses few levels")
            self.assertTrue(80 < sum(values) / len(values) < 170, f"{name} is too dark or too bright")

    def test_every_file_is_described(self):
        described = set(re.findall(r"^\| `([\w.]+)` \|", (DATA / "README.md").read_text(), re.M))
        present = {path.name for path in DATA.iterdir() if path.suffix in (".npy", ".txt", ".png")}
        self.assertEqual(described, present)


if __name__ == "__main__":
    unittest.main()
