"""Runs the fenced blocks of one page: documents show only what works.

    blocks.py PAGE SOURCE BUILD WORK COMPILER

What a block is decides its language: lua blocks are scenarios, run by the program; sh blocks are executed, with
the program in PATH and links to build, examples and docs in the folder; c blocks are compiled, linked with
libfloc and run. Other languages are refused, except text, which shows something. Blocks of one page run in order
in one folder, so a later one may use what an earlier one left there.

An HTML comment before a block says what a reader knows and the test does not:

    <!-- not run: REASON -->            it is not run
    <!-- run: WORD, NAME=VALUE, ... -->
      file=NAME       lua, c: it is saved under this name; a lua block is then left to the sh blocks that name it
      with=NAME       it is a fragment of the set-up of that name:  <!-- setup NAME  lines  -- block  lines  -->
      after           lua: the fragment is put behind the block before it
      before=TEXT     lua: the fragment is put into the block before it, ahead of the first line that begins with TEXT
      arguments=TEXT  lua: for floc run
      exit=N          the exit status that is right; default 0
      says=TEXT       the output must contain this
      picture         c: links the drawing library
    <!-- output -->                     a text block: its lines stand in this order in what the block before printed;
                                        ... stands for anything
"""
import glob
import os
import re
import resource
import shlex
import subprocess
import sys


class Wrong(Exception):
    pass


class Block:
    def __init__(self, language, mark, text, line):
        self.language, self.mark, self.text, self.line = language, mark, text, line
        self.options = {}


