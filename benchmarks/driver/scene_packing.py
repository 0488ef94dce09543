"""Scene 1, dense packing of soft spheres; with its checkpoints (8) and on two threads (9)."""
from cases import CPU, OVERLAPS, RATE, Case, Figure, value
from process import read_marks
from peers import run_floc_grains, run_script, run_yade

FLOC, LAMMPS, LIGGGHTS, YADE = "floc", "lammps", "liggghts", "yade"
TILES = {2000: (1, 1, 1), 32000: (2, 2, 4), 256000: (4, 4, 8)}
# The constants, in floc's words. gamma of LAMMPS is per effective mass, which is 1/2.
STIFFNESS, TANGENTIAL, DAMPING, TANGENTIAL_DAMPING, FRICTION, STEP = 2e5, 2e5 * 2 / 7, 50.0, 25.0, 0.5, 1e-4
SKIN = 0.02  # of the peers' lists; floc chooses its own
WARMUP = 20
# Steps that cost about a second of CPU or more in each code.
STEPS = {2000: {FLOC: 4000, LAMMPS: 4000, LIGGGHTS: 4000, YADE: 4000},
         32000: {FLOC: 300, LAMMPS: 300, LIGGGHTS: 300, YADE: 300},
         256000: {FLOC: 40, LAMMPS: 40, LIGGGHTS: 40, YADE: 40}}
QUALITY = [*OVERLAPS, ("coordination number", value("coordination")), ("kinetic energy", value("kinetic_energy")), CPU]


def state_of(shop, count):
    base = shop.make("packing.state", "dense_packing_benchmark", "write")
    return base if count == 2000 else shop.make(f"packing-{count}.state", "write_scene", "tile", base, *TILES[count])


def with_work(result, count, steps):
    values, command = result
    return {**values, "particles": count, "steps": steps}, command


def floc_run(count, steps, threads=1, **words):
    def run(shop):
        return with_work(run_floc_grains(shop, state_of(shop, count), steps=steps, warmup=WARMUP, time_step=STEP,
                                         stiffness=STIFFNESS, damping=DAMPING, friction=FRICTION, threads=threads, **words),
                         count, steps)
    return run


def script_run(program, script, count, steps, processes=1):
    variables = {"skin": SKIN, "kn": STIFFNESS, "kt": TANGENTIAL, "mu": FRICTION, "step": STEP, "warmup": WARMUP, "steps": steps}
    if program == "lmp":
        variables.update(gamman=2 * DAMPING, gammat=2 * TANGENTIAL_DAMPING)
    else:
        variables.update(cn=DAMPING, ct=TANGENTIAL_DAMPING)

    def run(shop):
        return with_work(run_script(shop, program, f"dense_packing/{script}", state_of(shop, count), variables, processes),
                         count, steps)
    return run


def yade_run(count, steps, threads=1):
    given = {"kn": STIFFNESS, "kt": TANGENTIAL, "cn": DAMPING, "ct": TANGENTIAL_DAMPING, "mu": FRICTION, "skin": SKIN,
             "step": STEP, "warmup": WARMUP, "steps": steps}
    return lambda shop: with_work(run_yade(shop, "dense_packing/yade.py", state_of(shop, count), given, threads), count, steps)


def packing_cases(size):
    found = []
    for count, steps in STEPS.items():
        runs = {FLOC: floc_run(count, steps[FLOC]), LAMMPS: script_run("lmp", "in.lammps", count, steps[LAMMPS]),
                LIGGGHTS: script_run("liggghts", "in.liggghts", count, steps[LIGGGHTS]), YADE: yade_run(count, steps[YADE])}
        note = ""
        if count == 256000 and size != "full":
            del runs[YADE]
            note = "YADE runs this size with --full: it needs half a minute of CPU before its first step."
        found.append(Case(1, f"{count:,} spheres", RATE, runs, QUALITY, "quick" if count == 2000 else "default",
                          slow={YADE: 1} if count > 2000 and size != "full" else {}, note=note))
    return found


# ---- scene 8: the state of 32,000 spheres with their contact history, to a file and back ----

