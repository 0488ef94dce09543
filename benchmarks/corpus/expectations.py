"""What solvers must do on the corpus: `faults` says in words what one of them did not do."""

# Solved in the normal tests, some seconds for all solvers and starts.
SHORT = ["column-20-falling", "column-20", "pile-300-friction", "pile-600-radii-1-to-10", "tower-80-heavy-1e4",
         "tower-80-heavy-1e4-friction", "pile-400-heavy-above-1e4", "funnel-900-friction", "drum-600-friction", "lines", "hanging-40",
         "hanging-40-glued", "hanging-40-turned", "funnel-600-gluey-friction", "funnel-500-gluey-space", "pairs-100", "pairs-100-friction",
         "crosses-60-space", "rods-80-friction-space", "gas-1000", "gas-1000-friction", "gas-1000-rebound", "middle-600-friction-space"]

# Greatest distance from the reference of an answer that meets the tolerance, times the tolerance in radii over 1e-4, where the
# problem is in UNSURE not: there it is the number given. See LOOSE in README.md.
DISTANCE = 0.05


def faults(one, reference):
    where = f"{one['problem']}, {one['solver']} {one['start']}"
    found = []
    if abs(one["claimed"] - one["residual"]) > 1e-6 * one["residual"] + 1e-8 * one["tolerance"]:
        found.append(f"{where}: claims a residual of {one['claimed']:.6g}, it is {one['residual']:.6g}")
    if one["converged"] != (one["residual"] <= one["tolerance"] * (1 + 1e-6)):
        found.append(f"{where}: converged is {one['converged']} at {one['residual'] / one['tolerance']:.3g} tolerances")
    return found
