"""Scene 10, the Lennard-Jones liquid of LAMMPS's bench/in.lj: the script of examples/recipes, and lj/cut of LAMMPS."""
import re

from cases import RATE, Case, value
from peers import HERE, SCENES
from process import Failed, read_marks, read_values, run_program

SCRIPT = HERE.parent.parent / "examples/recipes/lennard_jones_liquid.lua"
NUMBER = r"(-?\d+\.\d+)"


def with_start(values, found, cells, steps):
    """The numbers at step 0, which both codes print."""
    if not found:
        raise Failed("no numbers at step 0")
    energy, total, pressure = map(float, found.groups())
    return {**values, "pairs_energy": energy, "total_energy": total, "pressure": pressure, "particles": 4 * cells ** 3, "steps": steps}


def floc_run(cells, steps):
    def run(shop):
        words = [f"--cells={cells}", f"--steps={steps}"]
        text = run_program([shop.floc, "run", "--quiet", "--threads=1", SCRIPT, *words], shop.folder)
        found = re.search(rf"step 0: .*E_pair {NUMBER}, total {NUMBER}, pressure {NUMBER}", text)
        return with_start(read_values(text), found, cells, steps), f"floc run lennard_jones_liquid.lua {' '.join(words)}"
    return run


def lammps_run(cells, steps):
    def run(shop):
        marks = shop.folder / "liquid.marks"
        marks.unlink(missing_ok=True)
        words = ["-var", "cells", cells, "-var", "steps", steps]
        text = run_program(["lmp", "-in", SCENES / "lennard_jones/in.lammps", "-log", "none", *words, "-var", "mark", HERE / "mark.sh",
                            "-var", "marks", marks], shop.folder)
        found = re.search(rf"^ *0 +-?\d+\.\d+ +{NUMBER} +{NUMBER} +{NUMBER}", text, re.MULTILINE)
        return with_start(read_marks(marks.read_text()), found, cells, steps), f"lmp -in scenes/lennard_jones/in.lammps {' '.join(map(str, words))}"
    return run


def liquid_cases(size):
    cells, steps = 20, 100
    return [Case(10, "32,000 atoms, cut off at 2.5", RATE, {"floc": floc_run(cells, steps), "lammps": lammps_run(cells, steps)},
                 [("E_pair at step 0", value("pairs_energy")), ("total energy", value("total_energy")), ("pressure", value("pressure"))],
                 note="floc's law is a function in Lua that also returns its energy; LAMMPS's is compiled.")]