def checkpoint_case(size):
    count, steps = 32000, 20
    runs = {FLOC: floc_run(count, steps, checkpoint="scene8.floc"),
            "floc, uncompressed": floc_run(count, steps, checkpoint="scene8-uncompressed.floc", compression="none"),
            LAMMPS: restart_run("lmp", "checkpoint/in.lammps", count),
            LIGGGHTS: restart_run("liggghts", "checkpoint/in.liggghts", count),
            YADE: yade_save_run(count)}
    quality = [("read, ms", value("read_seconds", 1e3)), ("file, bytes per particle", lambda v: v["file_bytes"] / count),
               ("write, wall ms", value("write_wall_seconds", 1e3)), ("read, wall ms", value("read_wall_seconds", 1e3))]
    return [Case(8, f"{count:,} spheres", Figure("write, ms of CPU (user and system)", value("write_seconds", 1e3), False), runs, quality,
                 slow={YADE: 1},
                 note="floc compresses, flushes to disk, reads back and verifies what it wrote; uncompressed, it does all but the first. "
                      "The peers do none of that.")]


RESTARTS = 100  # loops of scenes/checkpoint; a process counts its time in ticks of 10 ms


def restart_run(program, script, count):
    def run(shop):
        variables = {"skin": SKIN, "kn": STIFFNESS, "kt": TANGENTIAL, "mu": FRICTION, "step": STEP}
        if program == "lmp":
            variables.update(gamman=2 * DAMPING, gammat=2 * TANGENTIAL_DAMPING)
        else:
            variables.update(cn=DAMPING, ct=TANGENTIAL_DAMPING)
        file = shop.folder / f"{program}.restart"
        values, command = run_script(shop, program, script, state_of(shop, count), {**variables, "file": str(file.name)})
        marks = (shop.folder / f"{program}.marks").read_text()
        write, read = read_marks(marks, "begin", "end"), read_marks(marks, "read_begin", "read_end")
        both = lambda marks: (marks["cpu_seconds"] + marks["system_seconds"]) / RESTARTS
        return {"write_seconds": both(write), "write_wall_seconds": write["wall_seconds"] / RESTARTS,
                "read_seconds": both(read), "read_wall_seconds": read["wall_seconds"] / RESTARTS, "file_bytes": file.stat().st_size}, command
    return run


def yade_save_run(count):
    given = {"kn": STIFFNESS, "kt": TANGENTIAL, "cn": DAMPING, "ct": TANGENTIAL_DAMPING, "mu": FRICTION, "skin": SKIN,
             "step": STEP, "warmup": 20, "steps": 20, "save": "scene8.yade.gz", "times": 2}
    return lambda shop: run_yade(shop, "dense_packing/yade.py", state_of(shop, count), given)


# ---- scene 9: two threads ----

def thread_cases(size):
    found = []
    for count, steps in ((32000, 300), (256000, 40)):
        runs = {"floc, 1 thread": floc_run(count, steps), "floc, 2 threads": floc_run(count, steps, 2),
                "lammps, 1 process": script_run("lmp", "in.lammps", count, steps),
                "lammps, 2 processes (MPI)": script_run("lmp", "in.lammps", count, steps, 2),
                "liggghts, 1 process": script_run("liggghts", "in.liggghts", count, steps),
                "liggghts, 2 processes (MPI)": script_run("liggghts", "in.liggghts", count, steps, 2)}
        if count == 32000:
            runs.update({"yade, 1 thread": yade_run(count, 100), "yade, 2 threads": yade_run(count, 100, 2)})
        found.append(Case(9, f"dense packing, {count:,} spheres", WALL_RATE, runs, [("user CPU, s", value("cpu_seconds")),
                          ("wall, s", value("wall_seconds")), ("kinetic energy", value("kinetic_energy"))],
                          rounds=3 if count == 32000 else 2, ratio_of="floc, 2 threads",
                          note="User CPU of two MPI processes is the first one's."))
    return found


WALL_RATE = Figure("million particle-steps per wall second",
                   lambda v: v["particles"] * v["steps"] / v["wall_seconds"] * 1e-6)
