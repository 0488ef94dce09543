"""The table of scenes: everything that run.sh measures is listed here."""
import scene_packing
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
    Scene(8, "Checkpoints",
          "The packing of 32,000 spheres with its contact history, written ten times and read ten times.",
          scene_packing.checkpoint_case, ("lammps", "liggghts", "yade")),
    Scene(9, "Two threads",
          "Wall time is what counts here; it means nothing on a machine that does other work. LAMMPS and LIGGGHTS run "
          "two MPI processes (Debian builds them without OpenMP styles).",
          scene_packing.thread_cases, ("lammps", "liggghts", "yade")),
]


def all_cases(size, scenes, table=None):
    for scene in table or TABLE:
        if scene.number in scenes:
            for case in scene.cases(size):
                if case.wanted(size):
                    yield scene, case
