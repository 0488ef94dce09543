"""The table of scenes: everything that run.sh measures is listed here."""
import performance
import scene_funnel
import scene_liquid
import scene_own
import scene_packing
import scene_pile
import scene_rays
from cases import Scene

TABLE = [
    Scene(1, "Dense packing of soft spheres in three dimensions",
          "Spring and dashpot with accumulated Coulomb friction and rotation, velocity Verlet, periodic box, volume fraction 0.64. One "
          "settled packing of 2000, made by floc and written once, is repeated 1, 16 and 128 times; every code starts from those "
          "positions and velocities with the same stiffness, damping, friction and step (driver/scene_packing.py). User CPU "
          "of the stepping alone: floc and YADE read it in the process before and after, LAMMPS and LIGGGHTS through a mark set "
          "from the input script (driver/mark.sh). Quality is measured by one program (measure_state) on the positions "
          "and velocities that each code ends with: equal numbers show that it was the same scene.",
          scene_packing.packing_cases, ("lammps", "liggghts", "yade")),
    Scene(2, "Funnel with wheel, two dimensions",
          "3300 discs in the sedimentation of examples/gluey (funnel, wheel with six paddles, plane with obstacles, container), from the state "
          "after 1.5 s that floc's projection wrote. Soft steps of 1e-4 s: spring and dashpot with accumulated Coulomb friction 0.3, contact time "
          "31 steps. What each code offers for the bodies: floc segments and discs; LAMMPS fix wall/gran/region (plates are blocks of thickness "
          "2e-4, turned by variables; each region looks at every grain in every step); LIGGGHTS STL meshes, turned by fix move/mesh; YADE facets. "
          "LAMMPS runs in two dimensions; LIGGGHTS and YADE hold spheres in the plane z = 0. Obstacles are 24-gons in LIGGGHTS and YADE. "
          "Then the same simulated time with floc's projection, which has no friction here: the paper's dry case. "
          "Quality: overlaps between grains at the end.", scene_funnel.funnel_cases, ("lammps", "liggghts", "yade")),
    Scene(3, "Pile of hard discs",
          "Radii 0.015 to 0.025, box of width sqrt(N 0.001283/0.656) with two slopes and a cross turning at 0.2 rad/s, gravity 10, no friction, "
          "frames of 1/60 s. Both start from a pile that floc settled over 300 frames; user CPU per frame, mean over the last third. "
          "floc: one step per frame by the velocity projection, tolerance 0.05 of the least radius. Box2D 2.4 of Debian: a frame is cut into "
          "substeps with so many velocity and position iterations; lengths times 25, because its tolerances are absolute lengths; single precision. "
          "Overlaps: of touching pairs of discs at the end, by measure_state.", scene_pile.pile_cases, ("box2d",)),
    Scene(4, "Aggregation in an oscillating shear (Maury 2004)",
          "The whole step, and the contact problem alone by floc's solver and by the papers' projected gradient (Uzawa), both floc's code.",
          scene_own.aggregation_cases),
    Scene(5, "Ballistic aggregation to one cluster (Degond et al. 2024)",
          "From the lattice until one cluster is left, both schemes; the exponent is the slope of log CPU over log N "
          "from the first size that takes 0.05 s to the last.", scene_own.ballistic_cases),
    Scene(6, "Rays",
          "Equal spheres at random in a ball, volume fraction 0.25, lit by beams as wide as the ball; each ray is reflected until it leaves (floc: or until its "
          "power is used up, which shortens paths where there are many reflections). floc in double precision with reflection law, absorption and forces "
          "on the spheres; Embree 3 of Debian in single precision with geometry alone, on sphere points, with whatever vector units it finds. "
          "Both rebuild their structure for each beam, within the measured time.", scene_rays.ray_cases, ("embree",)),
    Scene(7, "Laws in Lua", "The cost of a law written in a script, against the same law compiled.", scene_own.law_cases, ("lammps", "yade")),
    Scene(8, "Checkpoints",
          "The packing of 32,000 spheres with its contact history, written and read a hundred times.",
          scene_packing.checkpoint_case, ("lammps", "liggghts", "yade")),
    Scene(9, "Two threads",
          "Wall time is what counts here; it means nothing on a machine that does other work. LAMMPS and LIGGGHTS run "
          "two MPI processes (Debian builds them without OpenMP styles).",
          lambda size: performance.bandwidth_case(size) + scene_packing.thread_cases(size) + scene_pile.thread_cases(size) + scene_rays.thread_case(size), ("lammps", "liggghts", "yade")),
    Scene(10, "Lennard-Jones liquid",
          "LAMMPS's bench/in.lj: 32,000 atoms from an fcc lattice of density 0.8442 at T = 1.44, step 0.005, 100 steps with their lists; "
          "user CPU. Energies and pressure at step 0 are the same; velocities are drawn by each code.",
          scene_liquid.liquid_cases, ("lammps",)),
]


def cases_of(scene, size):
    return [case for case in scene.cases(size) if case.wanted(size)]
