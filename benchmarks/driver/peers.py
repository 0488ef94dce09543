"""How a scene is run in each code. Every run gives a dictionary of numbers and the command that made it."""
import json
from pathlib import Path

from process import Failed, read_marks, read_values, run_program
from states import state_from_rows, write_lammps_data

HERE = Path(__file__).resolve().parent
SCENES = HERE.parent / "scenes"


class Workshop:
    """Where programs and states are."""

    def __init__(self, build):
        build = Path(build).resolve()
        self.programs = build / "benchmarks"
        self.folder = build / "scenes"
        self.floc = build / "floc"
        self.folder.mkdir(parents=True, exist_ok=True)

    def make(self, name, program, *words):
        """A file of the folder; made by the program once, the file's path being its last word."""
        path = self.folder / name
        if not path.exists():
            making = self.folder / (name + ".making")
            run_program([self.programs / program, *words, making], self.folder)
            making.rename(path)
        return path

    def run(self, program, *words, environment=None, limit=1800):
        text = run_program([self.programs / program, *words], self.folder, environment, limit)
        command = " ".join([program, *(str(w).replace(str(self.folder) + "/", "") for w in words)])
        return text, command

    def quality(self, state):
        return read_values(run_program([self.programs / "measure_state", state], self.folder))


def named(words):
    return [f"{name}={value!r}" if isinstance(value, float) else f"{name}={value}" for name, value in words.items()]


def run_floc_grains(shop, state, **words):
    """soft_grains_benchmark, and the quality of the state at its end."""
    end = shop.folder / "floc.end"
    text, command = shop.run("soft_grains_benchmark", *named({"state": state, **words, "end": end}))
    return {**read_values(text), **shop.quality(end)}, command


def run_script(shop, program, script, state, variables, processes=1, box=None, environment=None):
    """LAMMPS or LIGGGHTS: input script, variables, marks, and the quality of the state at the end."""
    name = Path(program).name
    marks, end = shop.folder / f"{name}.marks", shop.folder / f"{name}.end"
    for old in (marks, end):
        old.unlink(missing_ok=True)
    data = write_lammps_data(state, Path(state).with_suffix(".data"), box)
    given = {"data": data, "mark": HERE / "mark.sh", "marks": marks, "end": end, **variables}
    parallel = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-np", processes] if processes > 1 else []
    command = [*parallel, program, "-in", SCENES / script, "-log", "none"]  # LIGGGHTS crashes without a screen
    for key, value in given.items():
        command += ["-var", key, repr(value) if isinstance(value, float) else value]
    run_program(command, shop.folder, environment)
    if not marks.exists():
        raise Failed(f"{program} ended without a mark")
    values = read_marks(marks.read_text())
    if end.exists():
        values.update(shop.quality(state_from_rows(state, end, end.with_suffix(".state"))))
    shown = " ".join(f"-var {k} {v}" for k, v in variables.items())
    return values, f"{' '.join(map(str, parallel))} {name} -in scenes/{script} -var data {Path(data).name} {shown}".strip()


def run_yade(shop, script, state, given, threads=1):
    end = shop.folder / "yade.end"
    end.unlink(missing_ok=True)
    words = {"state": str(state), "end": str(end), **given}
    text = run_program(["yade", "-n", "-x", f"-j{threads}", SCENES / script], shop.folder,
                       {"FLOC_PEER": json.dumps(words), "OMP_NUM_THREADS": str(threads)})
    values = read_values(text)
    if "cpu_seconds" not in values:
        raise Failed("yade ended without its numbers: " + text.strip().splitlines()[-1][:200])
    if end.exists():
        values.update(shop.quality(state_from_rows(state, end, end.with_suffix(".state"))))
    return values, f"FLOC_PEER='{json.dumps(given)}' yade -n -x -j{threads} scenes/{script}"


def compile_peer(shop, source, libraries):
    """A peer's program in C or C++, made once; the compiler and -O3 of floc's own build."""
    path, program = SCENES / source, shop.programs / Path(source).stem
    if not program.exists() or program.stat().st_mtime < path.stat().st_mtime:
        compiler = "c++" if path.suffix == ".cpp" else "cc"
        run_program([compiler, "-O3", f"-I{HERE.parent.parent / 'include'}", path, "-o", program, *libraries, "-lm"], shop.folder)
    return program.name
