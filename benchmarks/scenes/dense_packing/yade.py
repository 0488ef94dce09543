# The dense packing in YADE: spheres with the spring-dashpot law Law2_ScGeom_ViscElPhys_Basic, which accumulates the
# tangential spring under Coulomb's limit (Cundall and Strack); constants of soft_grains_benchmark.c. Run by
#   yade -n -x -j1 yade.py with FLOC_PEER=JSON of the values below
import json, os, resource, time
from yade import *

given = json.loads(os.environ["FLOC_PEER"])


def read_state(path):
    file = open(path)
    file.readline()
    head = {}
    for _ in range(5):
        words = file.readline().split()
        head[words[0]] = [float(w) for w in words[1:]]
    return head, file


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime, time.time()


head, rows = read_state(given["state"])
O.periodic = True
O.cell.hSize = Matrix3(head["upper"][0], 0, 0, 0, head["upper"][1], 0, 0, 0, head["upper"][2])
# In series with an equal partner a spring halves; so do dashpots.
material = O.materials.append(ViscElMat(kn=2 * given["kn"], ks=2 * given["kt"], cn=2 * given["cn"], cs=2 * given["ct"],
                                        frictionAngle=atan(given["mu"]), density=1))
radius = 0
for row in rows:
    x, y, z, vx, vy, vz, radius, mass = map(float, row.split())
    number = O.bodies.append(sphere((x, y, z), radius, material=material))
    state = O.bodies[number].state
    state.mass = mass
    state.inertia = Vector3(1, 1, 1) * (0.4 * mass * radius * radius)
    state.vel = (vx, vy, vz)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=given["skin"] / 2, allowBiggerThanPeriod=True),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()], [Law2_ScGeom_ViscElPhys_Basic()]),
    NewtonIntegrator(damping=0),
]
O.dt = given["step"]
O.run(given["warmup"], True)
start, began = used()
O.run(given["steps"], True)
end, ended = used()
if "save" in given:
    def used_in_all():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime, time.time()

    times = [used_in_all()]
    for _ in range(given["times"]):
        O.save(given["save"], quiet=True)
    times.append(used_in_all())
    for _ in range(given["times"]):
        O.load(given["save"], quiet=True)
    times.append(used_in_all())
    for name, first, last in (("write", *times[:2]), ("read", *times[1:])):
        print("%s_seconds %.6f" % (name, (last[0] - first[0]) / given["times"]))
        print("%s_wall_seconds %.6f" % (name, (last[1] - first[1]) / given["times"]))
    print("file_bytes %d" % os.path.getsize(given["save"]))
print("cpu_seconds %.6f" % (end - start))
print("wall_seconds %.6f" % (ended - began))
print("peak_bytes %d" % (1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
physics = next(i for i in O.interactions if i.isReal).phys
print("stiffness_found %.17g" % physics.kn)
print("damping_found %.17g" % physics.cn)
with open(given["end"], "w") as out:
    for body in O.bodies:
        s = body.state
        out.write(" ".join("%.17g" % v for v in (*s.pos, *s.vel, body.shape.radius, s.mass)) + "\n")
os._exit(0)
