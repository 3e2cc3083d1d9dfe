# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Drives a headless Chromium over its debugging pipe: open a page, run a script in it, take a picture of it, print it.

    browser.py PAGE PDF ...     prints pages to files
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = """--headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe --disable-background-networking
             --disable-component-update --disable-sync --no-first-run --disable-dev-shm-usage""".split()


class BrowserError(Exception):
    pass


def find():
    """The path of a browser, or None."""
    return next((path for path in map(shutil.which, PROGRAMS) if path), None)


class Browser:
    """One tab. `requests`, `failures` and `complaints` gather what happened since the last open()."""

    patience = 60  # seconds for an answer

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        def connect():
            os.dup2(to_child, 13)
            os.dup2(from_child, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, *OPTIONS, f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.events, self.number = b"", [], 0
        self.requests, self.failures, self.complaints = [], [], []
        self.session = None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def close(self, *unused):
        os.close(self.write_end)  # the browser ends with its pipe
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        self.folder.cleanup()

    __exit__ = close

    def read(self, seconds):
        """The next message, or None when there is none in time."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return None
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise BrowserError("the browser has ended")
            self.buffer += data
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.loadingFailed" and not params.get("canceled"):
            self.failures.append(params.get("errorText", "?"))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}".strip())
        self.events.append(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            answer = self.read(end - time.monotonic())
            if answer and answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if answer:
                self.note(answer)
        raise BrowserError(f"{method}: no answer")

    def open(self, path, query=""):
        """Opens a file and waits until it is loaded and its scripts have gone quiet."""
        self.requests, self.failures, self.complaints, self.events = [], [], [], []
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}{query}")
        end = time.monotonic() + 60
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            message = self.read(end - time.monotonic())
            if message is None:
                raise BrowserError(f"{path} did not load")
            self.note(message)

    def wait_for(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise BrowserError(f"waited in vain for {condition}")
            message = self.read(0.05)
            if message:
                self.note(message)

    def run(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def size(self, width, height=900, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def dark(self, wanted):
        color = {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}
        self.call("Emulation.setEmulatedMedia", features=[color])

    def picture(self, path):
        self.keep(path, self.call("Page.captureScreenshot", format="png"))

    @staticmethod
    def keep(path, answer):
        with open(path, "wb") as file:
            file.write(base64.b64decode(answer["data"]))

    def pdf(self, path):
        self.keep(path, self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True))


if __name__ == "__main__":
    with Browser(find()) as tab:
        tab.patience = 600
        for page, pdf in zip(sys.argv[1::2], sys.argv[2::2]):
            tab.open(page)
            tab.pdf(pdf)
