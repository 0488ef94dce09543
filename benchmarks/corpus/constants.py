"""What each constant of the solvers is worth: the corpus solved with half and with twice its value.

The constants stay where they are, beside the code that they steer. The sources are copied to a scratch folder and built there;
one constant at a time is changed in the copy, which compiles what includes it. constants.txt says what each decides; a constant of
the solvers that is not there is a fault, and so is a line without its constant.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess

ROOMS = ("problem", "solvers", "blocks", "finish")
FORMATS = ("problem_file.c", "problem_file_old.c")  # numbers of a file's form, not of a solver
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def read_list(path):
    """Key, solvers, what it decides."""
    rows = [line.split("\t") for line in path.read_text().splitlines() if line and line[0] != "#"]
    return {key: (solvers, what) for key, solvers, what in rows}


def find(contacts):
    """Every constant at the level of a file: value and where it stands, by `room/file:name`."""
    found = {}
    for room in ROOMS:
        for path in sorted((contacts / room).glob("*.[ch]")) if (contacts / room).exists() else []:
            if path.name in FORMATS:
                continue
            text = COMMENT.sub(lambda match: " " * len(match.group()), path.read_text())
            parts = [match for match in re.finditer(r"^enum \{([^}]*)\}", text, re.M)]
            parts += [match for match in re.finditer(r"^static const double ([^;{]*);", text, re.M)]
            for part in parts:
                for one in re.finditer(r"(\w+) = ([-+]?[0-9][0-9.e+-]*)", part.group(1)):
                    begin = part.start(1) + one.start(2)
                    found[f"{room}/{path.name}:{one.group(1)}"] = (one.group(2), path, begin)
    return found


def faults(contacts, listed):
    found = find(contacts)
    return ([f"{key} = {found[key][0]} is not in constants.txt" for key in sorted(found.keys() - listed.keys())] +
            [f"constants.txt has {key}, which is no constant of the solvers" for key in sorted(listed.keys() - found.keys())])


def changed(value, factor):
    """Text of a number of the same kind; nothing where that is the same number."""
    if re.fullmatch(r"[-+]?[0-9]+", value):
        other = str(max(1, round(int(value) * factor)))
        return None if other == value else other
    return repr(float(value) * factor)


class Scratch:
    """A copy of the sources and its build."""

    def __init__(self, source, folder):
        self.source, self.folder, self.build = source, folder, folder / "build"
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(source, folder, ignore=self.skipped, symlinks=True)
        # As scripts/test.sh configures, and the build in the same place: a cache of compilations may know most of it.
        self.run("cmake", "--preset", "release", "-DFLOC_WERROR=ON", "-DFLOC_TESTS=ON")
        self.compile()

    def skipped(self, folder, names):
        """What no build needs, of the root; sources have such names as well."""
        top = pathlib.Path(folder) == self.source
        return [name for name in names if name == "problems" or top and (name in (".git", "out", "docs") or name.startswith("build"))]

    def run(self, *words):
        done = subprocess.run(list(map(str, words)), cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(" ".join(map(str, words)) + "\n" + done.stdout[-2000:] + done.stderr[-2000:])

    def compile(self):
        self.run("cmake", "--build", self.build, "--target", "floc_program")
        return self.build / "floc"

    def copy_of(self, path):
        return self.folder / path.relative_to(self.source)

    def build_with(self, path, begin, value, other):
        """The program with another number at this place of this file."""
        text = path.read_text()
        assert text[begin:begin + len(value)] == value
        self.copy_of(path).write_text(text[:begin] + other + text[begin + len(value):])
        return self.compile()

    def restore(self, path):
        shutil.copy(path, self.copy_of(path))
        os.utime(self.copy_of(path))


def cost(ones):
    """Products by problem, solver, start; those not solved."""
    return ({(one["problem"], one["solver"], one["start"]): max(1, one["products"]) for one in ones if one["converged"]},
            {(one["problem"], one["solver"], one["start"]) for one in ones if not one["converged"]})


def ratios(now, before):
    """Mean (geometric) and extreme ratios of products on what both solve, solved no more, solved in addition."""
    both = sorted(now[0].keys() & before[0].keys())
    each = [math.log(now[0][key] / before[0][key]) for key in both] or [0.0]
    worst = max(range(len(each)), key=lambda k: each[k])
    return {"mean": math.exp(sum(each) / len(each)), "least": math.exp(min(each)), "greatest": math.exp(max(each)),
            "where": both[worst] if both else ("-",) * 3, "lost": len(now[1] - before[1]), "won": len(before[1] - now[1])}


def sentence(result):
    if isinstance(result, str):
        return result
    text = f"{result['mean']:.3f} ({result['least']:.2f} to {result['greatest']:.2f}, {' '.join(result['where'])})"
    if result["lost"] or result["won"]:
        text += f", solved {result['won'] - result['lost']:+d}"
    return text


def measure(source, scratch_folder, listed, wanted, solve_all, say):
    """solve_all(program, solvers): what `results` gives. Says a line for each constant; pathlib paths."""
    found, before = find(source / "engine" / "contacts"), {}
    scratch = Scratch(pathlib.Path(source), pathlib.Path(scratch_folder))
    for key in wanted:
        solvers, what = listed[key]
        value, path, begin = found[key]
        if solvers not in before:
            before[solvers] = cost(solve_all(scratch.compile(), solvers))
        texts = []
        for factor in (0.5, 2.0):
            other = changed(value, factor)
            try:
                program = scratch.build_with(path, begin, value, other) if other else None
                result = sentence(ratios(cost(solve_all(program, solvers)), before[solvers])) if program else "the same number"
            except RuntimeError as error:
                result = "does not build: " + str(error).strip().splitlines()[-1]
            texts.append(f"{other}: {result}")
            scratch.restore(path)
        scratch.compile()
        say(key, value, what, texts)
