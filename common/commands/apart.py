# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Runs a command of somebody else's apart from this machine, for chapters/grade.

By bubblewrap where user namespaces are allowed. Else, where we are root (a container): as a user of its own,
which Landlock lets see only what it is shown, and seccomp gives no network.
"""

import ctypes
import dataclasses
import os
import pathlib
import platform
import re
import resource
import selectors
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time

SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"]
FIRST_USER = 64001  # of the users that are nobody else's
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
stopping = threading.Event()  # whatever runs is ended


@dataclasses.dataclass(frozen=True)
class Limits:
    seconds: int  # of processors, whatever else the machine does; four times that by the clock
    memory: int  # bytes that are really used
    output: int = 256 << 10
    disk: int = 64 << 20
    processes: int = 64


@dataclasses.dataclass
class Outcome:
    status: int = 0
    stopped: str = ""  # "", "time", "memory", "processes", "output"
    said: bytes = b""
    given: dict = dataclasses.field(default_factory=dict)  # by the names of `takes`


def way_of_this_machine(folder):
    """"bubblewrap", "user" or "" where nothing of it works; tried, and not guessed."""
    for way in ("bubblewrap", "user"):
        if way == "bubblewrap" and not shutil.which("bwrap") or way == "user" and os.getuid() != 0:
            continue
        try:
            if Apart(way, folder).run("echo apart", [], [], Limits(10, 1 << 30)).said == b"apart\n":
                return way
        except OSError:
            pass
    return ""


def kill(how, process):
    try:
        how(int(process), signal.SIGKILL)
    except OSError:
        pass


def used_by(process):
    """Resident pages, 0 of one that has ended, and ticks of processors, with those of its children that ended."""
    try:
        words = pathlib.Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return int(words[21]), sum(map(int, words[11:15]))
    except (OSError, IndexError):
        return 0, 0


def disk_used(folder):
    """In bytes, while files there come and go."""
    used = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                used += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                pass
    return used


class Apart:
    """One place where commands run, one at a time. `folder` is private to us."""

    def __init__(self, way, folder):
        self.way, self.folder, self.user = way, pathlib.Path(folder), FIRST_USER
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = socket.socket(socket.AF_UNIX)
        while way == "user":  # one that no other place has, of this grading or of another
            try:
                self.lock.bind(f"\0chapters/grade {self.user}")
                break
            except OSError:
                self.user += 1

    def run(self, script, words, sees, limits, environment={}, gives={}, takes=(), keeps=False):
        """Runs `script` by bash with `words`. It sees the paths `sees`, and may write in $HOME only: `home`
        of this place where `keeps`, else a folder that nobody sees. Each name in `gives` is a variable with
        the number of a descriptor to read from; each in `takes` one with a path to write to."""
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        inside = "/tmp" if self.way == "bubblewrap" else str(home)
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", **environment}
        environment |= {"HOME": inside, "TMPDIR": inside}
        theirs, readers = [], {}
        for name, data in gives.items():
            read, write = os.pipe()
            os.write(write, data)
            os.close(write)
            theirs.append(read)
            environment[name] = str(read)
        for name in (*takes, ""):  # the last is what it says
            read, write = os.pipe()
            readers[read] = name
            theirs.append(write)
            if name:
                environment[name] = f"/dev/fd/{write}"
        if self.way == "user":
            for path in (home, *theirs):
                os.chown(path, self.user, self.user)
        most = f" -u {limits.processes}" if self.way != "trust" else ""  # ours count, too
        script = f'ulimit -c 0 -f {limits.disk // 1024} -n 256{most}; cd "$HOME" || exit 1\n{script}'
        door = self._door(sees, home, keeps, limits, environment)
        process = subprocess.Popen(
            [*door, "/bin/bash", "-c", script, "apart", *words],
            stdin=subprocess.DEVNULL, stdout=theirs[-1], stderr=theirs[-1], pass_fds=theirs, env=environment,
            cwd="/", start_new_session=True,
        )
        for descriptor in theirs:
            os.close(descriptor)
        try:
            return self._watch(process, readers, home, limits)
        finally:
            self._end(process)
            for descriptor in readers:
                os.close(descriptor)
            if not keeps:
                shutil.rmtree(home, ignore_errors=True)

    def _door(self, sees, home, keeps, limits, environment):
        if self.way == "trust":
            return []
        if self.way == "user":
            return [sys.executable, "-I", "-S", __file__, str(self.user), str(home), *map(str, sees), "--"]
        words = [shutil.which("bwrap"), "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
        words += ["--proc", "/proc", "--dev", "/dev", "--size", "65536", "--tmpfs", "/dev/shm"]
        words += ["--bind", home, "/tmp"] if keeps else ["--size", limits.disk, "--tmpfs", "/tmp"]
        for path in filter(os.path.exists, [*SYSTEM, *sees]):
            words += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
        for name, value in environment.items():
            words += ["--setenv", name, value]
        return [*map(str, words), "--"]

    def _watch(self, process, readers, home, limits):
        outcome = Outcome(given={name: b"" for name in readers.values()})
        begin, ended = time.monotonic(), 0
        with selectors.DefaultSelector() as selector:
            for descriptor in readers:
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map() and not (ended and time.monotonic() - ended > 2):
                for key, _ in selector.select(0.05):
                    name, data = readers[key.fd], os.read(key.fd, 1 << 16)
                    outcome.given[name] += data
                    if len(outcome.given[name]) > (4 << 20 if name else limits.output):
                        outcome.stopped = "output"
                    if not data:
                        selector.unregister(key.fd)
                if ended:
                    continue
                if process.poll() is not None:
                    ended = time.monotonic()
                elif not outcome.stopped:
                    outcome.stopped = self._beyond(process.pid, home, limits, time.monotonic() - begin)
                if ended or outcome.stopped:
                    self._end(process)  # and what it has left running
        outcome.said = outcome.given[""][: limits.output]
        status = process.wait()
        outcome.status = status if status >= 0 else 128 - status
        return outcome

    def kept(self, name, most):
        """What a command that `keeps` has left in its folder, if that is a plain file of at most so many bytes."""
        try:
            with open(os.open(self.folder / "home" / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    data = file.read(most + 1)
                    return data if len(data) <= most else b""
        except OSError:
            pass
        return b""

    def _beyond(self, pid, home, limits, seconds):
        """Which limit it is beyond."""
        if stopping.is_set():
            return "us"
        used = [used_by(each) for each in self._processes(pid)]
        pages, ticks = map(sum, zip((0, 0), *used))
        if ticks > limits.seconds * TICKS or seconds > limits.seconds * 4:
            return "time"
        if pages * PAGE > limits.memory:
            return "memory"
        if len(used) > limits.processes:
            return "processes"
        return "disk" if disk_used(home) > limits.disk * 4 else ""

    def _processes(self, pid):
        if self.way == "user":
            for each in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if os.stat(f"/proc/{each}").st_uid == self.user:
                        yield each
                except OSError:
                    continue
            return
        found = [str(pid)]
        for each in found:
            yield each
            try:
                for thread in os.listdir(f"/proc/{each}/task"):
                    found += pathlib.Path(f"/proc/{each}/task/{thread}/children").read_text().split()
            except OSError:
                continue

    def _end(self, process):
        for _ in range(100):  # it may start more meanwhile; with bwrap, the kernel ends all that it has begun
            left = self._processes(process.pid) if self.way != "bubblewrap" else ()
            if not [kill(os.kill, each) for each in left if used_by(each)[0] > 0]:
                break
            if process.poll() is not None:
                time.sleep(0.005)
        kill(os.killpg, process.pid)
        process.wait()


def system_call(number, *words):
    library = ctypes.CDLL(None, use_errno=True)
    result = library.syscall(*[ctypes.c_long(w) if isinstance(w, int) else w for w in (number, *words)])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def see_only(sees, writes):
    """Landlock: from here on, nothing of the file system but this. The numbers are those of every machine."""
    version = system_call(444, 0, 0, 1)
    every = (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1
    rules = struct.pack("QQQ", every, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    rule_set = system_call(444, rules, 8 + 8 * (version >= 4) + 8 * (version >= 6), 0)
    read, of_files = 1 | 4 | 8, 1 | 2 | 4 | (every & 1 << 14)
    for path, access in [*((each, read) for each in sees), *((each, every) for each in writes)]:
        if os.path.exists(path):
            descriptor = os.open(path, os.O_PATH)
            access &= every if os.path.isdir(path) else of_files
            system_call(445, rule_set, 1, struct.pack("<Qi", access, descriptor), 0)
            os.close(descriptor)
    system_call(446, rule_set, 0)
    os.close(rule_set)


# socket, ptrace, process_vm_readv, process_vm_writev, shmget, semget, msgget, memfd_create, userfaultfd, bpf,
# io_uring_setup
REFUSED = {
    "x86_64": (0xC000003E, [41, 101, 310, 311, 29, 64, 68, 319, 323, 321, 425]),
    "aarch64": (0xC00000B7, [198, 117, 270, 271, 194, 190, 186, 279, 282, 280, 425]),
}


def refuse_calls():
    """seccomp: these system calls fail, and so does every one of another architecture."""
    architecture, numbers = REFUSED[platform.machine()]
    load, equal, above, end = 0x20, 0x15, 0x35, 0x06
    refuse = len(numbers) + 1  # how far the instruction `refuse` is from the first comparison of numbers
    code = [(load, 0, 0, 4), (equal, 0, refuse + 2, architecture)]
    code += [(load, 0, 0, 0), (above, refuse, 0, 0x40000000)]
    code += [(equal, len(numbers) - i, 0, number) for i, number in enumerate(numbers)]
    code += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x00050001)]
    data = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
    if ctypes.CDLL(None).prctl(22, 2, struct.pack("@HP", len(code), ctypes.addressof(data)), 0, 0) != 0:
        raise OSError("seccomp")


def main():
    """apart.py USER HOME PATH... -- COMMAND...: becomes that user, sees only these, and runs the command."""
    separator = sys.argv.index("--")
    user, home, *sees = sys.argv[1:separator]
    user, command = int(user), sys.argv[separator + 1 :]
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # it ends with us
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if ctypes.CDLL(None).prctl(38, 1, 0, 0, 0) != 0:  # no new privileges
        raise OSError("prctl")
    some = ["/dev/urandom", "/dev/zero", "/proc/meminfo", "/proc/cpuinfo", "/proc/self"]
    see_only([*SYSTEM, *some, "/sys/devices/system/cpu", *sees], [home, "/dev/null"])
    refuse_calls()
    os.chdir("/")
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
