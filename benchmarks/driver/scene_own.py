"""Scenes 4, 5 and 7: aggregation, ballistic aggregation, laws; their programs print prose, read here."""
import math
import re

from cases import RATE, Case, Figure, Shared, value
from peers import HERE, SCENES, run_script, run_yade
from process import Failed, read_values, run_program
from scene_packing import state_of as packing_of


def found_in(pattern, text, what):
    match = re.search(pattern, text, re.M)
    if not match:
        raise Failed(f"{what} did not print what was expected")
    return match


# ---- scene 4: the step of aggregation, and its solver against the papers' ----

def step_run(dimension, count, before, measured):
    def run(shop):
        text, command = shop.run("step_benchmark", dimension, count, before, measured, 1)
        head = found_in(r"particles: (\S+) ms per step, (\S+) us per particle.*?, (\d+) MB", text, "step_benchmark")
        row = found_in(r"contacts (\d+), iterations (\S+) per step, unconverged (\d+), greatest residual (\S+) tolerances, greatest overlap (\S+)",
                       text, "step_benchmark")
        values = {"ms": float(head[1]), "us": float(head[2]), "megabytes": float(head[3]), "contacts": float(row[1]),
                  "iterations": float(row[2]), "unconverged": float(row[3]), "residual": float(row[4]), "greatest_overlap": float(row[5])}
        lists = found_in(r"wall \S+ ms per step, (\S+) lists per step, (\S+) entries", text, "step_benchmark")
        values.update({"lists": float(lists[1]), "entries": float(lists[2])})
        stages = found_in(r"stages: (.*)$", text, "step_benchmark")[1].split()
        values.update({f"stage.{name}": float(share.rstrip("%")) for name, share in zip(stages[::2], stages[1::2])})
        return values, command
    return run


SOLVER_ROW = r"^{name}\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$"


def solver_run(count, warmup, steps, name):
    def run(shop):
        text, command = shop.run("solver_benchmark", "aggregation", f"particles={count}", f"warmup={warmup}", f"steps={steps}",
                                 "solvers=" + name, f"state=aggregation-{count}.raw")
        row = found_in(SOLVER_ROW.format(name=name), text, "solver_benchmark")
        overlap = found_in(r"overlap over radius: mean (\S+?), greatest (\S+?);", text, "solver_benchmark")
        return {"ms": float(row[1]), "products": float(row[2]), "unsolved": float(row[3]), "residual": float(row[4]),
                "mean_overlap": float(overlap[1]), "greatest_overlap": float(overlap[2])}, command
    return run


def aggregation_cases(size):
    found = []
    quality = [("ms per step", value("ms")), ("contacts", value("contacts")), ("iterations per step", value("iterations")),
               ("steps above the tolerance", value("unconverged")), ("greatest residual, tolerances", value("residual")),
               ("greatest overlap, radii", value("greatest_overlap")), ("peak memory, MB", value("megabytes"))]
    figure = Figure("microseconds of user CPU per particle and step", value("us"), False)
    # settled: memory has grown to its size, and margins of lists to theirs; whole lists, of which one is made every few steps
    for dimension, count, before, measured, least in ((2, 1000, 200, 200, "quick"), (2, 10000, 200, 100, "default"), (2, 100000, 100, 50, "default"),
                                                      (2, 1000000, 100, 50, "full"), (3, 1000, 100, 50, "default"), (3, 10000, 50, 30, "default"),
                                                      (3, 100000, 20, 20, "full"), (3, 1000000, 10, 10, "full")):
        found.append(Case(4, f"step, {dimension}-D, {count:,} particles", figure, {"floc": step_run(dimension, count, before, measured)}, quality,
                          least, rounds=3 if count < 100000 else 1))
    quality = [("products with the contact matrix", value("products")), ("steps not solved", value("unsolved")),
               ("greatest residual, radii", value("residual")), ("mean overlap, radii", value("mean_overlap")), ("greatest", value("greatest_overlap"))]
    figure = Figure("ms of CPU per contact problem", value("ms"), False)
    for count, warmup, steps, least in ((1000, 200, 20, "default"), (10000, 100, 5, "default"), (100000, 50, 3, "full")):
        runs = {"floc": solver_run(count, warmup, steps, "auto"), "floc, Uzawa from zero as in the paper": solver_run(count, warmup, steps, "uzawa-cold"),
                "floc, Uzawa with a warm start": solver_run(count, warmup, steps, "uzawa")}
        found.append(Case(4, f"contact problem, 2-D, {count:,} particles, residual 1e-6 of a radius", figure, runs, quality, least, rounds=1 if count > 10000 else 3))
    return found


# ---- scene 5: ballistic aggregation to one cluster ----

METHODS = {"floc, event-driven": "event_driven", "floc, time stepping (projection)": "projection"}


