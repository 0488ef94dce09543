"""Reads what sim:write_vtp and sim:write_xyz wrote with programs that are not ours: .vtp by VTK, extended XYZ by its
grammar (key=value pairs, Properties=name:type:count:...), and compares both with each other and with the table of
sim:observe.   read_outputs.py FOLDER DIMENSION TIME_STEP STEPS..."""

import math
import os
import re
import sys
import xml.etree.ElementTree as xml

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def require(condition, text):
    if not condition:
        sys.exit("read_outputs: " + text)


def read_collection(folder, name):
    """[(time, file)] of a .pvd, whose times ascend."""
    root = xml.parse(os.path.join(folder, name)).getroot()
    require(root.tag == "VTKFile" and root.get("type") == "Collection", name + " is no collection")
    entries = [(float(one.get("timestep")), one.get("file")) for one in root.iter("DataSet")]
    times = [time for time, _ in entries]
    require(times == sorted(set(times)), name + ": times do not ascend: %s" % times)
    return entries


def read_vtp(path):
    complaints = []
    reader = vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: complaints.append("warning"))
    require(reader.CanReadFile(path) == 1, path + ": VTK cannot read it")
    reader.SetFileName(path)
    reader.Update()
    require(not complaints, path + ": VTK complains")
    return reader.GetOutput()


def numbers(data, name, tuples, components):
    array = data.GetArray(name)
    require(array is not None, "there is no array " + name)
    require(array.GetNumberOfTuples() == tuples and array.GetNumberOfComponents() == components,
            "%s is %d x %d, not %d x %d" % (name, array.GetNumberOfTuples(), array.GetNumberOfComponents(), tuples,
                                            components))
    return vtk_to_numpy(array) if tuples else []


def points_of(dataset):
    count = dataset.GetNumberOfPoints()
    return vtk_to_numpy(dataset.GetPoints().GetData()) if count else []


# ---- extended XYZ ---------------------------------------------------------------------------------------------

PAIR = re.compile(r'\s*([A-Za-z_][A-Za-z_0-9]*)=("([^"]*)"|[^\s"]+)')
CONVERT = {"S": str, "I": int, "R": float, "L": lambda text: {"T": True, "F": False}[text]}


def parse_pairs(line):
    pairs, at = {}, 0
    while at < len(line):
        found = PAIR.match(line, at)
        require(found, "frame line does not follow the grammar at: " + line[at:at + 40])
        require(found.group(1) not in pairs, "the key %s stands twice" % found.group(1))
        pairs[found.group(1)] = found.group(3) if found.group(3) is not None else found.group(2)
        at = found.end()
    return pairs


def parse_properties(text):
    words = text.split(":")
    require(len(words) % 3 == 0, "Properties is not made of triples")
    return [(words[k], words[k + 1], int(words[k + 2])) for k in range(0, len(words), 3)]


def parse_row(line, properties):
    words, row = line.split(), {}
    require(len(words) == sum(count for _, _, count in properties), "a row has %d words: %s" % (len(words), line))
    for name, kind, count in properties:
        row[name] = [CONVERT[kind](word) for word in words[:count]]
        words = words[count:]
    return row


def read_xyz(path):
    """[(pairs, rows)]"""
    with open(path) as file:
        lines = file.read().split("\n")
    require(lines.pop() == "", path + " does not end with a line end")
    frames = []
    while lines:
        count = int(lines[0])
        pairs = parse_pairs(lines[1])
        properties = parse_properties(pairs["Properties"])
        require(len(lines) >= count + 2, path + ": the last frame is cut")
        frames.append((pairs, [parse_row(line, properties) for line in lines[2:count + 2]]))
        lines = lines[count + 2:]
    return frames


def check_box(pairs, rows, dimension):
    lattice = [float(word) for word in pairs["Lattice"].split()]
    origin = [float(word) for word in pairs["Origin"].split()]
    require(len(lattice) == 9 and len(origin) == 3, "the box is not 9 numbers and an origin of 3")
    require(all(lattice[k] == 0 for k in (1, 2, 3, 5, 6, 7)), "the box is not upright")
    require(pairs["pbc"] == "T F F", "pbc is " + pairs["pbc"])
    require(lattice[0] == 2 and lattice[4] == 3 and origin[:2] == [-1, -1], "the box is not the domain")
    for row in rows:
        for axis in range(3):
            require(origin[axis] <= row["pos"][axis] <= origin[axis] + lattice[4 * axis],
                    "particle %d is outside of the box" % row["id"][0])
    require((pairs["length_unit"], pairs["time_unit"], pairs["mass_unit"]) == ("m", "s", "kg"), "units")
    if dimension == 2:
        require(all(row["pos"][2] == 0 for row in rows), "z is not 0 in two dimensions")


# ---- one frame ------------------------------------------------------------------------------------------------

def check_particles(dataset, rows, energy):
    count, data, points = len(rows), dataset.GetPointData(), points_of(dataset)
    require(dataset.GetNumberOfPoints() == count and dataset.GetNumberOfVerts() == count, "number of particles")
    ids, velocity = numbers(data, "id", count, 1), numbers(data, "velocity", count, 3)
    numbers(data, "force", count, 3)
    radius, mass, charge = (numbers(data, name, count, 1) for name in ("radius", "mass", "charge"))
    for k, row in enumerate(rows):
        require(int(ids[k]) == row["id"][0] == k + 1, "ids")
        require(list(points[k]) == row["pos"] and list(velocity[k]) == row["velo"], "particle %d differs" % (k + 1))
        require([radius[k], mass[k], charge[k]] == row["radius"] + row["mass"] + row["charge"], "columns differ")
    require([float(value) for value in charge] == [0.5 * id for id in range(1, count + 1)], "charge")
    found = sum(0.5 * mass[k] * sum(float(v) ** 2 for v in velocity[k]) for k in range(count))
    require(abs(found - energy) <= 1e-12 * max(energy, 1e-30), "kinetic energy is %r, not %r" % (found, energy))


