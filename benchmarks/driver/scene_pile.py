"""Scene 3, the pile of hard discs, in floc and in Box2D."""
from cases import Case, Figure, value
from peers import compile_peer, named
from process import read_values, run_program

TURNING, TOLERANCE = 0.2, 0.05  # rad/s of the cross; floc's, in least radii
SETTLING = 300                  # frames
FRAMES = {3000: 90, 10000: 60, 50000: 60}
SIZES = {3000: "quick", 10000: "default", 50000: "default"}
# What was reported for Box2D 3 with 16 substeps, ms per frame; 8.4 % mean overlap at 10,000.
QUOTED = {3000: 6.6, 10000: 27.6, 50000: 288.0}


def state_of(shop, count):
    path = shop.folder / f"pile-{count}.state"
    if not path.exists():
        making = path.with_suffix(".making")
        run_program([shop.programs / "pile_benchmark", count, 1, TOLERANCE, TURNING, SETTLING, 1, f"end={making}"], shop.folder)
        making.rename(path)
    return path


def floc_pile(count, tolerance=TOLERANCE, threads=1):
    def run(shop):
        end = shop.folder / "floc.end"
        text, command = shop.run("pile_benchmark", count, 1, tolerance, TURNING, FRAMES[count], threads,
                                 f"start={state_of(shop, count)}", f"end={end}")
        values = read_values(text)
        return {**values, "unsolved": values["unconverged"], **shop.quality(end)}, command
    return run


def box2d_pile(count, substeps, velocity_iterations, position_iterations, frames):
    def run(shop):
        compile_peer(shop, "pile/box2d_pile.cpp", ["-lbox2d"])
        end = shop.folder / "box2d.end"
        text, command = shop.run("box2d_pile", *named({
            "start": state_of(shop, count), "substeps": substeps, "velocity_iterations": velocity_iterations,
            "position_iterations": position_iterations, "frames": frames, "turning": TURNING, "end": end}))
        return {**read_values(text), **shop.quality(end)}, command
    return run


def pile_cases(size):
    found = []
    for count in FRAMES:
        runs = {"floc": floc_pile(count), "floc, tolerance 0.02": floc_pile(count, 0.02)}
        slow, frames = {}, FRAMES[count]
        settings = {"box2d, 16 substeps, 1 + 1 iterations": (16, 1, 1), "box2d, 4 substeps, 8 + 3": (4, 8, 3),
                    "box2d, 16 substeps, 8 + 3": (16, 8, 3)}
        for name, setting in settings.items():
            if size != "full" and count > 3000 and setting == (4, 8, 3):
                continue  # Box2D needs seconds per frame there
            runs[name] = box2d_pile(count, *setting, frames if size == "full" or count < 50000 else frames // 6)
            if size != "full":
                slow[name] = 1 if count > 3000 else 2
            if size != "full" and count > 10000 and setting != (16, 1, 1):
                del runs[name]  # minutes
        quality = [("slowest frame, ms", value("slowest_ms")), ("mean overlap of touching pairs, % of radius", value("mean_overlap", 100)), ("greatest, %", value("greatest_overlap", 100)),
                   ("coordination number", value("coordination")), ("kinetic energy", value("kinetic_energy")),
                   ("iterations per frame", value("iterations")), ("unsolved frames", value("unsolved"))]
        note = f"Box2D 3 with 16 substeps is said to take {QUOTED[count]} ms per frame; Debian has version 2.4, which is what runs here."
        found.append(Case(3, f"{count:,} discs", Figure("ms of user CPU per frame", value("ms_per_frame"), False), runs, quality,
                          SIZES[count], slow=slow, note=note))
    return found


def thread_cases(size):
    found = []
    for count in (10000, 50000):
        runs = {f"floc, {n} thread{'s' * (n > 1)}": floc_pile(count, threads=n) for n in (1, 2)}
        found.append(Case(9, f"pile of {count:,} discs", Figure("wall ms per frame", value("wall_ms_per_frame"), False), runs,
                          [("user CPU, ms per frame", value("ms_per_frame")), ("mean overlap, %", value("mean_overlap", 100))],
                          SIZES[count], ratio_of="floc, 2 threads"))
    return found
