# The elastic contact force for LAMMPS's pair_style python: two functions that LAMMPS calls for each pair.
import math


class Spring:
    def __init__(self):
        self.pmap, self.units = {}, "si"

    def map_coeff(self, name, number):
        self.pmap[number] = name

    def check_units(self, units):
        assert units == self.units

    def compute_force(self, square, itype, jtype):
        """Force over distance."""
        distance = math.sqrt(square)
        return 2e5 * (1.0 - distance) / distance

    def compute_energy(self, square, itype, jtype):
        return 1e5 * (1.0 - math.sqrt(square)) ** 2