def read_page(path):
    """The blocks and the set-ups of a page."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    blocks, setups, mark, k = [], {}, None, 0
    while k < len(lines):
        line = lines[k]
        fence = re.match(r"^(\s*)(```+)\s*(.*?)\s*$", line)
        if fence:
            begin, k, text = k, k + 1, []
            while k < len(lines) and not re.match(r"^\s*" + fence.group(2) + r"\s*$", lines[k]):
                text.append(lines[k][len(fence.group(1)):])
                k += 1
            if k == len(lines):
                raise Wrong(f"{path}:{begin + 1}: the block does not end")
            blocks.append(Block(fence.group(3), mark, "\n".join(text) + "\n", begin + 1))
            mark = None
        elif line.startswith("<!--"):
            comment = line
            while "-->" not in comment:
                k += 1
                if k == len(lines):
                    raise Wrong(f"{path}: a comment does not end")
                comment += "\n" + lines[k]
            setup = re.match(r"<!-- setup (\w+)\n(.*)-->", comment, re.S)
            if setup:
                setups[setup.group(1)] = setup.group(2)
            elif re.match(r"<!-- (run:|not run:|output)", comment):
                mark = re.match(r"<!-- (.*?) -->", comment, re.S).group(1)
        elif line.strip():
            mark = None
        k += 1
    return blocks, setups


KNOWN = {"file", "with", "after", "before", "arguments", "exit", "says", "picture"}


def parse_options(block):
    if not block.mark or not block.mark.startswith("run:"):
        return
    for part in re.split(r",\s+", block.mark[4:].strip()):
        name, _, value = part.partition("=")
        if name not in KNOWN:
            raise Wrong(f"the mark says \"{name}\", which is none of {', '.join(sorted(KNOWN))}")
        block.options[name] = value


class Page:
    def __init__(self, page, source, build, work, compiler):
        self.page, self.source, self.build, self.work, self.compiler = page, source, build, work, compiler
        self.output = None      # of the block before
        self.scenario = None    # text of the lua block before
        self.saved = set()
        self.called = ""        # text of all sh blocks
        subprocess.run(["rm", "-rf", work], check=True)
        os.makedirs(work)
        for name in ("examples", "docs", "scripts", "include", "benchmarks"):
            os.symlink(os.path.join(source, name), os.path.join(work, name))
        os.symlink(build, os.path.join(work, "build"))

    def execute(self, command, block):
        path = self.build + os.pathsep + os.environ["PATH"]
        environment = dict(os.environ, PATH=path)
        result = subprocess.run(command, cwd=self.work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", timeout=1200)
        self.output = result.stdout
        expected = int(block.options.get("exit", 0))
        if result.returncode != expected:
            raise Wrong(f"exit status {result.returncode} instead of {expected}\n{result.stdout}")
        if block.options.get("says", "") not in result.stdout:
            raise Wrong(f"\"{block.options['says']}\" is not in\n{result.stdout}")

    def save(self, name, text):
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
            file.write(text)

    def complete(self, block, setups):
        """The block's text with what it is a fragment of."""
        options, text = block.options, block.text
        if "with" in options:
            if options["with"] not in setups:
                raise Wrong(f"there is no set-up {options['with']}")
            head, separator, tail = setups[options["with"]].partition("-- block\n")
            if not separator:
                raise Wrong(f"set-up {options['with']} has no line \"-- block\"")
            return head + text + tail
        if "after" in options or "before" in options:
            if self.scenario is None:
                raise Wrong("there is no lua block before it")
            if "after" in options:
                return self.scenario + text
            position = self.scenario.find("\n" + options["before"])
            if position < 0:
                raise Wrong(f"no line of the block before begins with {options['before']}")
            return self.scenario[:position + 1] + text + self.scenario[position + 1:]
        return text

    def run_lua(self, block, setups):
        text = self.complete(block, setups)
        if not re.search(r'require\s*\(?\s*"floc', text):
            raise Wrong("it is no complete scenario (it does not require \"floc\"); say what it is a fragment of")
        self.scenario = text
        name = block.options.get("file", f"block_{block.line}.lua")
        self.save(name, text)
        if "file" in block.options:
            self.saved.add((name, block.line))
            return
        strict = [] if "exit" in block.options else ["--strict"]
        self.execute(["floc", "run", name, "--quiet"] + strict + shlex.split(block.options.get("arguments", "")), block)

    def static_libraries(self):
        """What the static library needs, as pkg-config is told."""
        with open(self.build + "/generated/floc.pc") as file:
            return re.search(r"^Libs.private:(.*)$", file.read(), re.M)[1].split()

    def run_c(self, block, setups):
        name = block.options.get("file", f"block_{block.line}.c")
        text = self.complete(block, setups)
        self.save(name, text)
        program = "./" + name[:-2]
        command = [self.compiler, "-std=gnu11", "-Wall", "-Wextra", "-Werror", name, "-o", program, "-I", self.source + "/include"]
        if "picture" in block.options:
            sources = sorted(glob.glob("bindings/picture/**/*.c", root_dir=self.source, recursive=True))
            command += ["-I", self.source + "/bindings/picture"] + [f"{self.build}/CMakeFiles/floc_picture.dir/{s}.o" for s in sources]
            command += ["-lcairo"]
        command += [self.build + "/libfloc.a", *self.static_libraries()]
        self.execute(command, Block("c", None, "", block.line))
        self.execute([program], block)

    def run_sh(self, block):
        self.called += block.text
        self.execute(["bash", "-euo", "pipefail", "-c", block.text], block)

    def compare(self, block):
        if self.output is None:
            raise Wrong("no block before it printed anything")
        position = 0
        for line in block.text.split("\n"):
            parts = [re.escape(part.strip()) for part in line.split("...")]
            if not "".join(parts):
                continue
            found = re.compile(r"\s*.*?\s*".join(parts)).search(self.output, position)
            if not found:
                raise Wrong(f"the line \"{line}\" is not (or not in this place) in\n{self.output}")
            position = found.end()

    def run(self, block, setups):
        if block.mark and block.mark.startswith("not run:"):
            if len(block.mark) < len("not run: ") + 5:
                raise Wrong("the mark gives no reason")
            if block.language == "lua":
                self.scenario = block.text
            return "not run"
        parse_options(block)
        if block.language == "lua":
            self.run_lua(block, setups)
        elif block.language == "c":
            self.run_c(block, setups)
        elif block.language == "sh":
            self.run_sh(block)
        elif block.language == "text":
            if block.mark == "output":
                self.compare(block)
        else:
            raise Wrong(f"its language is \"{block.language}\"; it must be lua, sh, c or text, or marked <!-- not run: REASON -->")
        return "run"


def run_page(page, source, build, work, compiler):
    """Runs all blocks; the number of failures."""
    failures, counts = 0, {"run": 0, "not run": 0}
    try:
        blocks, setups = read_page(page)
        state = Page(page, source, build, work, compiler)
    except Wrong as wrong:
        print(wrong)
        return 1
    for block in blocks:
        try:
            counts[state.run(block, setups)] += 1
        except (Wrong, subprocess.TimeoutExpired) as wrong:
            failures += 1
            print(f"{page}:{block.line}: {block.language} block: {wrong}")
    for name, line in sorted(state.saved):
        if name not in state.called:
            failures += 1
            print(f"{page}:{line}: {name} is saved, but no sh block uses it")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{page}: {counts['run']} blocks run or shown, {counts['not run']} marked, {failures} failed, "
          f"{used.ru_utime + used.ru_stime:.1f} s of processor time")
    return failures


if __name__ == "__main__":
    sys.exit(1 if run_page(*sys.argv[1:6]) else 0)
