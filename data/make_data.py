#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Makes every sample input of this folder, the same in every run; needs only Python 3.

    data/make_data.py             write all files
    data/make_data.py --check     write nothing; status 1 if a file differs from what would be written

Signals are rounded to what a digitizer would record and filters to a few decimals, so that the last bit of a
math library does not matter. The pictures are painted here: shapes with soft edges, textures from hashed
integers, and letters of a 5x7 font that stands below.
"""

import math
import pathlib
import random
import struct
import sys
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent


# --- signals and filters ------------------------------------------------------------------------------------

def pulse_train(length=4096, seed=1822):
    """Millivolts, as a detector and its amplifier might give: pulses that rise in two samples and decay
    exponentially, sometimes one on top of another; a drifting baseline; noise; a few one-sample spikes."""
    rng = random.Random(seed)
    signal = [0.0] * length
    walk = 0.0
    for n in range(length):
        walk = 0.998 * walk + rng.gauss(0, 0.12)
        signal[n] = 12 + 3.5 * math.sin(2 * math.pi * n / 2900 + 0.6) + 0.0009 * n + walk + rng.gauss(0, 1.1)
    arrival = 40.0
    while arrival < length:
        height = 12 + 70 * rng.random() ** 2.2
        decay = rng.choice((14.0, 22.0, 35.0)) * (0.9 + 0.2 * rng.random())
        for n in range(int(arrival), min(length, int(arrival + 12 * decay))):
            t = n - arrival
            signal[n] += height * 1.15 * (math.exp(-t / decay) - math.exp(-t / 1.8))
        arrival += 18 + rng.expovariate(1 / 75)
    for n in sorted(rng.sample(range(100, length - 100), 7)):
        signal[n] += rng.choice((-1, 1)) * (25 + 30 * rng.random())
    return [round(value, 2) for value in signal]


def gaussian_taps(radius=15, sigma=5.0):
    """2*radius + 1 taps with six decimals that add up to one."""
    weights = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-radius, radius + 1)]
    taps = [round(weight / sum(weights), 6) for weight in weights]
    taps[radius] = round(taps[radius] + 1 - sum(taps), 6)
    return taps


def echo_taps():
    """A direct sound and four echoes: asymmetric, every tap that is not zero different, long gaps between."""
    taps = [0.0] * 241
    for delay, gain in ((0, 1.0), (53, 0.62), (97, -0.41), (170, 0.27), (240, -0.13)):
        taps[delay] = gain
    return taps


def npy(values):
    """One-dimensional float64 in version 1.0 of the format."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() \
        + struct.pack(f"<{len(values)}d", *values)


def text(values):
    return "".join(f"{value:g}\n" for value in values).encode()


# --- painting -----------------------------------------------------------------------------------------------

FONT = {  # five columns, seven rows
    "A": "01110 10001 10001 11111 10001 10001 10001", "C": "01110 10001 10000 10000 10000 10001 01110",
    "D": "11110 10001 10001 10001 10001 10001 11110", "E": "11111 10000 10000 11110 10000 10000 11111",
    "F": "11111 10000 10000 11110 10000 10000 10000", "I": "01110 00100 00100 00100 00100 00100 01110",
    "N": "10001 11001 10101 10101 10011 10001 10001", "O": "01110 10001 10001 10001 10001 10001 01110",
    "P": "11110 10001 10001 11110 10000 10000 10000", "R": "11110 10001 10001 11110 10100 10010 10001",
    "S": "01111 10000 10000 01110 00001 00001 11110", "T": "11111 00100 00100 00100 00100 00100 00100",
    "U": "10001 10001 10001 10001 10001 10001 01110", "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111", "3": "11110 00001 00001 01110 00001 00001 11110",
    "5": "11111 10000 11110 00001 00001 10001 01110", "8": "01110 10001 10001 01110 10001 10001 01110",
    "0": "01110 10001 10011 10101 11001 10001 01110", ".": "00000 00000 00000 00000 00000 01100 01100",
}


def clamp(value):
    return 0.0 if value < 0 else 1.0 if value > 1 else value


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def hashed(x, y, seed=0):
    """A number in [0, 1) that looks random and depends on the integers only."""
    h = (x * 374761393 + y * 668265263 + seed * 2246822519) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((h ^ (h >> 16)) & 0xFFFF) / 65536


