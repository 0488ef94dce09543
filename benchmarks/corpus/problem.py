"""A recorded contact problem, and what an answer to it is worth: read and computed without anything of the engine.

V = V* + M^-1 G^T P, w = c + G V as in engine/contacts/problem; the residual R is the length that solvers report, and the
energy J = sum 1/2 P.(w + b) + mu (p - lo) |w_t|, b = w for P = 0, is what impulses lower: without friction its least value is
at the solution, and 1/2 |V - V_solution|^2 <= J - J_solution in the metric of the masses; so it is with the convex law of friction,
without the last term.

Arrays: a row per contact or body; vectors have all components of space, in the plane the third is 0, and a spin is a vector.
"""
import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "files"))
import read_checkpoint  # noqa: E402

TYPES = {"f64": "f8", "i64": "i8", "i32": "i4", "u8": "u1"}
SUMS = 32  # of velocities with random signs, see sums()


def read_sections(path):
    """Arrays by name."""
    found = {}
    for one in read_checkpoint.read(path):
        found[one["name"]] = numpy.frombuffer(one["raw"], one["order"] + TYPES[one["kind"]]).reshape(one["rows"], one["columns"])
    return found


def in_space(rows):
    """Vectors of two components get a third, 0."""
    return numpy.pad(rows, ((0, 0), (0, 3 - rows.shape[1])))


def into_disc(vectors, radius):
    """The nearest points of discs about 0."""
    length = numpy.linalg.norm(vectors, axis=1)
    return vectors * numpy.where(length > radius, radius / numpy.where(length > 0.0, length, 1.0), 1.0)[:, None]


