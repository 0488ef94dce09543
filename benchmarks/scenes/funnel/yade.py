# The funnel with its wheel in YADE: spheres held in the plane z = 0, bodies as facets, the wheel turned by a
# RotationEngine; the law of dense_packing/yade.py. Run by: yade -n -x -j1 yade.py with FLOC_PEER=JSON
import json, os, resource, time
from yade import *

given = json.loads(os.environ["FLOC_PEER"])
DEPTH = 0.1


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime, time.time()


def add_plate(x0, y0, x1, y1, material):
    a, b, c, d = Vector3(x0, y0, -DEPTH), Vector3(x1, y1, -DEPTH), Vector3(x1, y1, DEPTH), Vector3(x0, y0, DEPTH)
    return [O.bodies.append(facet(corners, material=material)) for corners in ([a, b, c], [a, c, d])]


# Two equal springs in series halve; so do dashpots.
material = O.materials.append(ViscElMat(kn=2 * given["kn"], ks=2 * given["kt"], cn=2 * given["cn"], cs=2 * given["ct"],
                                        frictionAngle=atan(given["mu"]), density=1))
for plate in given["plates"]:
    add_plate(*plate, material)
wheel = [number for plate in given["wheel_plates"] for number in add_plate(*plate, material)]
with open(given["state"]) as file:
    rows = file.readlines()[6:]
for row in rows:
    x, y, z, vx, vy, vz, radius, mass = map(float, row.split())
    state = O.bodies[O.bodies.append(sphere((x, y, 0), radius, material=material))].state
    state.mass = mass
    state.inertia = Vector3(1, 1, 1) * (0.4 * mass * radius * radius)
    state.vel = (vx, vy, 0)
    state.blockedDOFs = "zXY"
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()], verletDist=given["skin"] / 2),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                    [Law2_ScGeom_ViscElPhys_Basic()]),
    RotationEngine(ids=wheel, angularVelocity=given["wheel_speed"], rotationAxis=(0, 0, 1), rotateAroundZero=True,
                   zeroPoint=(given["wheel_center"][0], given["wheel_center"][1], 0)),
    NewtonIntegrator(damping=0, gravity=(0, -10, 0)),
]
O.dt = given["step"]
O.run(given["warmup"], True)
start, began = used()
O.run(given["steps"], True)
end, ended = used()
print("cpu_seconds %.6f" % (end - start))
print("wall_seconds %.6f" % (ended - began))
print("peak_bytes %d" % (1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
with open(given["end"], "w") as out:
    for body in O.bodies:
        if isinstance(body.shape, Sphere):
            s = body.state
            out.write(" ".join("%.17g" % v for v in (*s.pos, *s.vel, body.shape.radius, s.mass)) + "\n")
os._exit(0)