def noise(x, y, seed=0):
    """Smooth texture in [0, 1]: hashed values on a grid, blended in between."""
    i, j = math.floor(x), math.floor(y)
    u, v = x - i, y - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    top = hashed(i, j, seed) * (1 - u) + hashed(i + 1, j, seed) * u
    bottom = hashed(i, j + 1, seed) * (1 - u) + hashed(i + 1, j + 1, seed) * u
    return top * (1 - v) + bottom * v


class Canvas:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [[(0.0, 0.0, 0.0)] * width for _ in range(height)]

    def paint(self, box, coverage, color):
        """Blends color (or color(x, y)) where coverage(x, y) > 0; both are asked at the centers of pixels."""
        x0, y0, x1, y1 = box
        for row in range(max(0, math.floor(y0)), min(self.height, math.ceil(y1))):
            line, y = self.rows[row], row + 0.5
            for col in range(max(0, math.floor(x0)), min(self.width, math.ceil(x1))):
                x = col + 0.5
                alpha = coverage(x, y)
                if alpha > 0:
                    c = color(x, y) if callable(color) else color
                    line[col] = c if alpha >= 1 else mix(line[col], c, alpha)

    def fill(self, color, above=None):
        """The whole canvas, or what lies below the curve y = above(x)."""
        inside = (lambda x, y: 1.0) if above is None else (lambda x, y: clamp(y - above(x) + 0.5))
        self.paint((0, 0, self.width, self.height), inside, color)

    def circle(self, x, y, radius, color, soft=1.0, strength=1.0):
        reach = radius + soft
        self.paint((x - reach, y - reach, x + reach, y + reach),
                   lambda px, py: strength * clamp((radius - math.hypot(px - x, py - y)) / soft + 0.5), color)

    def polygon(self, points, color):
        """A convex polygon, clockwise on the screen."""
        edges = []
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
            size = math.hypot(bx - ax, by - ay)
            edges.append((ax, ay, -(by - ay) / size, (bx - ax) / size))

        def inside(x, y):
            return clamp(min((x - ax) * nx + (y - ay) * ny for ax, ay, nx, ny in edges) + 0.5)
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        self.paint((min(xs) - 1, min(ys) - 1, max(xs) + 1, max(ys) + 1), inside, color)

    def rectangle(self, x0, y0, x1, y1, color):
        self.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], color)

    def stroke(self, ax, ay, bx, by, thick, color):
        """A line with round ends."""
        length2 = (bx - ax) ** 2 + (by - ay) ** 2

        def inside(x, y):
            t = clamp(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2)
            return clamp(thick / 2 - math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) + 0.5)
        pad = thick + 1
        self.paint((min(ax, bx) - pad, min(ay, by) - pad, max(ax, bx) + pad, max(ay, by) + pad), inside, color)

    def letters(self, x, y, words, size, color):
        """Top left corner at (x, y); every dot of the font is size pixels wide."""
        for letter in words:
            for j, bits in enumerate(FONT.get(letter, "").split()):
                for i, bit in enumerate(bits):
                    if bit == "1":
                        left, top = x + i * size, y + j * size
                        self.rectangle(left, top, left + size, top + size, color)
            x += 6 * size