class Problem:
    def __init__(self, path):
        sections = read_sections(path)
        self.convex = False
        if "blocks.whole" in sections:
            self.read_blocks(sections)
        else:
            self.read_columns(sections)
        self.rotates = numpy.any(self.inverse_inertia != 0.0)
        self.plain = not self.rotates and not numpy.any(self.friction > 0.0)  # an impulse per contact, along its normal

    def read_columns(self, sections):
        """Formats 1 (one impulse per contact, along its normal; bodies do not rotate) and 2."""
        whole, real = sections["problem.whole"][0], sections["problem.real"][0]
        flags = 0
        if len(whole) == 8:
            whole, flags = whole[1:], whole[6]
        if flags & 96:
            raise NotImplementedError("moments of contacts are not judged")
        self.dimension, self.bodies, self.contacts = (int(value) for value in whole[:3])
        self.time_step, self.tolerance = real[:2]
        self.convex = bool(flags & 16)

        def vector(name, rows):
            """Columns .x, .y, .z, those that are there."""
            return numpy.hstack([sections.get(name + "." + axis, numpy.zeros((rows, 1))) for axis in "xyz"])

        def column(name, rows):
            return sections[name][:, 0] if name in sections else numpy.zeros(rows)
        self.inverse_mass = sections["problem.inverse_mass"][:, 0]
        self.velocity, self.spin = vector("problem.free_velocity", self.bodies), vector("problem.free_spin", self.bodies)
        self.inverse_inertia = self.inertias(sections.get("problem.inverse_inertia", numpy.zeros((self.bodies, 1))))
        self.first, self.second = sections["problem.first"][:, 0], sections["problem.second"][:, 0]
        self.normal = vector("problem.normal", self.contacts)
        self.distance, self.lower = sections["problem.distance"][:, 0], sections["problem.lower"][:, 0]
        self.friction, self.surface = column("problem.friction", self.contacts), vector("problem.surface_velocity", self.contacts)
        self.arm = [vector("problem.arm_" + side, self.contacts) for side in ("first", "second")]
        if flags & 2:  # round: lengths along the normal
            self.arm = [arm[:, :1] * self.normal for arm in self.arm]
        self.impulse = sections["problem.impulse"] * self.normal + vector("problem.tangent", self.contacts)

    def inertias(self, stored):
        """Inverse tensors of one number, in the plane about z, or of six: xx yy zz xy xz yz."""
        tensors = numpy.zeros((self.bodies, 3, 3))
        if stored.shape[1] == 1:
            for axis in [2] if self.dimension == 2 else range(3):
                tensors[:, axis, axis] = stored[:, 0]
        else:
            for (i, j), values in zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)], stored.T):
                tensors[:, i, j] = tensors[:, j, i] = values
        return tensors

    def read_blocks(self, sections):
        """Friction, or bodies that rotate, as version 0.2.0 wrote them."""
        whole, real = sections["blocks.whole"][0], sections["blocks.real"][0]
        self.dimension, self.bodies, self.contacts = (int(value) for value in whole[:3])
        self.time_step, self.tolerance = real[:2]
        self.inverse_mass = sections["blocks.inverse_mass"][:, 0]
        self.inverse_inertia, free = self.inertias(sections["blocks.inverse_inertia"]), sections["blocks.free_velocity"]
        if self.dimension == 2:
            self.velocity, self.spin = in_space(free[:, :2]), numpy.pad(free[:, 2:], ((0, 0), (2, 0)))
        else:
            self.velocity, self.spin = free[:, :3], free[:, 3:]
        self.first, self.second = sections["blocks.first"][:, 0], sections["blocks.second"][:, 0]
        self.normal = in_space(sections["blocks.normal"])
        self.arm = [in_space(sections["blocks.arm_first"]), in_space(sections["blocks.arm_second"])]
        self.distance, self.lower = sections["blocks.distance"][:, 0], sections["blocks.lower"][:, 0]
        self.friction, self.surface = sections["blocks.friction"][:, 0], in_space(sections["blocks.surface_velocity"])
        self.impulse = in_space(sections["blocks.impulse"])

    def sides(self):
        """Contacts of each side that have a body there, the bodies, the arms, the sign of the impulse on them."""
        has = self.second >= 0
        yield numpy.arange(self.contacts), self.first, self.arm[0], -1.0
        yield numpy.flatnonzero(has), self.second[has], self.arm[1][has], 1.0

    def velocities(self, impulse):
        """V and spins."""
        velocity, moment = self.velocity.copy(), numpy.zeros((self.bodies, 3))
        for contacts, bodies, arm, sign in self.sides():
            numpy.add.at(velocity, bodies, sign * self.inverse_mass[bodies, None] * impulse[contacts])
            numpy.add.at(moment, bodies, sign * numpy.cross(arm, impulse[contacts]))
        return velocity, self.spin + numpy.einsum("bij,bj->bi", self.inverse_inertia, moment)

    def gaps(self, velocity, spin):
        """w: how fast the gap of each contact opens, with what it has, and how fast surfaces slide."""
        w = (self.distance / self.time_step)[:, None] * self.normal + self.surface
        for contacts, bodies, arm, sign in self.sides():
            w[contacts] += sign * (velocity[bodies] + numpy.cross(spin[bodies], arm))
        return w

    def mobilities(self):
        """Diagonal of A along and, in the mean, across the normals."""
        along, trace = numpy.zeros(self.contacts), numpy.zeros(self.contacts)
        axes = numpy.eye(3)[:self.dimension]
        for contacts, bodies, arm, _ in self.sides():
            def moved(direction):
                moment = numpy.cross(arm, direction)
                return self.inverse_mass[bodies] + numpy.einsum("ci,cij,cj->c", moment, self.inverse_inertia[bodies], moment)
            along[contacts] += moved(self.normal[contacts])
            for axis in axes:
                trace[contacts] += moved(numpy.broadcast_to(axis, arm.shape))
        return along, (trace - along) / (self.dimension - 1)

    def judge(self, impulse):
        """Residual R, energy J, velocities and spins of an answer."""
        velocity, spin = self.velocities(impulse)
        w, b = self.gaps(velocity, spin), self.gaps(self.velocity, self.spin)
        along, across = self.mobilities()
        p, w_n = numpy.einsum("ci,ci->c", impulse, self.normal), numpy.einsum("ci,ci->c", w, self.normal)
        tangent, w_t = impulse - p[:, None] * self.normal, w - w_n[:, None] * self.normal
        # Where there is no friction the bound may be -infinity.
        rough = self.friction > 0.0
        bound = numpy.where(rough, self.lower, 0.0)
        limit = numpy.where(rough, self.friction * numpy.maximum(0.0, p - bound), 0.0)
        near_p, near_t = p - w_n / along, tangent - w_t / across[:, None]
        if self.convex:
            near_p, near_t = self.nearest_of_cone(near_p, near_t, numpy.sqrt(along), numpy.sqrt(across))
        else:
            near_p = numpy.maximum(self.lower, near_p)
            near_t = into_disc(near_t, limit)
        residual = numpy.maximum(along * numpy.abs(p - near_p), across * numpy.linalg.norm(tangent - near_t, axis=1))
        slides = 0.0 if self.convex else numpy.sum(limit * numpy.linalg.norm(w_t, axis=1))
        energy = 0.5 * numpy.sum(impulse * (w + b)) + slides
        return {"residual": self.time_step * float(residual.max(initial=0.0)), "energy": float(energy), "velocity": velocity, "spin": spin}

    def nearest_of_cone(self, p, tangent, root_n, root_t):
        """Of |P_t| <= mu (p - lo), in the metric of the mobilities."""
        slope = self.friction * root_t / root_n
        bound = numpy.where(numpy.isfinite(self.lower), self.lower, p)  # -infinity: without friction, nothing to do
        height, width = root_n * (p - bound), root_t * numpy.linalg.norm(tangent, axis=1)
        outside, below = width > slope * height, slope * width <= -height
        along = numpy.where(below, 0.0, numpy.where(outside, (height + slope * width) / (1 + slope ** 2), height))
        return bound + along / root_n, into_disc(tangent, slope * along / root_t)

    def weighted(self, velocity, spin):
        """Numbers whose sum of squares is the square of the velocities in the metric of the masses."""
        parts = [velocity[:, :self.dimension] / numpy.sqrt(self.inverse_mass)[:, None]]
        if self.rotates and self.dimension == 2:
            turns = self.inverse_inertia[:, 2, 2]
            parts.append((spin[:, 2] / numpy.sqrt(numpy.where(turns > 0.0, turns, numpy.inf)))[:, None])
        elif self.rotates:
            turns = numpy.flatnonzero(self.inverse_inertia[:, 0, 0] > 0.0)
            roots = numpy.linalg.cholesky(numpy.linalg.inv(self.inverse_inertia[turns]))
            part = numpy.zeros((self.bodies, 3))
            part[turns] = numpy.einsum("bij,bi->bj", roots, spin[turns])
            parts.append(part)
        return numpy.hstack(parts).ravel()

    def change(self, judged):
        """V - V*, weighted: 0 if nothing is done."""
        return self.weighted(judged["velocity"] - self.velocity, judged["spin"] - self.spin)

    def sums(self, judged):
        """Sums of the changes with random signs. Those of two answers differ, in the mean square, by the distance of the answers,
        within 25 % for 32 sums; so a reference is known by few numbers."""
        change = self.change(judged)
        words = numpy.arange(SUMS * len(change), dtype=numpy.uint64) + numpy.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # SplitMix64
            words = (words ^ (words >> numpy.uint64(shift))) * numpy.uint64(factor)
        signs = 1.0 - 2.0 * ((words >> numpy.uint64(40)) & numpy.uint64(1)).astype(float)
        return signs.reshape(SUMS, -1) @ change