def check_contacts(dataset, rows, time_step, bodies):
    count, data, points = dataset.GetNumberOfLines(), dataset.GetCellData(), points_of(dataset)
    require(dataset.GetNumberOfCells() == count and dataset.GetNumberOfPoints() == 2 * count, "contacts are not lines")
    force, impulse, gamma, distance = (numbers(data, name, count, 1) for name in ("force", "impulse", "gamma", "distance"))
    id_i, id_j, body = (numbers(data, name, count, 1) for name in ("id_i", "id_j", "body"))
    normal = numbers(data, "normal", count, 3)
    for k in range(count):
        i = rows[id_i[k] - 1]
        require(list(points[2 * k]) == i["pos"], "line %d does not begin at its particle" % k)
        length = i["radius"][0] + distance[k] + (rows[id_j[k] - 1]["radius"][0] if id_j[k] > 0 else 0)
        require(abs(math.dist(points[2 * k], points[2 * k + 1]) - length) < 1e-9, "line %d is of a wrong length" % k)
        require(abs(math.hypot(*normal[k]) - 1) < 1e-12, "normal %d" % k)
        require(force[k] == impulse[k] / time_step and gamma[k] <= 0, "force or gamma of line %d" % k)
        require((id_j[k] > 0) != (0 <= body[k] < bodies), "line %d is between what?" % k)
    return count, sum(1 for value in gamma if value < 0)


def check_bodies(dataset, dimension, step):
    cells, data = dataset.GetNumberOfCells(), dataset.GetCellData()
    require(cells == dataset.GetNumberOfLines() + dataset.GetNumberOfPolys() and cells > 0, "cells of bodies")
    body = [int(value) for value in numbers(data, "body", cells, 1)]
    numbers(data, "shape", cells, 1), numbers(data, "thickness", cells, 1), numbers(data, "force", cells, 3)
    turning = numbers(data, "angular_velocity", cells, 3)
    bodies = max(body) + 1
    require(sorted(set(body)) == list(range(bodies)), "bodies are missing: %s" % sorted(set(body)))
    for k in range(cells):  # the mean over the last step: nothing has moved before the first one
        speed = 1 if step > 0 and body[k] == bodies - 1 else 0
        require(abs(turning[k][2] - speed) < 1e-9, "body %d turns with %g" % (body[k], turning[k][2]))
    # The first body after the walls is a ball about the origin: all of its points are 0.3 from there.
    ball = [k for k in range(cells) if body[k] == bodies - 2]
    points = points_of(dataset)
    for k in ball:
        cell = dataset.GetCell(k)
        for p in range(cell.GetNumberOfPoints()):
            require(abs(math.hypot(*points[cell.GetPointId(p)]) - 0.3) < 1e-12, "a point of the ball is off")
    require(len(ball) == (1 if dimension == 2 else 15 * 32), "the ball has %d cells" % len(ball))
    return bodies


def read_table(path):
    """{step: kinetic energy}"""
    with open(path) as file:
        rows = [line.split("\t") for line in file.read().splitlines()]
    require(rows[0] == ["step", "time", "energy"], "the table's header")
    return {int(row[0]): float(row[2]) for row in rows[1:]}


def main():
    folder, dimension, time_step, steps = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), [int(k) for k in sys.argv[4:]]
    energies = read_table(os.path.join(folder, "table.tsv"))
    frames = read_xyz(os.path.join(folder, "run.xyz"))
    require([int(pairs["Step"]) for pairs, _ in frames] == steps, "steps of the XYZ frames")
    kinds = {name: read_collection(folder, "run%s.pvd" % suffix)
             for name, suffix in (("particles", ""), ("bodies", "_bodies"), ("contacts", "_contacts"))}
    named = {os.path.basename(path) for entries in kinds.values() for _, path in entries}
    require(named == set(os.listdir(os.path.join(folder, "run"))), "the collections do not name what is there")
    contacts = glued = 0
    for k, (pairs, rows) in enumerate(frames):
        datasets = {}
        for name, entries in kinds.items():
            require(len(entries) == len(steps), name + ": number of frames")
            time, path = entries[k]
            require(path == "run/%s_%06d.vtp" % (name, steps[k]) and time == float(pairs["Time"]), path + " at %g" % time)
            datasets[name] = read_vtp(os.path.join(folder, path))
            field = datasets[name].GetFieldData()
            require(field.GetArray("TimeValue").GetValue(0) == time and field.GetArray("step").GetValue(0) == steps[k],
                    path + ": time or step in the file")
        check_box(pairs, rows, dimension)
        check_particles(datasets["particles"], rows, energies[steps[k]])
        bodies = check_bodies(datasets["bodies"], dimension, steps[k])
        lines, sticking = check_contacts(datasets["contacts"], rows, time_step, bodies)
        contacts, glued = contacts + lines, glued + sticking
    require(contacts > 0 and glued > 0, "there are %d contacts, %d with gamma" % (contacts, glued))
    print("read %d frames, %d contacts, %d with gamma" % (len(frames), contacts, glued))


main()