def ballistic_run(method, counts):
    """All sizes in one run, for the exponent: the slope of log CPU over log N through the sizes of 0.05 s and more."""
    def run(shop):
        values, points = {}, []
        for count in counts:
            text, command = shop.run("ballistic_benchmark", method, count)
            match = found_in(r"N = (\d+), .*?: (\S+) s, (\d+) MB", text, "ballistic_benchmark")
            values[f"seconds_{count}"], values["megabytes"] = float(match[2]), float(match[3])
            if float(match[2]) >= 0.05:
                points.append((math.log(float(match[1])), math.log(float(match[2]))))
            gap = re.search(r"greatest (?:gap|residual) (\S+)", text)
            values["gap"] = float(gap[1])
            unsolved = re.search(r"unsolved (\d+)", text)
            values["unsolved"] = float(unsolved[1]) if unsolved else 0.0
        values["seconds"] = values[f"seconds_{counts[-1]}"]
        if len(points) > 1:
            (x0, y0), (x1, y1) = points[0], points[-1]
            values["exponent"] = (y1 - y0) / (x1 - x0)
        return values, command.rsplit(" ", 1)[0] + " N"
    return run


def ballistic_cases(size):
    counts = {"quick": (100, 1000, 10000), "default": (100, 1000, 10000, 100000), "full": (100, 1000, 10000, 100000, 1000000)}[size]
    quality = [(f"N = {count:,}, s", value(f"seconds_{count}")) for count in counts]
    quality += [("exponent", value("exponent")), ("greatest gap or residual at a contact, radii", value("gap")), ("unsolved links", value("unsolved")),
                ("peak memory, MB", value("megabytes"))]
    return [Case(5, f"to one cluster, 2-D, volume fraction 0.2, N to {counts[-1]:,}", Figure(f"user CPU at N = {counts[-1]:,}, s", value("seconds"), False),
                 {name: ballistic_run(method, counts) for name, method in METHODS.items()}, quality, "quick", rounds=3 if size != "full" else 1,
                 ratio_of="floc, event-driven")]


# ---- scene 7: laws in Lua against laws in C ----

LAWS = ("spring", "contact", "attraction", "near_field", "field")


def traced_programs(shop):
    path = shop.folder / "laws.txt"
    path.write_text(run_program([shop.floc, "run", "--quiet", HERE.parent / "law_benchmark.lua"], shop.folder))
    return path


def all_laws(shop):
    text, command = shop.run("law_benchmark", traced_programs(shop))
    rows = re.findall(r"^(\S+)\s+C\s+(\S+) ns, traced\s+(\S+) ns per element: ratio \S+ .*difference (\S+)$", text, re.M)
    if not set(LAWS) <= {row[0] for row in rows}:
        raise Failed("law_benchmark did not print what was expected")
    values = {f"{name}.{key}": float(word) for name, *words in rows for key, word in zip(("C", "Lua", "difference"), words)}
    return values, command


def law_run(shared, law, way):
    run = shared.again()

    def shown(shop):
        values, command = run(shop)
        return {"ns": values[f"{law}.{way}"], "difference": values[f"{law}.difference"]}, command
    return shown


SCRIPTED = {"skin": 0.02, "step": 1e-4, "warmup": 20}
PACKING = 2000


def scripted_floc(law, steps):
    def run(shop):
        script = SCENES / "scripted_law/scripted_law.lua"
        text = run_program([shop.floc, "run", "--quiet", script, f"--state={packing_of(shop, PACKING)}", f"--law={law}", f"--steps={steps}"],
                           shop.folder)
        return {**read_values(text), "particles": PACKING, "steps": steps}, f"floc run scenes/scripted_law/scripted_law.lua --law={law} --steps={steps}"
    return run


def scripted_lammps(law, steps):
    def run(shop):
        variables = {**SCRIPTED, "steps": steps, "law": str(SCENES / f"scripted_law/law.{law}")}
        values, _ = run_script(shop, "lmp", "scripted_law/in.lammps", packing_of(shop, PACKING), variables,
                               environment={"PYTHONPATH": str(SCENES / "scripted_law")})
        return {**values, "particles": PACKING, "steps": steps}, f"lmp -in scenes/scripted_law/in.lammps -var law law.{law} -var steps {steps}"
    return run


def scripted_yade(law, steps):
    def run(shop):
        values, command = run_yade(shop, "scripted_law/yade.py", packing_of(shop, PACKING), {**SCRIPTED, "steps": steps, "law": law})
        return {**values, "particles": PACKING, "steps": steps}, command
    return run


def law_cases(size):
    runs = {"floc, Lua": scripted_floc("lua", 2000), "floc, own": scripted_floc("own", 2000),
            "lammps, Python": scripted_lammps("python", 2000), "lammps, own": scripted_lammps("own", 2000),
            "yade, Python": scripted_yade("python", 50), "yade, own": scripted_yade("own", 2000)}
    found = [Case(7, "a contact spring on 2,000 spheres, scripted and compiled", RATE, runs,
                  [("kinetic energy at the end of these steps", value("kinetic_energy")), ("steps", value("steps"))], "quick", ratio_of="floc, Lua",
                  note="Equal kinetic energies show that it was the same scene; YADE runs 50 steps in Python, which is why its energy differs. "
                       "LIGGGHTS in Debian has no scripted law.")]
    figure = Figure("ns of user CPU per element", value("ns"), False)
    shared = Shared(all_laws)
    for law in LAWS:
        found.append(Case(7, f"law {law}: traced Lua against C with the engine's flags", figure,
                          {"floc, traced Lua": law_run(shared, law, "Lua"), "floc, the same in C": law_run(shared, law, "C")}, [("greatest relative difference of the two", value("difference"))],
                          "default", ratio_of="floc, traced Lua"))
    return found
