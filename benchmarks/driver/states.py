"""States of particles (state_file.h) and what the peers read and write instead."""
import math
from pathlib import Path


def read_header(file):
    if file.readline().strip() != "floc-state 1":
        raise ValueError(f"{file.name} is no state")
    header = {}
    for _ in range(5):
        name, *numbers = file.readline().split()
        header[name] = [float(word) for word in numbers]
    header["count"] = int(header["count"][0])
    return header


def read_state(path):
    """Header and rows, a row as a list of words: x y z vx vy vz radius mass."""
    with open(path) as file:
        header = read_header(file)
        rows = [line.split() for line in file]
    if len(rows) != header["count"]:
        raise ValueError(f"{path} has {len(rows)} of {header['count']} particles")
    return header, rows


def write_lammps_data(state, path, box=None):
    """The data file of LAMMPS and LIGGGHTS, atom styles sphere and granular. box: bounds of axes that are open."""
    if Path(path).exists() and Path(path).stat().st_mtime >= Path(state).stat().st_mtime:
        return path
    header, rows = read_state(state)
    with open(path, "w") as out:
        out.write(f"from {Path(state).name}\n\n{len(rows)} atoms\n1 atom types\n\n")
        for axis, name in enumerate("xyz"):
            lower, upper = header["lower"][axis], header["upper"][axis]
            if upper == lower:
                lower, upper = box[axis]
            out.write(f"{lower!r} {upper!r} {name}lo {name}hi\n")
        out.write("\nAtoms\n\n")
        for number, row in enumerate(rows, 1):
            radius, mass = float(row[6]), float(row[7])
            density = mass / (4.0 / 3.0 * math.pi * radius**3)
            out.write(f"{number} 1 {2 * radius!r} {density!r} {row[0]} {row[1]} {row[2]}\n")
        out.write("\nVelocities\n\n")
        for number, row in enumerate(rows, 1):
            out.write(f"{number} {row[3]} {row[4]} {row[5]} 0 0 0\n")
    return path


def state_from_rows(start, rows, path):
    """A peer's end, rows with or without the head of a dump, as a state in the box of `start`."""
    with open(start) as file:
        header = [file.readline() for _ in range(6)]
    with open(rows) as file:
        first = file.readline()
        lines = [first] if not first.startswith("ITEM:") else []
        if not lines:
            while not file.readline().startswith("ITEM: ATOMS"):
                pass
        lines += file.readlines()
    header[5] = f"count {len(lines)}\n"
    with open(path, "w") as out:
        out.writelines(header + lines)
    return path
