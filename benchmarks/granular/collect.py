#!/usr/bin/env python3
"""Joins the lines that the scripts of this folder print, one a run: means over seeds with standard errors, and beside
them what they are compared with. Usage: collect.py LINES..., files of such lines.

mu(I): da Cruz and others (2005), 0.25 + 1.1 I and 0.81 - 0.3 I. Beverloo's law in the plane is fitted to the runs that
did not jam: W = C rho sqrt(g) (D - k d)^(3/2), a straight line in (W/(rho sqrt(g)))^(2/3) against D.
"""
import collections
import math
import sys


def read(paths):
    groups = collections.defaultdict(list)
    for path in paths:
        with open(path, encoding="ascii") as lines:
            for line in lines:
                words = line.split()
                if words and words[0] in ("shear", "walls", "collapse", "space", "drum", "silo"):
                    pairs = (word.split("=") for word in words[1:])
                    groups[words[0]].append({k: v if k == "column" else float(v) for k, v in pairs})
    return groups


def mean(values):
    """Mean and its standard error; nan of one value."""
    n = len(values)
    middle = sum(values) / n
    if n < 2:
        return middle, math.nan
    return middle, math.sqrt(sum((v - middle) ** 2 for v in values) / (n * (n - 1)))


def by(runs, *keys):
    groups = collections.defaultdict(list)
    for run in runs:
        groups[tuple(run[key] for key in keys)].append(run)
    return sorted(groups.items())


def shear(runs):
    print("I, discs, kappa, restitution, gain, seeds: mu, over the line; phi, over the line; P; sxx/syy")
    for key, group in by(runs, "I", "grains", "kappa", "restitution", "gain"):
        mu, mu_error = mean([run["mu"] for run in group])
        phi, phi_error = mean([run["phi"] for run in group])
        if len(group) == 1:
            mu_error, phi_error = group[0]["mu_error"], group[0]["phi_error"]
        line, filled = 0.25 + 1.1 * key[0], 0.81 - 0.3 * key[0]
        print(f"{key[0]:g}, {key[1]:g}, {key[2]:g}, {key[3]:g}, {key[4]:g}, {len(group)}: {mu:.4f} +- {mu_error:.4f}, {mu / line:.3f}; "
              f"{phi:.4f} +- {phi_error:.4f}, {phi / filled:.4f}; {mean([run['P'] for run in group])[0]:.4f}; {mean([run['ratio'] for run in group])[0]:.3f}")


def walls(runs):
    print("I of the walls, friction, seeds: I of the middle; mu, over the line; phi, over the line; P")
    for key, group in by(runs, "I", "friction"):
        values = [mean([run[name] for run in group])[0] for name in ("inertial", "mu", "over", "phi", "phi_over", "P")]
        print(f"{key[0]:g}, {key[1]:g}, {len(group)}: " + "{:.4f}; {:.4f}, {:.3f}; {:.4f}, {:.4f}; {:.4f}".format(*values))


def space(runs):
    print("column, ratio, diameters over d0, width, rolling, friction, seeds: a; run-out, over the law; where half a diameter high, over the law")
    for key, group in by(runs, "column", "ratio", "across", "width", "rolling", "friction"):
        ends = [mean([run[name] for run in group]) for name in ("runout", "over", "thick", "thick_over")]
        texts = [f"{middle:.3f} +- {error:.3f}" for middle, error in ends]
        print(f"{key[0]}, " + ", ".join(f"{value:g}" for value in key[1:]) + f", {len(group)}: {mean([run['a'] for run in group])[0]:.3f}; "
              f"{texts[0]}, {texts[1]}; {texts[2]}, {texts[3]}")


def law(a):
    """Lube and others: between the two powers in their transition, a = 1.8 to 2.8."""
    part = min(1.0, max(0.0, a - 1.8))
    return (1 - part) * 1.2 * a + part * 1.9 * a ** (2 / 3)


def collapse(runs):
    print("ratio, discs over d0, rolling, friction, seeds: a; run-out; over the law; height")
    for key, group in by(runs, "ratio", "across", "rolling", "friction"):
        out, out_error = mean([run["runout"] for run in group])
        over, over_error = mean([run["runout"] / law(run["a"]) for run in group])
        print(f"{key[0]:g}, {key[1]:g}, {key[2]:g}, {key[3]:g}, {len(group)}: {mean([run['a'] for run in group])[0]:.2f}; {out:.2f} +- {out_error:.2f}; "
              f"{over:.2f} +- {over_error:.2f}; {mean([run['height'] for run in group])[0]:.2f}")


def drum(runs):
    print("friction, rolling, radius, Froude number, seeds: angle; its error within a run")
    for key, group in by(runs, "friction", "rolling", "radius", "froude"):
        angle, error = mean([run["angle"] for run in group])
        print(f"{key[0]:g}, {key[1]:g}, {key[2]:g}, {key[3]:g}, {len(group)}: {angle:.1f} +- {error:.1f}; {mean([run['angle_error'] for run in group])[0]:.1f}")


def silo(runs):
    print("friction, opening, seeds, of which jammed: rate over the bed's mass per area; to the power of 2/3")
    for key, group in by(runs, "friction", "opening"):
        flowing = [run for run in group if not run["jammed"]]
        if not flowing:
            print(f"{key[0]:g}, {key[1]:g}, {len(group)}, {len(group)}: jammed")
        else:
            rate, rate_error = mean([run["rate"] / run["density"] for run in flowing])
            print(f"{key[0]:g}, {key[1]:g}, {len(group)}, {len(group) - len(flowing)}: {rate:.2f} +- {rate_error:.2f}; {mean([run['reduced'] for run in flowing])[0]:.3f}")
    for friction, group in by([run for run in runs if not run["jammed"]], "friction"):
        seeds = [fit([run for run in group if run["seed"] == seed]) for seed in sorted({run["seed"] for run in group})]
        seeds = [one for one in seeds if one]
        if seeds:
            (c, c_error), (k, k_error) = mean([one[0] for one in seeds]), mean([one[1] for one in seeds])
            print(f"friction {friction[0]:g}: C = {c:.2f} +- {c_error:.2f}, k = {k:.2f} +- {k_error:.2f} from {len(seeds)} seeds")


def fit(runs):
    """C and k of one seed's openings."""
    if len(runs) < 3:
        return None
    x, _ = mean([run["opening"] for run in runs])
    y, _ = mean([run["reduced"] for run in runs])
    slope = sum((run["opening"] - x) * (run["reduced"] - y) for run in runs) / sum((run["opening"] - x) ** 2 for run in runs)
    return slope ** 1.5, x - y / slope


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    groups = read(sys.argv[1:])
    for name, show in (("shear", shear), ("walls", walls), ("collapse", collapse), ("space", space), ("drum", drum), ("silo", silo)):
        if groups[name]:
            show(groups[name])


if __name__ == "__main__":
    main()
