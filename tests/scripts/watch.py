# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""watch.py TREE: chapters/exercise watch on a terminal, with an editor and keys. watch.sh has made TREE."""

import contextlib
import fcntl
import os
import pathlib
import select
import signal
import struct
import sys
import termios
import time
import unittest

TREE = pathlib.Path(sys.argv.pop(1))
EXERCISES = TREE / "chapters/02_second/exercises"
FIRST, SECOND = EXERCISES / "1_sum/sum.cpp", EXERCISES / "2_sum/sum.cpp"
STARTERS = {file: file.read_text() for file in (FIRST, SECOND)}
ENDLESS = "int sum(int a, int b) { for (volatile int i = 0; i == 0;) a += b; return a; }\n"
PATIENCE_S = 60


def solved(file, comment=""):
    return STARTERS[file].replace("a * 0 + b * 0", "a + b") + comment


def running(*words):
    """Processes whose command line has all words."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            command = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if all(word in command for word in words):
                found.append(command)
    return found


def until(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"never: {what}")
        time.sleep(0.05)


class Reader:
    """At a terminal on which watch runs."""

    def __init__(self, *arguments):
        self.seen = ""  # since the last expect()
        self.all = ""
        # The device is held open, so that its state can be asked for when watch has ended.
        self.screen, self.device = os.openpty()
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.child = os.fork()
        if self.child == 0:
            os.setsid()
            fcntl.ioctl(self.device, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(self.device, stream)
            os.environ["TERM"] = "xterm"
            os.execv(TREE / "chapters/exercise", ["exercise", "watch", *arguments])
        self.before = termios.tcgetattr(self.device)
        self.ended = None

    def look(self, seconds=0.1):
        if select.select([self.screen], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                text = os.read(self.screen, 65536).decode(errors="replace")
                self.seen += text
                self.all += text

    def expect(self, *texts):
        """Waits for the texts, in this order, and returns what came until then."""
        passed = ""
        for text in texts:
            end = time.monotonic() + PATIENCE_S
            while text not in self.seen:
                if time.monotonic() > end:
                    raise AssertionError(f"'{text}' is not on the screen:\n{self.all}")
                self.look()
            head, _, self.seen = self.seen.partition(text)
            passed += head + text
        return passed

    def press(self, keys):
        os.write(self.screen, keys.encode())

    def end(self):
        """Its exit status."""
        def over():
            self.look(0.01)
            if self.ended is None:
                child, status = os.waitpid(self.child, os.WNOHANG)
                if child:
                    self.ended = os.waitstatus_to_exitcode(status)
            return self.ended is not None

        until(over, "watch ends\n" + self.all)
        return self.ended

    def close(self):
        for file in (self.device, self.screen):
            with contextlib.suppress(OSError):
                os.close(file)
        if self.ended is None:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self.child, signal.SIGTERM)
                os.waitpid(self.child, 0)


class Watch(unittest.TestCase):
    def setUp(self):
        for file, text in STARTERS.items():
            file.write_text(text)
        for mark in (TREE / ".progress").glob("*"):
            mark.unlink()

    def start(self, *arguments):
        reader = Reader(*arguments)
        self.addCleanup(reader.close)
        return reader

    def nothing_is_left(self):
        until(lambda: not running(str(TREE), "bin/exercise_02_"), "the program that was checked ends")
        until(lambda: not running(str(TREE), "cmake"), "the build ends")
        until(lambda: not running("sleep 61.5"), "the compiler ends")

    def test_from_the_first_exercise_to_the_end(self):
        reader = self.start()
        text = reader.expect("Exercise 02 1", "Save chapters/02_second/exercises/1_sum/sum.cpp", "Keys:", "q quit")
        self.assertIn("n next", text)
        reader.press("h")
        reader.expect("Hint 1 of 2", "First hint of 1.", "Keys:", "q quit")
        reader.press("l")
        reader.expect("[------------] 0 of 2", "Sum number 2", "Keys:", "q quit")
        # Stopped and continued, as by Ctrl-Z and fg.
        os.kill(reader.child, signal.SIGSTOP)
        termios.tcsetattr(reader.device, termios.TCSANOW, reader.before)
        os.kill(reader.child, signal.SIGCONT)
        time.sleep(0.5)
        reader.press("h")
        reader.expect("Hint 2 of 2", "Keys:", "q quit")
        FIRST.write_text("int sum(int, int) { return misspelled; }\n")
        reader.expect("Exercise 02 1", "misspelled", "does not compile yet", "Keys:", "q quit")
        FIRST.write_text(solved(FIRST))
        text = reader.expect("Exercise 02 1", "Solved.", "Adding, part 1.", "Keys:", "q quit")
        self.assertIn("[######------] 1 of 2 in chapter 02", text)
        self.assertIn("n or Enter: next", text)
        reader.press("\r")
        reader.expect("Exercise 02 2", "Save chapters/02_second/exercises/2_sum/sum.cpp", "q quit")
        SECOND.write_text(solved(SECOND))
        text = reader.expect("Solved.", "Keys:", "q quit")
        self.assertIn("[############] 2 of 2: you have finished chapter 02, chapter second.", text)
        self.assertIn("You can now\r\n  - add numbers\r\n  - say what a + b is", text)
        self.assertIn("This was the last chapter.", text)
        self.assertNotIn("next", text[text.rindex("Keys:") :])
        reader.press("n")
        reader.expect("You have solved all exercises.")
        reader.press("q")
        self.assertEqual(reader.end(), 0)
        self.assertEqual(termios.tcgetattr(reader.device), reader.before)
        again = self.start("02")
        again.expect("[############] 2 of 2: you have finished chapter 02")
        self.assertEqual(again.end(), 0)

    def test_however_an_editor_saves(self):
        reader = self.start("2")
        reader.expect("Exercise 02 1", "q quit")
        # A new file takes the place of the old one.
        other = FIRST.with_name("sum.cpp~")
        other.write_text(solved(FIRST))
        other.rename(FIRST)
        reader.expect("Solved.", "q quit")
        # It is gone, then empty, then there by halves.
        FIRST.unlink()
        time.sleep(0.7)
        FIRST.write_text("")
        time.sleep(0.7)
        text = solved(FIRST, "// by halves\n")
        with open(FIRST, "w") as file:
            for begin in range(0, len(text), 40):
                file.write(text[begin : begin + 40])
                file.flush()
                time.sleep(0.05)
        self.assertNotIn("does not compile", reader.expect("Exercise 02 1", "Solved.", "q quit"))
        # Saved as it was: that is a wish to see it again.
        os.utime(FIRST)
        reader.expect("Exercise 02 1", "Solved.", "q quit")
        # Another exercise is saved: the reader is there now.
        SECOND.write_text(solved(SECOND))
        reader.expect("Exercise 02 2", "Solved.", "q quit")
        # It is gone for good.
        SECOND.unlink()
        reader.expect("2_sum/sum.cpp is missing: chapters/exercise reset 02 2 brings it back", "q quit")

    def test_an_endless_loop_holds_nothing_up(self):
        reader = self.start()
        reader.expect("Exercise 02 1", "q quit")
        FIRST.write_text(ENDLESS)
        until(lambda: running(str(TREE), "bin/exercise_02_1"), "the endless program runs")
        text = reader.expect("Checking", "save a file or press a key to stop it")
        # A save begins anew.
        FIRST.write_text(solved(FIRST))
        reader.expect("Exercise 02 1", "Solved.", "q quit")
        self.nothing_is_left()
        # A key ends it, and does what it does besides.
        for key, shown in (("x", "The check was stopped."), ("h", "Hint 1 of 2"), ("\033[H", "The check was stopped.")):
            FIRST.write_text(ENDLESS + f"// {key!r}\n")
            until(lambda: running(str(TREE), "bin/exercise_02_1"), "the endless program runs")
            reader.press(key)
            text = reader.expect(shown, "q quit")
            self.nothing_is_left()
        self.assertNotIn("Hint", text)  # Home is not h
        reader.press("c")
        until(lambda: running(str(TREE), "bin/exercise_02_1"), "c checks again")
        reader.press("n")
        reader.expect("Exercise 02 2", "q quit")
        self.nothing_is_left()

    def test_a_compiler_that_takes_its_time(self):
        reader = self.start()
        reader.expect("Exercise 02 1", "q quit")
        FIRST.write_text(solved(FIRST, "// take your time\n"))
        until(lambda: running("sleep 61.5"), "the slow compiler runs")
        reader.expect("Building", "2 s")
        FIRST.write_text(solved(FIRST))
        reader.expect("Solved.", "q quit")
        self.nothing_is_left()

    def test_it_ends_and_leaves_nothing(self):
        def quit(reader):
            reader.press("q")

        def interrupt(reader):
            reader.press("\x03")

        def terminate(reader):
            os.kill(reader.child, signal.SIGTERM)

        def hang_up(reader):
            os.close(reader.device)
            os.close(reader.screen)

        for how, status in ((quit, 0), (interrupt, 130), (terminate, 143), (hang_up, 129)):
            for text, words in ((ENDLESS, "bin/exercise_02_1"), (solved(FIRST, "// take your time\n"), "sleep 61.5")):
                with self.subTest(how=how.__name__, while_=words):
                    FIRST.write_text(STARTERS[FIRST])
                    reader = self.start()
                    reader.expect("Exercise 02 1", "q quit")
                    FIRST.write_text(text)
                    until(lambda: running(words), "the check runs")
                    how(reader)
                    if how is hang_up:
                        until(lambda: not running(str(TREE), "exercise watch"), "watch ends")
                        os.waitpid(reader.child, 0)
                        reader.ended = status
                    else:
                        self.assertEqual(reader.end(), status)
                        self.assertEqual(termios.tcgetattr(reader.device), reader.before)
                    self.nothing_is_left()


if __name__ == "__main__":
    unittest.main()
