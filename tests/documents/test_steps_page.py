# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""The page on which a reader steps through a block, in a headless browser: sentences, keys, sizes."""

import json
import pathlib
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/book"))
import browser  # noqa: E402

DRAW = ROOT / "common/emulator/draw"
ALL = list(range(32))
SOURCE = """__global__ void sample_kernel(const float* x, float* y) {
  __shared__ float tile[2][33];
  const int n = threadIdx.x;
  tile[0][n] = x[n];
  __syncthreads();
  sum += __shfl_down_sync(all, sum, 16);  // </script><b id="injected">
  if (n < 4) y[n] = h[0];
  a = tile[0][8 * n]; b = x[8 * n]; c = x[n + 1];
  atomicAdd(&y[0], 1);
}"""


def lanes(active, entry):
    return [entry(lane) if lane in active else None for lane in ALL]


def sample():
    """A block of 40 threads that does a little of everything, and the sentence for each step."""
    steps, sentences = [], []

    def add(sentence, kind, line, active=ALL, warp=0, interval=0, **more):
        mask = f"{sum(1 << lane for lane in active):08x}"
        place = {"warp": warp, "interval": interval, "file": 0, "line": line}
        steps.append({"kind": kind, "active": mask} | place | more)
        sentences.append(sentence)

    x, tile, h, y = range(4)
    add("Warp 0 begins the kernel: size is 40.", "line", 1, set={"size": 40})
    add("Lanes 0 to 31 set n to 0, 1 ... 31.", "line", 3, set={"n": {"first": 0, "by": 1}})
    add(
        "Lanes 0 to 31 load x[0] to x[31]: 4 sectors.",
        "load", 4, array=x, size=4, index={"first": 0, "by": 1}, parts=4,
        value=lanes(ALL, lambda lane: lane / 3),
    )  # fmt: skip
    add(
        "Lanes 0 to 31 store tile[0][0] to tile[0][31]: 1 wavefront.",
        "store", 4, array=tile, size=4, index=ALL, value=lanes(ALL, lambda lane: lane / 3), parts=1,
    )  # fmt: skip
    add(
        "Warp 0 reaches __syncthreads() and waits for warp 1.",
        "barrier", 5, name="__syncthreads()", waiting=[0],
    )  # fmt: skip
    add("Warp 1 begins the kernel.", "line", 3, ALL[:8], warp=1)
    add(
        "Warp 1 is the last to reach __syncthreads(): the whole block goes on.",
        "barrier", 5, active=ALL[:8], warp=1, name="__syncthreads()", waiting=[],
    )  # fmt: skip
    add(
        "Lanes 0 to 15 get the value of the lane that is 16 higher: lane 0 from lane 16, lane 1 from lane 17, "
        "and so on.",
        "collective", 6, interval=1, name="__shfl_down_sync()", give=ALL,
        **{"from": [lane + 16 if lane < 16 else lane for lane in ALL]}, value="nan",
    )  # fmt: skip
    add("Lanes 0 to 31 set sum to nan.", "line", 6, interval=1, set={"sum": "nan"})
    add(
        "Lanes 0 to 3 all load h[0]: 1 address.",
        "load", 7, active=ALL[:4], interval=1, array=h, size=4, index=0, value="-inf", parts=1,
    )  # fmt: skip
    add(
        "Lanes 0 to 3 store y[0] to y[3]: 1 sector.",
        "store", 7, active=ALL[:4], interval=1, array=y, size=4, index={"first": 0, "by": 1}, parts=1,
    )  # fmt: skip
    add(
        "Lanes 0 to 7 load tile[0][0], tile[0][8], tile[0][16] ... tile[1][23]: 2 wavefronts, a bank conflict.",
        "load", 8, active=ALL[:8], interval=1, array=tile, size=4, index={"first": 0, "by": 8}, parts=2,
    )  # fmt: skip
    add(
        "Lanes 0 to 31 load x[0], x[8], x[16] ... x[248]: 32 sectors.",
        "load", 8, interval=1, array=x, size=4, index={"first": 0, "by": 8}, parts=32,
    )  # fmt: skip
    add(
        "Lanes 0 to 31 load x[5000001] to x[5000032]: 5 sectors.",
        "load", 8, interval=1, array=x, size=4, index={"first": 5000001, "by": 1}, parts=5,
    )  # fmt: skip
    add(
        "Lanes 0 to 31 call atomicAdd() on y[0].",
        "atomic", 9, interval=1, array=y, size=4, index=0, value=1, name="atomicAdd()",
    )  # fmt: skip
    add("Lanes 0 to 31 return: warp 0 has ended.", "return", 10, interval=1)
    add("Lanes 0 to 7 return: warp 1 has ended.", "return", 10, ALL[:8], warp=1, interval=1)

    def array(name, memory, extents):
        return {"name": name, "memory": memory, "type": "float", "bytes": 4, "extents": extents, "address": 0}

    data = {
        "format": 1,
        "kernel": "sample_kernel<a<b>>",
        "grid": [3, 1, 1],
        "block": [40, 1, 1],
        "traced": [0, 0, 0],
        "files": [{"name": "sample.cu", "first": 1, "lines": SOURCE.split("\n")}],
        "arrays": [
            array("x", "global", [10_000_000]),
            array("tile", "shared", [2, 33]),
            array("h", "constant", [5]),
            array("y", "global", [64]),
        ],
        "variables": ["size", "n", "sum"],
        "steps": steps,
    }
    return data, sentences


