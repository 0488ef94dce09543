"""blocks.py notices what is wrong with a page: each of these pages must fail, with the right words, and the last must pass.

    test_blocks.py SOURCE BUILD COMPILER
"""
import contextlib
import io
import os
import sys
import tempfile
import unittest

import blocks

SOURCE, BUILD, COMPILER = sys.argv[1:4]

LUA = 'local floc = require "floc"\nlocal sim = floc.simulation { time_step = 0.1 }\nsim:run { steps = 1 }\nprint "done"\n'


def fence(language, text):
    return f"```{language}\n{text}```\n"


class Blocks(unittest.TestCase):
    def run_page(self, text):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            path = os.path.join(folder, "page.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            failures = blocks.run_page(path, SOURCE, BUILD, os.path.join(folder, "work"), COMPILER)
        return failures, said.getvalue()

    def wrong(self, text, words):
        failures, said = self.run_page(text)
        self.assertEqual(failures, 1, said)
        self.assertIn(words, said)

    def right(self, text):
        failures, said = self.run_page(text)
        self.assertEqual(failures, 0, said)

    def test_lua(self):
        self.right(fence("lua", LUA) + "<!-- output -->\n" + fence("text", "done\n"))
        self.wrong(fence("lua", LUA.replace("time_step", "time_stepp")), "did you mean time_step?")
        self.wrong(fence("lua", 'sim:run { steps = 1 }\n'), "no complete scenario")
        claim = 'floc.report { claim = "c", value = 1, expect = { equal = 2 } }\n'
        self.wrong(fence("lua", LUA + claim), "NOT MET")
        self.wrong("<!-- run: says=other words -->\n" + fence("lua", LUA), "is not in")
        self.right("<!-- run: exit=1, says=at least 0 -->\n" + fence("lua", LUA.replace("steps = 1", "steps = -1")))

    def test_fragments(self):
        setup = '<!-- setup one\nlocal floc = require "floc"\nlocal sim = floc.simulation { time_step = 1 }\n-- block\nassert(sim.step == 3)\n-->\n'
        self.right(setup + "<!-- run: with=one -->\n" + fence("lua", "sim:run { steps = 3 }\n"))
        self.wrong(setup + "<!-- run: with=one -->\n" + fence("lua", "sim:run { steps = 4 }\n"), "assertion failed")
        self.wrong("<!-- run: with=two -->\n" + fence("lua", "sim:run { steps = 4 }\n"), "no set-up two")
        self.right(fence("lua", LUA) + "<!-- run: after -->\n" + fence("lua", "assert(sim.step == 1)\n"))
        self.right(fence("lua", LUA) + "<!-- run: before=sim:run -->\n" + fence("lua", "assert(sim.step == 0)\n"))
        self.wrong(fence("lua", LUA) + "<!-- run: after -->\n" + fence("lua", "assert(sim.step == 0)\n"), "assertion failed")
        self.wrong("<!-- run: after -->\n" + fence("lua", "assert(sim.step == 0)\n"), "no lua block before")

    def test_saved(self):
        saved = "<!-- run: file=a.lua -->\n" + fence("lua", LUA)
        self.right(saved + fence("sh", "floc run a.lua --quiet\nbuild/floc run a.lua --quiet\n"))
        self.wrong(saved, "no sh block uses it")

    def test_sh(self):
        self.right(fence("sh", "true\n"))
        self.wrong(fence("sh", "false\ntrue\n"), "exit status 1 instead of 0")
        self.wrong(fence("sh", "floc runn x.lua\n"), "did you mean run?")
        self.wrong(fence("sh", "false | cat\n"), "exit status 1")

    def test_c(self):
        text = '#include <floc/floc.h>\nint main(void) { return floc_status_name(FLOC_OK) ? %s : 1; }\n'
        self.right(fence("c", text % "0"))
        self.wrong(fence("c", text % "3"), "exit status 3")
        self.wrong(fence("c", text % "floc_no_such_call()"), "floc_no_such_call")

    def test_output(self):
        command = fence("sh", "echo one; echo two; echo three four\n")
        self.right(command + "<!-- output -->\n" + fence("text", "one\n...\nthree...r\n"))
        self.wrong(command + "<!-- output -->\n" + fence("text", "two\none\n"), "the line \"one\" is not")

    def test_marks(self):
        self.right("<!-- not run: it would install packages -->\n" + fence("sh", "apt-get install x\n"))
        self.wrong("<!-- not run: -->\n" + fence("sh", "false\n"), "no reason")
        self.wrong("<!-- run: quickly -->\n" + fence("sh", "true\n"), "\"quickly\"")
        self.wrong("<!-- not run: a reason that stands for another block -->\n\nText.\n\n" + fence("sh", "false\n"), "exit status 1")
        self.wrong(fence("python", "pass\n"), "its language is \"python\"")
        self.wrong(fence("", "anything\n"), "its language is \"\"")
        self.wrong("```lua\n" + LUA, "does not end")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
