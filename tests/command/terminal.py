"""The progress line on a terminal that is made narrower and wider while a run goes on: no old piece of it stays.

    terminal.py PROGRAM WORK

A terminal is emulated at the other end of a pty, in the two manners that there are: one that wraps long lines anew when its
width changes (tmux, VTE), and one that cuts them (xterm). Sizes change while text of the old width is still on its way.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios


class Terminal:
    """Lines of characters, of which the screen shows pieces of `width`; the cursor is a line and an offset in it."""

    def __init__(self, width, wraps_anew):
        self.width, self.wraps_anew = width, wraps_anew
        self.lines, self.line, self.at, self.wrap = [""], 0, 0, True
        self.rest = b""

    def resize(self, width):
        if not self.wraps_anew:  # rows are lines: what is beyond the edge is gone
            self.lines = [line[:width] for line in self.lines]
            self.at = min(self.at, width - 1)
        self.width = width

    def put(self, character):
        if not self.wraps_anew and self.at == self.width and self.wrap:
            self.feed_line()
            self.at = 0
        if not self.wrap and self.at % self.width == self.width - 1 and len(self.lines[self.line]) > self.at:
            self.lines[self.line] = self.lines[self.line][: self.at] + character  # the last column is written over
            return
        text = self.lines[self.line].ljust(self.at)
        self.lines[self.line] = text[: self.at] + character + text[self.at + 1:]
        if self.wrap or self.at % self.width < self.width - 1:
            self.at += 1

    def feed_line(self):
        self.line += 1
        if self.line == len(self.lines):
            self.lines.append("")

    def feed(self, data):
        data = self.rest + data
        cut = re.search(rb"\x1b(\[[?0-9]*)?$", data)  # a sequence that is not whole yet
        self.rest = data[cut.start():] if cut else b""
        data = data[: cut.start()] if cut else data
        for part in re.findall(r"\x1b\[[?0-9]*[A-Za-z]|.", data.decode("utf-8", "replace"), re.S):
            if part == "\r":
                self.at -= self.at % self.width if self.wraps_anew else self.at
            elif part == "\n":
                self.feed_line()
                self.at = 0
            elif part == "\x1b[J":
                self.lines[self.line] = self.lines[self.line][: self.at]
                del self.lines[self.line + 1:]
            elif part in ("\x1b[?7l", "\x1b[?7h"):
                self.wrap = part.endswith("h")
            elif part.startswith("\x1b"):
                raise SystemExit(f"a sequence that is not known here: {part!r}")
            else:
                self.put(part)

    def progress(self):
        """Places where a progress line begins, or goes on without its beginning."""
        text = "\n".join(self.lines)
        return len(re.findall(r"step \d+, t = ", text)), len(re.findall("residual|steps/s", text))


def set_width(descriptor, width):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))


def run(program, work, wraps_anew, soft):
    stop = os.path.join(work, "stop")
    if os.path.exists(stop):
        os.remove(stop)
    master, slave = pty.openpty()
    terminal = Terminal(120, wraps_anew)
    set_width(master, 120)
    child = subprocess.Popen([program, "run", "s.lua", f"--soft={soft}"], cwd=work, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)

    def wait_for_output():
        if not select.select([master], [], [], 120)[0]:
            raise SystemExit("nothing came for two minutes")

    def read():
        wait_for_output()
        try:
            data = os.read(master, 65536)
        except OSError:  # the program has closed its end
            return False
        terminal.feed(data)
        return data != b""

    def lines(count):  # so many rewritten lines come; there is never more than one on the screen
        for _ in range(count):
            read()
            begins, pieces = terminal.progress()
            assert begins <= 1 and pieces <= 2, (terminal.width, terminal.lines)

    try:
        lines(2)
        for width in (40, 23, 90, 31, 120, 60):
            wait_for_output()  # a line of the old width is on its way
            terminal.resize(width)
            set_width(master, width)
            read()  # what was on its way; it may be cut or wrapped, but the next line takes its place
            lines(2)
        open(stop, "w").close()
        while read():
            pass
        assert child.wait() == 0, terminal.lines
    finally:
        child.kill()
        os.close(master)
    begins, _ = terminal.progress()
    text = "\n".join(line.rstrip() for line in terminal.lines if line.strip())
    # 2 sqrt(m_eff/k) of two grains
    critical = r"critical time step of the contacts 0\.01 \(particle \d\), the last step was 0\.1 of it"
    end = rf"{critical}\n\d+ steps to t = .* steps/s\); {critical}\ndone" if soft == "true" else r"\d+ steps to t = .* steps/s\)\ndone"
    assert begins == 0 and re.fullmatch(end, text), text


def main():
    program, work = sys.argv[1:]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    with open(os.path.join(work, "s.lua"), "w") as file:
        file.write("""local floc = require "floc"
local args = floc.args { soft = false }
local soft = floc.discrete_element { contact = "hooke", stiffness = 2e4, integrator = "velocity_verlet" }
local sim = floc.simulation { time_step = 1e-3, gravity = { 0, -10 }, scheme = args.soft and soft or nil }
for k = 1, 3 do sim:add_particle { position = { 0, k - 0.5 }, radius = 0.5, mass = 1 } end
sim:every(1, function() os.execute "sleep 0.02" end)
sim:run { until_ = function() local file = io.open "stop" if file then file:close() end return file ~= nil end }
print "done"
""")
    run(program, work, True, "true")
    run(program, work, False, "false")
    print("no old piece of a progress line stayed")


main()
