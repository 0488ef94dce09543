# The packing with an elastic contact force alone in YADE: by the compiled law, or by a Python loop over the contacts in
# each step (PyRunner), the engine's own force switched off by a stiffness of nearly zero.
import json, os, resource, time
from yade import *

given = json.loads(os.environ["FLOC_PEER"])
scripted = given["law"] == "python"
STIFFNESS = 2e5


def push():
    for contact in O.interactions:
        if contact.isReal:
            force = STIFFNESS * contact.geom.penetrationDepth * contact.geom.normal
            O.forces.addF(contact.id1, -force)
            O.forces.addF(contact.id2, force)


with open(given["state"]) as file:
    lines = file.readlines()
side = float(lines[3].split()[1])
O.periodic = True
O.cell.hSize = Matrix3(side, 0, 0, 0, side, 0, 0, 0, side)
stiffness = 1e-9 if scripted else STIFFNESS
material = O.materials.append(ViscElMat(kn=2 * stiffness, ks=0, cn=0, cs=0, frictionAngle=0, density=1))
for line in lines[6:]:
    x, y, z, vx, vy, vz, radius, mass = map(float, line.split())
    state = O.bodies[O.bodies.append(sphere((x, y, z), radius, material=material))].state
    state.mass, state.vel = mass, (vx, vy, vz)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=given["skin"] / 2, allowBiggerThanPeriod=True),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()], [Law2_ScGeom_ViscElPhys_Basic()]),
    PyRunner(command="push()", iterPeriod=1, dead=not scripted),
    NewtonIntegrator(damping=0),
]
O.dt = given["step"]
O.run(given["warmup"], True)
start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
O.run(given["steps"], True)
print("cpu_seconds %.6f" % (resource.getrusage(resource.RUSAGE_SELF).ru_utime - start))
with open(given["end"], "w") as out:
    for body in O.bodies:
        s = body.state
        out.write(" ".join("%.17g" % v for v in (*s.pos, *s.vel, body.shape.radius, s.mass)) + "\n")
os._exit(0)
