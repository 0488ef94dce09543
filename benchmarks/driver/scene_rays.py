"""Scene 6, rays on frozen spheres, in floc and in Embree; the acoustic example."""
import re

from cases import CPU, Case, Figure, value
from peers import compile_peer
from process import read_values

BEAMS = {2000: (10000, 200), 100000: (100000, 4), 1000000: (100000, 2)}  # rays, directions
FIGURE = Figure("million reflections per CPU second", lambda v: v["reflections"] / v["cpu_seconds"] * 1e-6)
QUALITY = [("reflections per ray", value("mean_reflections")), ("the law's", value("law")), ("power not accounted for", value("imbalance")),
           ("building the structure, s", value("build_seconds")), ("peak memory, MB", value("peak_bytes", 1 / 1048576)), CPU]


def state_of(shop, count):
    return shop.make(f"ball-{count}.state", "write_scene", "ball", count)


def floc_rays(count, rays, directions, threads=1):
    def run(shop):
        text, command = shop.run("rays_benchmark", count, rays, directions, 0, threads, f"spheres={state_of(shop, count)}")
        return read_values(text), command
    return run


def embree_rays(count, rays, directions, packets):
    def run(shop):
        compile_peer(shop, "rays/embree_rays.c", ["-lembree3"])
        text, command = shop.run("embree_rays", f"spheres={state_of(shop, count)}", f"rays={rays}", f"directions={directions}",
                                 f"packets={packets}")
        return read_values(text), command
    return run


def acoustic(shop):
    text, command = shop.run("acoustic_benchmark", "pressure", 1)
    match = re.search(r"imbalance (\S+), gyration (\S+),.*?(\d+) steps.* (\S+) s$", text, re.M)
    return {"cpu_seconds": float(match[4]), "imbalance": float(match[1]), "gyration": float(match[2]),
            "largest": float(re.search(r"largest, gap 1 R, pulse 4\s+(\S+)", text)[1]), "steps": float(match[3])}, command


def ray_cases(size):
    found = []
    for count, (rays, directions) in BEAMS.items():
        runs = {"floc": floc_rays(count, rays, directions), "embree, packets of 16": embree_rays(count, rays, directions, 1),
                "embree, single rays": embree_rays(count, rays, directions, 0)}
        found.append(Case(6, f"{count:,} spheres, {directions} beams of {rays:,} rays", FIGURE, runs, QUALITY,
                          "quick" if count == 2000 else "default", slow={name: 2 for name in runs} if count == 1000000 else {}))
    found.append(Case(6, "the acoustic example, four pulses on 2000 spheres", Figure("user CPU, s", value("cpu_seconds"), False),
                      {"floc": acoustic}, [("steps", value("steps")), ("power not accounted for", value("imbalance")),
                                           ("largest cluster at 2 s (20 seeds: 7.15)", value("largest")),
                                           ("radius of gyration at 2 s (20 seeds: 2.81)", value("gyration"))],
                      note="No peer has it: motion with thermal softening, bonds and rays together."))
    return found


def thread_case(size):
    rays, directions = BEAMS[100000]
    runs = {f"floc, {n} thread{'s' * (n > 1)}": floc_rays(100000, rays, directions, n) for n in (1, 2)}
    figure = Figure("million reflections per wall second", lambda v: v["reflections"] / v["wall_seconds"] * 1e-6)
    return [Case(9, "rays on 100,000 spheres", figure, runs, [("user CPU, s", value("cpu_seconds")), ("wall, s", value("wall_seconds")),
                 ("reflections per ray", value("mean_reflections"))], ratio_of="floc, 2 threads")]