def png(canvas, channels):
    """8 bits per channel; each row filtered by whichever of the five PNG filters leaves the smallest values."""
    stride, previous, stream = channels, bytes(canvas.width * channels), bytearray()
    for row in canvas.rows:
        if channels == 1:
            current = bytes(round(255 * clamp(0.299 * r + 0.587 * g + 0.114 * b)) for r, g, b in row)
        else:
            current = bytes(round(255 * clamp(value)) for pixel in row for value in pixel)
        left = bytes(stride) + current[:-stride]
        corner = bytes(stride) + previous[:-stride]
        paeth = bytearray()
        for a, b, c in zip(left, previous, corner):
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            paeth.append(a if pa <= pb and pa <= pc else b if pb <= pc else c)
        mean = bytes((a + b) // 2 for a, b in zip(left, previous))
        guesses = (bytes(len(current)), left, previous, mean, paeth)
        filtered = [bytes((v - g) & 255 for v, g in zip(current, guess)) for guess in guesses]
        best = min(range(5), key=lambda kind: sum(min(v, 256 - v) for v in filtered[kind]))
        stream += bytes((best,)) + filtered[best]
        previous = current

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", canvas.width, canvas.height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(stream), 9)) \
        + chunk(b"IEND", b"")


# --- the two pictures ---------------------------------------------------------------------------------------

def cafe():
    """768 x 512 in color: an evening sky, hills, a brick house with a striped awning, a sign, a fence."""
    c = Canvas(768, 512)
    c.fill(lambda x, y: mix(mix((0.22, 0.36, 0.62), (0.62, 0.66, 0.78), clamp(y / 190)), (0.99, 0.80, 0.55),
                            clamp((y - 150) / 150)))
    c.circle(150, 168, 120, (1.0, 0.86, 0.60), soft=150, strength=0.55)
    c.circle(150, 168, 27, (1.0, 0.96, 0.82))

    def far(x):
        return 262 - 44 * math.exp(-((x - 235) / 120) ** 2) - 34 * math.exp(-((x - 640) / 160) ** 2) \
            + 5 * math.sin(x / 31)

    def middle(x):
        return 318 - 30 * math.sin(x / 190 + 2.6) + 4 * math.sin(x / 23 + 1)
    c.fill(lambda x, y: mix((0.47, 0.50, 0.64), (0.66, 0.62, 0.66), clamp((y - far(x)) / 90)), above=far)

    def meadow(x, y):
        rough = 0.55 * noise(x / 9, y / 4, 1) + 0.30 * noise(x / 3, y / 2, 2) + 0.15 * hashed(int(x), int(y), 3)
        return mix((0.23, 0.37, 0.22), (0.55, 0.60, 0.30), clamp(1.25 * rough - 0.12))
    c.fill(meadow, above=middle)
    for x, size in ((34, 30), (78, 22), (112, 26), (318, 24), (352, 19)):  # trees
        foot = middle(x) + 12
        c.stroke(x, foot, x, foot - size, 4, (0.28, 0.20, 0.15))
        for k in range(16):
            dx, dy = (hashed(k, x, 5) - 0.5) * size * 1.2, -size - (hashed(k, x, 6) - 0.2) * size * 1.1
            c.circle(x + dx, foot + dy, size * 0.34,
                     mix((0.13, 0.27, 0.17), (0.36, 0.49, 0.23), hashed(k, x, 7)), soft=1.5)

    def road(x, y):
        rough = 0.6 * noise(x / 5, y / 2, 8) + 0.4 * hashed(int(x), int(y), 9)
        return mix((0.52, 0.47, 0.42), (0.70, 0.65, 0.57), rough)
    c.fill(road, above=lambda x: 452 + 5 * math.sin(x / 90))

    def bricks(x, y):
        course = math.floor(y / 8)
        along = x + 9 * (course % 2)
        if y % 8 < 1.1 or along % 18 < 1.1:
            return (0.74, 0.66, 0.58)
        shade = hashed(math.floor(along / 18), course, 10)
        return mix((0.58, 0.27, 0.20), (0.72, 0.38, 0.27), shade)
    c.rectangle(420, 236, 700, 462, bricks)
    c.rectangle(420, 236, 700, 244, (0.36, 0.18, 0.15))

    def tiles(x, y):
        course = math.floor(y / 9)
        across = (x + 6 * (course % 2)) % 12 / 12
        light = clamp(0.9 * math.sin(math.pi * across) - 0.5 * (y % 9 < 1.3))
        return mix((0.24, 0.22, 0.27), (0.42, 0.37, 0.42), light)
    c.polygon([(452, 150), (668, 150), (722, 240), (398, 240)], tiles)
    c.rectangle(610, 112, 642, 176, bricks)
    c.rectangle(605, 106, 647, 116, (0.33, 0.30, 0.32))
    for k in range(9):  # smoke
        c.circle(628 + 7 * k + 6 * math.sin(k), 98 - 11 * k, 7 + 2.3 * k, (0.93, 0.90, 0.88), soft=9 + k,
                 strength=0.42 - 0.04 * k)

    c.rectangle(452, 254, 668, 292, (0.10, 0.24, 0.26))  # the sign
    c.rectangle(455, 257, 665, 289, (0.15, 0.34, 0.36))
    c.letters(462, 262.5, "CAFE FOURIER", 2.8, (0.98, 0.91, 0.70))

    for x in (440, 604):  # windows
        c.rectangle(x - 4, 344, x + 80, 420, (0.93, 0.90, 0.84))
        c.rectangle(x, 348, x + 76, 416,
                    lambda px, py: mix((1.0, 0.85, 0.52), (0.93, 0.62, 0.30), clamp((py - 348) / 80)))
        c.rectangle(x + 36.5, 348, x + 39.5, 416, (0.93, 0.90, 0.84))
        c.rectangle(x, 378.5, x + 76, 381.5, (0.93, 0.90, 0.84))
    for x, y, radius in ((621, 409, 9), (625, 397, 6.5)):  # somebody watches
        c.circle(x, y, radius, (0.25, 0.17, 0.16))
    for x in (620, 626.5):
        c.polygon([(x + 1.6, 388), (x + 3.6, 394), (x - 0.6, 394)], (0.25, 0.17, 0.16))
    c.rectangle(600, 416, 684, 420, (0.93, 0.90, 0.84))
    c.rectangle(530, 344, 590, 462, (0.20, 0.28, 0.25))
    c.rectangle(535, 349, 585, 458, (0.27, 0.42, 0.36))
    c.rectangle(542, 357, 578, 400, (0.98, 0.82, 0.50))
    c.circle(579, 412, 2.6, (0.95, 0.85, 0.45))
    white, red = (0.96, 0.94, 0.89), (0.76, 0.20, 0.19)

    def awning(x, y):
        return white if ((x - 560) / (1 + (y - 302) / 290) + 600) % 20 < 10 else red
    c.polygon([(430, 302), (690, 302), (706, 338), (414, 338)], awning)
    for k in range(21):
        c.circle(420.5 + 14 * k, 338, 7, red if k % 2 else white)

    c.polygon([(372, 400), (416, 400), (422, 470), (366, 470)], (0.30, 0.21, 0.16))  # the board in front
    c.polygon([(376, 405), (412, 405), (417, 460), (371, 460)], (0.13, 0.15, 0.16))
    c.letters(381, 412, "TEA", 1.6, (0.92, 0.93, 0.90))
    c.letters(381, 428, "2.50", 1.3, (0.99, 0.86, 0.55))
    c.letters(381, 443, "PIE 3", 1.1, (0.92, 0.93, 0.90))

    for x in range(6, 352, 11):  # the fence: fine regular strips
        c.polygon([(x, 412), (x + 3, 408), (x + 6, 412), (x + 6, 468), (x, 468)], (0.93, 0.92, 0.89))
    for y in (424, 450):
        c.rectangle(0, y, 354, y + 4, (0.83, 0.82, 0.79))
    c.stroke(718, 470, 718, 318, 5, (0.16, 0.17, 0.19))  # the lamp
    c.stroke(718, 318, 744, 312, 4, (0.16, 0.17, 0.19))
    c.circle(746, 320, 34, (1.0, 0.90, 0.62), soft=46, strength=0.5)
    c.circle(746, 320, 8, (1.0, 0.97, 0.84))
    for low in (125, 134):  # wires: thin lines over the sky
        height = [low - 0.00021 * (x - 360) ** 2 for x in range(0, 625, 24)]
        for k in range(len(height) - 1):
            c.stroke(24 * k, height[k], min(24 * k + 24, 610), height[k + 1], 1.0, (0.20, 0.24, 0.33))
    return c


def lighthouse():
    """512 x 384 in gray: a lighthouse with bands, rocks, waves, a boat, clouds, and a calm sky."""
    c = Canvas(512, 384)

    def gray(level):
        return (level, level, level)

    def sky(x, y):
        cloud = 0.6 * noise(x / 85, y / 24, 1) + 0.3 * noise(x / 34, y / 11, 2) + 0.1 * noise(x / 13, y / 6, 3)
        return gray(0.36 + 0.42 * clamp(y / 235) + 0.20 * clamp(2.6 * cloud - 1.35))
    c.fill(sky)
    c.circle(392, 84, 23, gray(0.97))
    # the beam
    c.polygon([(0, 26), (136, 91), (136, 99), (0, 100)],
              lambda x, y: mix(c.rows[int(y)][int(x)], gray(0.97), 0.15 + 0.6 * clamp(x / 136)))

    def sea(x, y):
        depth = (y - 236) / 148
        wave = math.sin(2 * math.pi * (y / (3 + 11 * depth) + 0.35 * noise(x / (20 + 60 * depth), y / 5, 4)))
        glitter = clamp(1 - abs(x - 392) / (16 + 46 * depth)) * clamp(wave)
        return gray(clamp(0.40 - 0.17 * depth + 0.055 * wave + 0.42 * glitter))
    c.fill(sea, above=lambda x: 236)

    def rock(x, y):
        return gray(0.13 + 0.42 * (0.5 * noise(x / 14, y / 9, 5) + 0.3 * noise(x / 5, y / 4, 6)
                                   + 0.2 * hashed(int(x), int(y), 7)))

    def shore(x):
        return 268 + 70 * clamp((x - 150) / 170) ** 1.3 + 130 * clamp((x - 250) / 100) + 5 * noise(x / 9, 0, 8) \
            + 24 * clamp((60 - x) / 120)
    c.fill(rock, above=shore)
    for k in range(70):  # surf along the rocks
        x = 40 + 4.1 * k
        c.circle(x, shore(x) + 20 + 10 * hashed(k, 1, 9), 2 + 4 * hashed(k, 2, 9), gray(0.93), soft=3, strength=0.22)

    def tower(x, y):
        side = (x - 152) / (26 + 12 * (y - 108) / 160)
        light = 0.62 + 0.34 * clamp(0.5 + 0.75 * side) - 0.10 * clamp(side - 0.55)
        return gray(light if math.floor((y - 108) / 27) % 2 else 0.24 * light)
    c.polygon([(130, 108), (174, 108), (188, 276), (116, 276)], tower)
    c.rectangle(122, 101, 182, 108, gray(0.16))
    c.rectangle(136, 76, 168, 101, gray(0.98))
    for x in range(136, 169, 8):
        c.rectangle(x - 0.8, 76, x + 0.8, 101, gray(0.2))
    c.polygon([(152, 54), (174, 77), (130, 77)], gray(0.14))
    c.stroke(152, 56, 152, 42, 2, gray(0.14))
    for x in range(122, 184, 5):
        c.stroke(x, 92, x, 101, 1, gray(0.16))
    c.stroke(122, 92, 182, 92, 1.4, gray(0.16))
    c.rectangle(145, 252, 159, 276, gray(0.10))
    c.rectangle(148, 147, 156, 159, gray(0.95))
    c.rectangle(147, 201, 156, 213, gray(0.95))

    c.rectangle(196, 240, 250, 284, gray(0.88))  # the keeper's house: flat, sharp edges
    c.polygon([(190, 241), (208, 218), (238, 218), (256, 241)],
              lambda x, y: gray(0.34 if math.floor(y / 3) % 2 else 0.22))
    c.rectangle(206, 252, 218, 266, gray(0.18))
    c.rectangle(228, 252, 240, 266, gray(0.18))

    c.polygon([(330, 292), (462, 292), (438, 320), (348, 320)], gray(0.95))  # the boat
    c.polygon([(330, 292), (462, 292), (459, 296), (333.5, 296)], gray(0.2))
    c.letters(363, 300, "COSINE", 2, gray(0.12))
    c.stroke(394, 292, 394, 186, 2.4, gray(0.12))
    c.polygon([(396, 190), (452, 282), (396, 282)], lambda x, y: gray(0.93 if math.floor(y / 2) % 2 else 0.82))
    c.polygon([(392, 200), (392, 282), (346, 282)], gray(0.86))
    c.letters(405, 258, "88", 2, gray(0.3))
    for k in range(9):  # its reflection
        c.stroke(352 + 3 * k, 325 + 5 * k, 436 - 3 * k, 325 + 5 * k, 1.6, gray(0.62 - 0.03 * k))
    for x, y in ((236, 74), (262, 60), (284, 82), (300, 52)):  # gulls
        c.stroke(x - 8, y - 4, x, y, 1.4, gray(0.15))
        c.stroke(x, y, x + 8, y - 5, 1.4, gray(0.15))
    return c


def contents():
    """(name, bytes) of every file."""
    yield "pulses.npy", npy(pulse_train())
    yield "smooth5.txt", text([0.2] * 5)
    yield "smooth31.txt", text(gaussian_taps())
    yield "echo.txt", text(echo_taps())
    yield "gray.png", png(lighthouse(), 1)
    yield "color.png", png(cafe(), 3)


def unpacked(data):
    """A PNG with its pixel stream uncompressed: zlib may pack the same pixels in more than one way."""
    if not data.startswith(b"\x89PNG"):
        return data
    at, packed, rest = 8, b"", []
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        else:
            rest.append(data[at:at + 12 + size])
        at += 12 + size
    return b"".join(rest) + zlib.decompress(packed)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name, data in contents():
        path = FOLDER / name
        if not arguments:
            path.write_bytes(data)
            print(f"{name}: {len(data)} bytes")
        elif not path.is_file():
            print(f"data/{name} is missing: run data/make_data.py", file=sys.stderr)
            status = 1
        elif path.read_bytes() != data and unpacked(path.read_bytes()) != unpacked(data):
            print(f"data/{name} differs from what data/make_data.py makes", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
