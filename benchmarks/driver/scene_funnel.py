"""Scene 2, funnel with wheel: the bodies in each code's words, and the runs."""
import math

from cases import CPU, OVERLAPS, Case, Figure, Shared, value
from peers import run_floc_grains, run_script, run_yade

GRAINS, START = 3300, 1.5  # discs; seconds of the sedimentation at which the runs begin
STIFFNESS, TANGENTIAL, DAMPING, TANGENTIAL_DAMPING, FRICTION = 1e6, 1e6 * 2 / 7, 400.0, 200.0, 0.3
STEP, MASS, SKIN = 1e-4, 2.0, 0.006
WARMUP = 1000          # soft steps: 0.1 s
THIN = 1e-4            # half of a plate's thickness where a code needs one
BOX = ((-3.0, 6.0), (-12.0, 6.0), (-0.5, 0.5))
STEPS = {"quick": 500, "default": 2000, "full": 60000}


def state_of(shop):
    return shop.make("funnel.state", "write_scene", "funnel", GRAINS, START)


def read_bodies(shop):
    """Segments and discs as lists of numbers, the wheel as a dictionary."""
    found = {"segment": [], "disc": [], "wheel": None}
    for line in shop.make("funnel.bodies", "write_scene", "funnel_bodies").read_text().splitlines():
        kind, *numbers = line.split()
        numbers = [float(word) for word in numbers]
        if kind == "wheel":
            found["wheel"] = dict(zip(("x", "y", "radius", "paddles", "speed"), numbers))
        else:
            found[kind].append(numbers)
    return found


def disc_corners(x, y, radius, corners=24):
    at = [(x + radius * math.cos(2 * math.pi * k / corners), y + radius * math.sin(2 * math.pi * k / corners))
          for k in range(corners + 1)]
    return [[*a, *b] for a, b in zip(at, at[1:])]


def wheel_plates(wheel, time):
    """The paddles at a time; the first one points along x at time 0."""
    angles = [wheel["speed"] * time + 2 * math.pi * k / wheel["paddles"] for k in range(int(wheel["paddles"]))]
    return [[wheel["x"], wheel["y"], wheel["x"] + wheel["radius"] * math.cos(a), wheel["y"] + wheel["radius"] * math.sin(a)]
            for a in angles]


# ---- LAMMPS ----

WALL = "hooke/history {kn!r} {kt!r} {gn!r} {gt!r} {mu!r} 1"


def lammps_block(name, x, y, half_length, angle, law):
    """A plate with middle x, y: a block along x, turned by the variable expression `angle`."""
    return [f"variable a{name} equal {angle}",
            f"region r{name} block {x - half_length!r} {x + half_length!r} {y - THIN!r} {y + THIN!r} -1 1 side out "
            f"rotate v_a{name} {x!r} {y!r} 0 0 0 1 units box",
            f"fix w{name} all wall/gran/region {law} region r{name}"]


def write_lammps_walls(shop, path):
    bodies, wheel = read_bodies(shop), read_bodies(shop)["wheel"]
    law = WALL.format(kn=STIFFNESS, kt=TANGENTIAL, gn=DAMPING / MASS, gt=TANGENTIAL_DAMPING / MASS, mu=FRICTION)
    lines = []
    for k, (x0, y0, x1, y1) in enumerate(bodies["segment"]):
        lines += lammps_block(f"s{k}", 0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * math.hypot(x1 - x0, y1 - y0),
                              repr(math.atan2(y1 - y0, x1 - x0)), law)
    for k, (x, y, radius) in enumerate(bodies["disc"]):
        lines += [f"region rd{k} cylinder z {x!r} {y!r} {radius!r} -1 1 side out units box",
                  f"fix wd{k} all wall/gran/region {law} region rd{k}"]
    for k in range(int(wheel["paddles"]) // 2):  # a bar is two paddles
        first = wheel["speed"] * START + 2 * math.pi * k / wheel["paddles"]
        lines += lammps_block(f"w{k}", wheel["x"], wheel["y"], wheel["radius"],
                              f"({first!r}+({wheel['speed']!r})*step*dt)", law)
    path.write_text("\n".join(lines) + "\n")
    return path


# ---- LIGGGHTS ----

def write_stl(path, plates, depth=0.1):
    lines = ["solid plates"]
    for x0, y0, x1, y1 in plates:
        a, b, c, d = (x0, y0, -depth), (x1, y1, -depth), (x1, y1, depth), (x0, y0, depth)
        for corners in ((a, b, c), (a, c, d)):
            length = math.hypot(x1 - x0, y1 - y0)
            lines += [f"facet normal {(y1 - y0) / length!r} {(x0 - x1) / length!r} 0", "outer loop",
                      *(f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners), "endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid plates"]) + "\n")
    return path.name


