"""The corpus of contact problems: makes it, solves it, compares it with references, writes the tables of docs/solvers.md.

    run.sh make [large] [NAME ...]      records the problems again (large: those that are not in the repository)
    run.sh solve [NAME ...] [options]   solves them: a line per problem, solver and start
    run.sh references [NAME ...]        solves them far below the tolerance and stores what references.txt holds
    run.sh table                        solves all and writes the table into docs/solvers.md
    run.sh check [--short]              solves them, exit status 1 where a solver does not do what it must
    run.sh constants [WORD ...] [--short] [--list]
                                        solves them with half and twice each constant of the solvers whose name has a WORD in it;
                                        --list only compares constants.txt with the sources

Names are problems or folders; without any, all. Options of solve:
    --solvers=LIST      default auto,uzawa,apgd,interior_point
    --starts=LIST       warm, cold; default both
    --tolerance=N       in smallest radii; default: that of the recorded step
    --max-iterations=N  default 20000
    --floc=PROGRAM      default build/floc
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy

import constants
import expectations
import tables
from problem import Problem

HOME = pathlib.Path(__file__).resolve().parent
SOURCE = HOME.parents[1]
PROBLEMS, TABLE, REFERENCES = HOME / "problems", HOME / "problems.txt", HOME / "references.txt"
LARGE = SOURCE / "build-corpus"


# ---- what there is ----

def scenes():
    """Folder, script, parameters, names of the problems."""
    for line in (HOME / "scenes.txt").read_text().splitlines():
        if line and line[0] != "#":
            folder, script, *parameters = line.split()
            recorded = [word for word in parameters if word.startswith("--record=")][0]
            yield folder, script, parameters, [part.split(":")[1] for part in recorded[9:].split(",")]


def read_table():
    """Smallest radius by name, as the scenes printed it."""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if line[0] != "#"]
    return {name: float(radius) for name, radius, *_ in rows}


def chosen(names):
    """Name and path of those that were asked for."""
    found, known = [], set()
    for folder, _, _, recorded in scenes():
        known.update([folder, *recorded])
        for name in recorded:
            path = (LARGE if folder == "large" else PROBLEMS / folder) / (name + ".floc")
            if name in names or folder in names or (not names and folder != "large"):
                found.append((name, path))
    unknown = sorted(set(names) - known)
    if unknown:
        sys.exit(f"no problem or folder {', '.join(unknown)}; see {HOME / 'scenes.txt'}")
    return found


# ---- making ----

def make(options):
    radii = read_table() if TABLE.exists() else {}
    for folder, script, parameters, recorded in scenes():
        asked = folder in options.names or set(recorded) & set(options.names)
        if not (asked or (not options.names and folder != "large")):
            continue
        into = LARGE if folder == "large" else PROBLEMS / folder
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run([options.floc, "run", HOME / "scenes" / (script + ".lua"), *parameters, f"--into={into}", f"--out={scratch}",
                                   "--threads=1", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(recorded)}: {done.stderr}")
        for line in done.stdout.splitlines():
            name, radius, what = line.split("\t")
            print(f"{name}: {what}", flush=True)
            if folder != "large":
                radii[name] = float(radius)
    order = [name for folder, _, _, recorded in scenes() for name in recorded if folder != "large"]
    TABLE.write_text("# problem, smallest radius; made by run.sh make\n" +
                     "".join(f"{name}\t{radii[name]:.12g}\n" for name in order if name in radii))


# ---- solving ----

def solve(options, path, solver, cold, tolerance=None, limit=20000, repeat=1):
    """The report of `floc solve`, and the answer; None twice where the solver is not for this problem."""
    with tempfile.TemporaryDirectory() as scratch:
        answer = os.path.join(scratch, "answer.floc")
        words = [options.floc, "solve", path, f"--solver={solver}", "--json", f"--max-iterations={limit}", f"--repeat={repeat}", "--threads=1",
                 f"--answer={answer}", *(["--cold"] if cold else []), *([f"--tolerance={tolerance!r}"] if tolerance else [])]
        done = subprocess.run(words, capture_output=True, text=True)
        if not done.stdout and solver == "interior_point" and "interior_point" in done.stderr:
            return None, None
        if not done.stdout:
            sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
        return json.loads(done.stdout)[0], Problem(answer).impulse


def measure(options, path, solver, cold, tolerance):
    """As solve, repeated where one solve is too short for the clock."""
    report, impulse = solve(options, path, solver, cold, tolerance, options.max_iterations)
    if not report:
        return None, None
    guess = 2e-8 * max(1, report["iterations"]) * max(1, report["contacts"])
    if options.time and guess < 0.02:
        report, impulse = solve(options, path, solver, cold, tolerance, options.max_iterations, min(100, int(0.02 / guess) + 1))
    return report, impulse


def read_references():
    if not REFERENCES.exists():
        return {}
    lines = [json.loads(line) for line in REFERENCES.read_text().splitlines() if line[0] != "#"]
    return {one["problem"]: one for one in lines}


def compare(problem, judged, reference):
    """Difference of the velocities from the reference over what the reference changes, and the excess of energy over its fall."""
    scale = reference["change"] or 1.0
    away = problem.sums(judged) - numpy.array(reference["sums"])
    return float(numpy.sqrt(numpy.mean(away ** 2)) / scale), (judged["energy"] - reference["energy"]) / (abs(reference["energy"]) or 1.0)


def results(options, solvers, starts):
    """A dictionary for each problem, solver and start."""
    radii, references = read_table(), read_references()
    for name, path in chosen(options.names):
        problem = Problem(path)
        tolerance = options.tolerance * radii[name] if options.tolerance else None
        for solver in solvers:
            for start in starts:
                report, impulse = measure(options, path, solver, start == "cold", tolerance)
                if not report:
                    continue
                judged = problem.judge(impulse)
                one = {"problem": name, "solver": solver, "start": start, "bodies": problem.bodies, "contacts": problem.contacts,
                       "products": report["iterations"], "milliseconds": 1e3 * report["seconds"], "converged": report["converged"],
                       "tolerance": report["tolerance"], "residual": judged["residual"], "claimed": report["residual"],
                       "radius": radii.get(name, float("nan")), "convex": problem.convex, "unique": problem.convex or not numpy.any(problem.friction > 0.0)}
                if name in references:
                    one["difference"], one["excess"] = compare(problem, judged, references[name])
                yield one


HEAD = f"{'problem':36} {'solver':9} {'start':5} {'bodies':>6} {'contacts':>8} {'products':>8} {'CPU ms':>8} {'R/tol':>8} {'R/r':>8} {'from ref.':>9} {'J excess':>9}"


def line(one):
    text = (f"{one['problem']:36} {one['solver']:9} {one['start']:5} {one['bodies']:6d} {one['contacts']:8d} {one['products']:8d} "
            f"{one['milliseconds']:8.3g} {one['residual'] / one['tolerance']:8.2g} {one['residual'] / one['radius']:8.1e} ")
    if "difference" in one:
        text += f"{one['difference']:9.1e} {one['excess']:9.1e}"
    return text + ("" if one["converged"] else "  not converged")


def show(options):
    print(HEAD)
    for one in results(options, options.solvers.split(","), options.starts.split(",")):
        print(line(one), flush=True)


# ---- references ----

def distance(problem, first, second):
    """Of two judged answers, over what the first changes."""
    away = problem.weighted(first["velocity"] - second["velocity"], first["spin"] - second["spin"])
    return float(numpy.linalg.norm(away) / (numpy.linalg.norm(problem.change(first)) or 1.0))


def reference(options, name, path, radius):
    """The answer of the least residual, and how far others are from it: the same solver from the other start, another solver."""
    problem, tries = Problem(path), []
    limit = max(2000, min(20000, int(2e7 / max(1, problem.contacts))))
    for solver, cold, most in (("auto", True, limit), ("auto", False, limit), ("apgd", True, limit // 4), ("interior_point", True, 20000)):
        report, impulse = solve(options, path, solver, cold, 1e-9 * radius, most)
        if not report:
            continue
        judged = problem.judge(impulse)
        tries.append((judged["residual"], f"{solver} {'cold' if cold else 'warm'}", report["iterations"], judged))
    tries.sort(key=lambda one: one[0])
    residual, way, products, best = tries[0]
    others = [f"{other}: {distance(problem, best, judged):.1e} away at {rest / radius:.1e} r" for rest, other, _, judged in tries[1:]]
    spread = min(distance(problem, best, judged) for _, _, _, judged in tries[1:])
    return {"problem": name, "how": f"{way}, {products} products, residual {residual / radius:.1e} r; " + "; ".join(others), "residual": float(f"{residual / radius:.2g}"),
            "agreement": float(f"{spread:.2g}"),
            "energy": best["energy"], "change": float(numpy.linalg.norm(problem.change(best))),
            "sums": [float(f"{value:.12g}") for value in problem.sums(best)]}


def make_references(options):
    known, radii = read_references(), read_table()
    for name, path in chosen(options.names):
        known[name] = reference(options, name, path, radii[name])
        print(f"{name}: {known[name]['how']}", flush=True)
        order = [one for _, _, _, recorded in scenes() for one in recorded if one in known]
        REFERENCES.write_text("# One line for each problem, made by run.sh references; README.md says what the numbers are.\n" +
                              "".join(json.dumps(known[one]) + "\n" for one in order))


# ---- checks and tables ----

def check(options):
    everything, options.time, options.tolerance = not options.names, False, expectations.TOLERANCE
    if options.short:
        options.names = [name for name, _ in chosen(expectations.SHORT) if name not in expectations.SLOW]
    references, faults = read_references(), []
    if everything:
        shapes = [(name, problem.bodies, problem.contacts) for name, problem in ((name, Problem(path)) for name, path in chosen([]))]
        faults += tables.faults(SOURCE / "docs" / "solvers.md", shapes)
    missing = [name for name, _ in chosen(options.names) if name not in references]
    faults += [f"{name}: references.txt has no line" for name in missing]
    solved = {}
    for solver in options.solvers.split(","):
        options.max_iterations = expectations.LIMITS[solver]
        for one in results(options, [solver], options.starts.split(",")):
            print(line(one), flush=True)
            faults += expectations.faults(one, references.get(one["problem"]))
            if solver == "auto":
                solved[one["problem"]] = solved.get(one["problem"], True) and one["converged"]
    for name in sorted(expectations.UNSOLVED):
        if solved.get(name):
            print(f"NOTE {name} is solved by auto: expectations.py need not have it in UNSOLVED")
    for fault in faults:
        print("FAULT", fault)
    sys.exit(1 if faults else 0)


def table(options):
    page, measured = SOURCE / "docs" / "solvers.md", {}
    options.names = []
    for name, _ in chosen([]):
        options.names, measured[name] = [name], []
        for solver, start, limit in tables.COLUMNS:
            options.max_iterations = limit
            measured[name].append(next(results(options, [solver], [start]), None))
            if measured[name][-1]:
                print(line(measured[name][-1]), flush=True)
    tables.write(page, measured)


def measure_constants(options):
    """A line for each constant, with half and twice its value: ratio of products, in the mean and the extremes."""
    listed = constants.read_list(HOME / "constants.txt")
    wrong = constants.faults(SOURCE / "engine" / "contacts", listed)
    for fault in wrong:
        print("FAULT", fault)
    tuned = [key for key, (solvers, _) in listed.items() if solvers != "-" and (not options.names or any(name in key for name in options.names))]
    paths = [path for name, path in chosen(expectations.SHORT if options.short else []) if not options.short or name not in expectations.SLOW]
    plain = [path for path in paths if Problem(path).plain]

    def solve_all(program, solvers):
        """Reports of all, warm and cold, at the tolerances of the files."""
        reports = []
        for solver in solvers.split(","):
            for start in ([], ["--cold"]):
                words = [program, "solve", *(plain if solver == "interior_point" else paths), f"--solver={solver}", "--json", "--threads=1",
                         f"--max-iterations={min(options.max_iterations, 5000)}", *start]
                done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
                if not done.stdout:
                    raise RuntimeError(done.stderr)
                reports += json.loads(done.stdout)
        return [{"problem": pathlib.Path(one["problem"]).stem, "solver": one["solver"], "start": "warm" if one["warm_start"] else "cold",
                 "products": one["iterations"], "converged": one["converged"]} for one in reports]

    def say(key, value, what, texts):
        print(f"{key} = {value}  ({what})", *texts, sep="\n    ", flush=True)
    if not options.list:
        constants.measure(SOURCE, LARGE / "constants", listed, tuned, solve_all, say)
    sys.exit(1 if wrong else 0)


def main():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "solve", "references", "table", "check", "constants"])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--solvers", default="auto,uzawa,apgd,interior_point")
    parser.add_argument("--starts", default="warm,cold")
    parser.add_argument("--tolerance", type=float)
    parser.add_argument("--max-iterations", type=int, default=20000)
    parser.add_argument("--floc", default=str(SOURCE / "build" / "floc"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    options.time = True
    {"make": make, "solve": show, "references": make_references, "table": table, "check": check, "constants": measure_constants}[options.command](options)


main()