def page_of(data):
    """As steps_format.md says, and as draw_accesses does."""
    names = ("recording", "words", "pictures", "page")
    scripts = "".join((DRAW / f"steps_{name}.js").read_text() for name in names)
    text = (DRAW / "steps_page.html").read_text()
    for mark, part in (
        ("STEPS_STYLE", (DRAW / "steps_page.css").read_text()),
        ("STEPS_SCRIPT", scripts),
        ("STEPS_DATA", json.dumps(data).replace("<", "\\u003c")),
    ):
        text = text.replace(mark, part, 1)
    return text


def smallest(threads, steps):
    """So many equal steps of a block without memory."""
    active = "ffffffff" if threads > 1 else "00000001"
    step = {"kind": "line", "interval": 0, "file": 0, "line": 1, "active": active}
    return {
        "format": 1,
        "kernel": "k",
        "grid": [1, 1, 1],
        "block": [threads, 1, 1],
        "traced": [0, 0, 0],
        "files": [],
        "arrays": [],
        "variables": [],
        "steps": [step | {"warp": i % ((threads + 31) // 32)} for i in range(steps)],
    }


# What a reader sees, but for the place of the focus.
STATE = """['where', 'code', 'sentence', 'reason', 'source', 'warps', 'state'].map(id =>
           document.getElementById(id).outerHTML).join()"""
SENTENCE = "document.getElementById('sentence').textContent"
REASON = "document.getElementById('reason').textContent"
STEP = "Number(document.getElementById('where').textContent.match(/Step ([\\d,]+)/)[1].replace(/,/g, ''))"
WIDER = "document.documentElement.scrollWidth - window.innerWidth"
# The steps that are wider than the window, all of them visited in turn.
WIDE_STEPS = f"""(() => {{
  const wide = [], slider = document.getElementById('slider')
  for (let i = 0; i <= Number(slider.max); ++i) {{
    slider.value = i
    slider.dispatchEvent(new Event('input'))
    if ({WIDER} > 0) wide.push(i + 1)
  }}
  return wide
}})()"""
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9, "Enter": 13}


class StepsPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tab = browser.Browser(browser.find())
        cls.data, cls.sentences = sample()
        cls.count = 0

    @classmethod
    def tearDownClass(cls):
        cls.tab.close()
        cls.folder.cleanup()

    def open(self, data, address="", complaints=0):
        type(self).count += 1
        path = pathlib.Path(self.folder.name) / f"{self.count}.html"
        path.write_text(page_of(data))
        self.tab.open(path, address)
        self.assertEqual(complaints, len(self.tab.complaints), self.tab.complaints)
        self.assertEqual([f"file://{path}"], [request.partition("#")[0] for request in self.tab.requests])

    def go(self, number):
        """As by a link to the step."""
        self.tab.run(f"location.hash = '#step={number}'")
        self.tab.wait_for(f"{STEP} === {number}")

    def press(self, key, shift=False):
        letter = key.upper() if shift else key
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        event = {"key": letter, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        text = {"text": "\r" if key == "Enter" else letter} if len(key) == 1 or key == "Enter" else {}
        self.tab.call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
        self.tab.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def setUp(self):
        self.tab.size(1400, 900)
        self.tab.dark(False)

    def test_each_step_has_its_sentence(self):
        self.open(self.data, f"#step={len(self.sentences)}")
        self.assertEqual(self.sentences[-1], self.tab.run(SENTENCE))
        for number, sentence in enumerate(self.sentences, 1):
            with self.subTest(step=number):
                self.go(number)
                self.assertEqual(sentence, self.tab.run(SENTENCE))

    def test_reasons(self):
        self.open(self.data)
        for number, reason in (
            (1, "Its 32 lanes are threads that execute each line together."),
            (2, "Each lane has its own n."),
            (3, "The lanes ask for 128 bytes, and no other byte moves."),
            (5, "Only then may a thread read what the others have stored in tile."),
            (6, "Lanes 8 to 31 have no thread, because the block has 40 threads."),
            (7, "From now on, every thread may read what the others have stored in tile."),
            (8, "Lanes 16 to 31 keep their own value."),
            (10, "Lanes 4 to 31 are masked out: a condition leaves them out of this step."),
            (11, "The lanes store 16 bytes, and 32 move."),
            (12, "2 of the words that the lanes need lie in bank 0, so that the lanes take turns"),
            (13, "which lie in 32 sectors: 1,024 bytes move, and 88 % of them are not needed."),
            (14, "They would fit into 4 sectors, but they begin in the middle of one: 160 bytes move."),
            (15, "Lanes 0 to 31 change the same element, y[0]."),
        ):
            with self.subTest(step=number):
                self.go(number)
                self.assertIn(reason, self.tab.run(REASON))

    def test_elements_in_no_order(self):
        elements = [5, 9, 2] + [30 - lane for lane in range(29)]
        step = self.data["steps"][2] | {"index": elements, "parts": 4}
        self.open(self.data | {"steps": [step]})
        sentence = "Lanes 0 to 31 load x[2] to x[30], in another order: 4 sectors."
        self.assertEqual(sentence, self.tab.run(SENTENCE))
        self.assertIn("Lane 0 loads x[5], lane 1 x[9], lane 2 x[2], and so on.", self.tab.run(REASON))
        self.assertIn("Some lanes ask for the same element.", self.tab.run(REASON))

    def test_keys_lead_to_every_step_and_back_to_the_same_state(self):
        self.open(self.data)
        states = [self.tab.run(STATE)]
        for number in range(2, len(self.sentences) + 1):
            self.press("ArrowRight")
            self.assertEqual(number, self.tab.run(STEP))
            states.append(self.tab.run(STATE))
        self.press("ArrowRight")  # there is no further step
        for number in range(len(states), 0, -1):
            self.assertEqual(number, self.tab.run(STEP))
            self.assertEqual(states[number - 1], self.tab.run(STATE), f"step {number} differs on the way back")
            self.press("ArrowLeft")
        self.press("End")
        self.assertEqual(len(states), self.tab.run(STEP))
        self.press("Home")
        self.assertEqual((1, states[0]), (self.tab.run(STEP), self.tab.run(STATE)))

    def test_jumps(self):
        self.open(self.data)
        for key, shift, expected in (
            ("b", False, 5), ("b", False, 7), ("b", False, 7), ("b", True, 5), ("m", True, 4),
            ("m", False, 10), ("l", False, 12), ("l", False, 15), ("l", True, 14), ("Home", False, 1), ("l", False, 2),
        ):  # fmt: skip
            self.press(key, shift)
            self.assertEqual(expected, self.tab.run(STEP), f"after {key}")
        # A button that leads nowhere says so.
        disabled = "['line', 'request', 'barrier'].filter(what => document.getElementById('next_' + what).ariaDisabled === 'true')"
        for number, expected in ((6, []), (7, ["barrier"]), (len(self.sentences), ["line", "request", "barrier"])):
            self.go(number)
            self.assertEqual(expected, self.tab.run(disabled), f"at step {number}")

    def test_the_way_back_to_the_lesson(self):
        link = "document.getElementById('lesson')"
        self.open(self.data)
        self.assertTrue(self.tab.run(f"{link}.hidden"))
        self.open(self.data | {"lesson": "../05/README.html"})
        self.assertTrue(self.tab.run(f"{link}.checkVisibility() && {link}.href.endsWith('/05/README.html')"))

    def test_a_large_array_shows_the_elements_that_are_used(self):
        arrays = [{**array, "extents": [516]} if array["name"] == "tile" else array for array in self.data["arrays"]]
        self.open(self.data | {"arrays": arrays}, "#step=4")
        used = 8 * 7 + 1
        self.assertEqual(used, self.tab.run("document.querySelectorAll('table.tile td').length"))
        self.assertIn(f"elements 0 to {used - 1} of 516 are shown", self.tab.run("document.getElementById('tiles').textContent"))

    def test_one_warp_alone(self):
        self.open(self.data, "#step=7")
        self.press("w")  # warp 0, whose last step before is 5
        self.assertEqual(5, self.tab.run(STEP))
        self.press("ArrowRight")
        self.assertEqual(8, self.tab.run(STEP))
        self.press("w")
        self.assertEqual(7, self.tab.run(STEP))
        self.press("End")
        self.assertEqual(len(self.sentences), self.tab.run(STEP))
        self.open(self.data, "#step=1&warp=1&lane=3")
        self.assertEqual(6, self.tab.run(STEP))
        lane = self.tab.run("document.getElementById('followed').textContent")
        self.assertIn("Lane 3: active, thread (35, 0, 0).", lane)

    def test_paper_shows_a_request_in_the_middle_or_where_the_reader_is(self):
        for before, on_paper in ((1, 10), (4, 4)):
            self.open(self.data, f"#step={before}")
            self.tab.run("dispatchEvent(new Event('beforeprint')); 0")
            self.assertEqual(on_paper, self.tab.run(STEP))

    def test_buttons_and_slider_by_keyboard_alone(self):
        self.open(self.data)
        reached = []
        for _ in range(25):
            self.press("Tab")
            reached.append(self.tab.run("document.activeElement.id"))
            if reached[-1] == "next":
                break
        self.assertIn("slider", reached)
        self.press("Enter")
        self.press(" ")  # belongs to the button
        self.assertEqual(3, self.tab.run(STEP))
        self.press("ArrowLeft")
        self.assertEqual(2, self.tab.run(STEP))
        self.tab.run("document.getElementById('slider').focus()")
        self.press("ArrowRight")  # of the slider, and not of the page as well
        self.assertEqual(3, self.tab.run(STEP))

    def test_play(self):
        self.open(self.data)
        self.tab.run("document.getElementById('speed').value = '20'")
        self.press(" ")
        self.assertEqual("off", self.tab.run("document.getElementById('words').getAttribute('aria-live')"))
        self.tab.wait_for(f"{STEP} === {len(self.sentences)}")
        self.tab.wait_for("document.getElementById('play').textContent === 'Play'")
        self.assertEqual("polite", self.tab.run("document.getElementById('words').getAttribute('aria-live')"))
        self.press(" ")  # from the beginning
        self.tab.wait_for(f"{STEP} > 2 && {STEP} < 10")
        self.press(" ")
        stopped = self.tab.run(STEP)
        time.sleep(0.3)
        self.assertEqual(stopped, self.tab.run(STEP))

    def test_address_follows(self):
        self.open(self.data)
        self.press("ArrowRight")
        self.tab.wait_for("location.hash === '#step=2'")
        end = len(self.sentences)
        for address, step in (("#step=999999", end), ("#step=nonsense", 1), ("#step=-3&lane=99&warp=x", 1)):
            self.open(self.data, address)
            self.assertEqual(step, self.tab.run(STEP))

    def test_shared_memory_fills(self):
        cell = "document.querySelectorAll('table.tile td')[5]"
        self.open(self.data, "#step=3")
        self.assertEqual("", self.tab.run(f"{cell}.className"))
        self.press("ArrowRight")
        self.assertEqual("1.67t5", self.tab.run(f"{cell}.textContent"))
        self.assertIn("stored", self.tab.run(f"{cell}.className"))
        self.press("ArrowRight")
        self.assertNotIn("stored", self.tab.run(f"{cell}.className"))
        self.open(self.data, "#step=12")
        reader = "document.querySelector('table.tile td.loaded small').textContent"
        self.assertEqual("▸0", self.tab.run(reader))
        self.assertEqual(4, self.tab.run("document.querySelectorAll('table.banks td.conflict').length"))

    def test_words_for_what_a_block_does_not_have_are_left_out(self):
        words = "(document.getElementById('help').open = true, document.body.innerText.toLowerCase())"
        self.open(self.data)
        for word in ("barrier", "shared memory", "wavefront", "constant memory"):
            self.assertIn(word, self.tab.run(words))
        self.assertNotIn("texture", self.tab.run(words))
        steps = [step for step in self.data["steps"] if step["kind"] == "line" or step.get("array") == 0]
        arrays = [array for array in self.data["arrays"] if array["memory"] == "global"]
        source = [{"name": "sample.cu", "first": 1, "lines": [""] * 10}]
        self.open(self.data | {"steps": steps, "arrays": arrays, "files": source})
        for word in ("barrier", "shared memory", "wavefront", "bank", "constant memory", "texture"):
            self.assertNotIn(word, self.tab.run(words))
        self.assertIn("sector", self.tab.run(words))
        self.press("b")  # there is none
        self.assertEqual(1, self.tab.run(STEP))

    def test_text_of_the_data_is_only_text(self):
        self.open(self.data, "#step=8")
        self.assertFalse(self.tab.run("!!document.getElementById('injected')"))
        self.assertIn('<b id="injected">', self.tab.run("document.getElementById('source').textContent"))
        self.assertEqual("sample_kernel<a<b>>", self.tab.run("document.title"))

    def test_nothing_is_wider_than_the_window(self):
        for width in (390, 768, 1400):
            self.tab.size(width, 844, phone=width < 500)
            self.open(self.data)
            self.assertEqual([], self.tab.run(WIDE_STEPS), f"steps that are wider than {width} pixels")

    def test_dark(self):
        background = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
        self.open(self.data)
        self.assertGreater(min(self.tab.run(background)), 200)
        self.tab.dark(True)
        self.assertLess(max(self.tab.run(background)), 90)

    def test_every_control_has_a_name(self):
        self.open(self.data)
        nodes = self.tab.call("Accessibility.getFullAXTree")["nodes"]
        roles = ("button", "slider", "combobox", "checkbox", "img", "region")
        nodes = [node for node in nodes if not node["ignored"] and node["role"]["value"] in roles]
        controls = [(node["role"]["value"], node["name"]["value"]) for node in nodes]
        for name in ("First", "Back", "Play", "Next", "Last"):
            self.assertIn(("button", name), controls)
        for name in ("line", "memory request", "barrier"):
            self.assertIn(("button", f"Next {name}"), controls)
        self.assertIn(("slider", "Step"), controls)
        self.assertEqual([], [role for role, name in controls if not name])

    def test_smallest_and_largest(self):
        for threads, steps in ((1, 1), (1024, 64), (1024, 20_000)):
            self.open(smallest(threads, steps), f"#step={steps}")
            self.assertEqual(steps, self.tab.run(STEP))
            self.press("ArrowLeft")
            self.assertEqual(max(1, steps - 1), self.tab.run(STEP))

    def test_what_cannot_be_shown_is_said(self):
        for change, words in (({"format": 2}, "has format 2"), ({"steps": []}, "has no steps")):
            self.open(self.data | change, complaints=1)
            failure = self.tab.run("document.body.innerText")  # what is not shown is not in it
            self.assertIn("The steps cannot be shown:", failure)
            self.assertIn(words, failure)


if __name__ == "__main__":
    if not browser.find():
        print("SKIPPED: no browser was found (package chromium): documents.tool_steps_page did not run")
        sys.exit(0)
    unittest.main()