def write_liggghts_walls(shop, path):
    bodies, wheel = read_bodies(shop), read_bodies(shop)["wheel"]
    meshes = [("f%d" % k, [segment]) for k, segment in enumerate(bodies["segment"])]
    meshes += [("d%d" % k, disc_corners(*disc)) for k, disc in enumerate(bodies["disc"])]
    meshes += [("w%d" % k, [plate]) for k, plate in enumerate(wheel_plates(wheel, START))]
    lines = []
    for name, plates in meshes:
        stl = write_stl(path.with_name(f"funnel-{name}.stl"), plates)
        lines.append(f"fix {name} all mesh/surface file {stl} type 1")
    for name, _ in meshes:
        if name.startswith("w"):
            period = -2 * math.pi / wheel["speed"]
            lines.append(f"fix m{name} all move/mesh mesh {name} rotate origin {wheel['x']!r} {wheel['y']!r} 0. "
                         f"axis 0. 0. -1. period {period!r}")
    lines.append("fix walls all wall/gran model hooke/stiffness tangential history mesh "
                 f"n_meshes {len(meshes)} meshes {' '.join(name for name, _ in meshes)} absolute_damping on limitForce off")
    path.write_text("\n".join(lines) + "\n")
    return path


# ---- runs ----

def with_time(result, steps, step=STEP):
    values, command = result
    return {**values, "simulated_seconds": steps * step, "particles": GRAINS, "steps": steps}, command


def floc_soft(steps):
    return lambda shop: with_time(run_floc_grains(
        shop, state_of(shop), scene="funnel", gravity=10, scheme="soft", stiffness=STIFFNESS, damping=DAMPING, friction=FRICTION,
        time_step=STEP, warmup=WARMUP, steps=steps), steps)


def floc_projection(steps, step, tolerance):
    count = round(steps * STEP / step)
    return lambda shop: with_time(run_floc_grains(
        shop, state_of(shop), scene="funnel", gravity=10, scheme="projection", friction=0, time_step=step, tolerance=tolerance,
        warmup=round(WARMUP * STEP / step), steps=count), count, step)


def script_run(program, script, steps):
    def run(shop):
        variables = {"skin": SKIN, "kn": STIFFNESS, "kt": TANGENTIAL, "mu": FRICTION, "step": STEP, "warmup": WARMUP, "steps": steps}
        if program == "lmp":
            variables.update(gamman=2 * DAMPING / MASS, gammat=2 * TANGENTIAL_DAMPING / MASS,
                             walls=write_lammps_walls(shop, shop.folder / "funnel.lammps").name)
        else:
            variables.update(cn=DAMPING, ct=TANGENTIAL_DAMPING,
                             walls=write_liggghts_walls(shop, shop.folder / "funnel.liggghts").name)
        return with_time(run_script(shop, program, f"funnel/{script}", state_of(shop), variables, box=BOX), steps)
    return run


def yade_run(steps):
    def run(shop):
        bodies = read_bodies(shop)
        wheel = bodies["wheel"]
        plates = bodies["segment"] + [plate for disc in bodies["disc"] for plate in disc_corners(*disc)]
        given = {"kn": STIFFNESS, "kt": TANGENTIAL, "cn": DAMPING, "ct": TANGENTIAL_DAMPING, "mu": FRICTION, "skin": SKIN,
                 "step": STEP, "warmup": WARMUP, "steps": steps, "plates": plates, "wheel_plates": wheel_plates(wheel, START),
                 "wheel_speed": wheel["speed"], "wheel_center": [wheel["x"], wheel["y"]]}
        values, _ = run_yade(shop, "funnel/yade.py", state_of(shop), given)
        shown = {k: v for k, v in given.items() if not isinstance(v, list)}
        return with_time((values, f"FLOC_PEER='{shown} and the bodies' yade -n -x -j1 scenes/funnel/yade.py"), steps)
    return run


def funnel_cases(size):
    steps = STEPS[size]
    peers = {"lammps": Shared(script_run("lmp", "in.lammps", steps)), "liggghts": Shared(script_run("liggghts", "in.liggghts", steps)),
             "yade": Shared(yade_run(steps))}
    soft = {"floc, soft": floc_soft(steps), **{name: run.again() for name, run in peers.items()}}
    hard = {"floc, projection, step 5e-3": floc_projection(steps, 5e-3, 3e-4),
            "floc, projection, step 1e-3, default tolerance": floc_projection(steps, 1e-3, 0.0),
            **{name: run.again() for name, run in peers.items()}}
    figure = Figure("simulated seconds per CPU second", lambda v: v["simulated_seconds"] / v["cpu_seconds"])
    quality = [*OVERLAPS, ("coordination number", value("coordination")), ("kinetic energy", value("kinetic_energy")),
               ("million particle-steps per CPU second", lambda v: v["particles"] * v["steps"] / v["cpu_seconds"] * 1e-6), CPU]
    note = f"{steps:,} soft steps, {steps * STEP:g} simulated seconds, after {WARMUP:,} steps of warm-up."
    return [Case(2, f"{steps:,} soft steps", figure, soft, quality, "quick", ratio_of="floc, soft", note=note),
            Case(2, f"the same simulated time, {steps * STEP:g} s", figure, hard, quality, "default", ratio_of="floc, projection, step 5e-3",
                 note=note + " The peers' numbers are those of the block above.")]
