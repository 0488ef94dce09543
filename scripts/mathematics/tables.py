"""Writes engine/base/mathematics/tables.h: what the engine's mathematical functions look up.

  python3 scripts/mathematics/tables.py > engine/base/mathematics/tables.h

Needs mpmath (Debian package python3-mpmath). Polynomials are Chebyshev's on the interval that a function needs, taken so
near the best one that what is left of them is below 1e-19 of the result; their numbers are rounded to doubles.
"""
from mpmath import asin, atan, cbrt, chebyfit, cos, erfc, exp, expm1, log, mp, mpf, nint, pi, sin, sinh, sqrt, tanh

mp.prec = 320


def number(x):
    return float(mpf(x)).hex()


def tail(x, high):
    return number(mpf(x) - mpf(high))


def cut(x, bits):
    """x rounded to a multiple of 2**-bits."""
    return float(nint(mpf(x) * mpf(2) ** bits) / mpf(2) ** bits)


def rows(name, comment, values, per_row):
    print(f"\n/* {comment} */\nstatic const double {name}[] = {{")
    for k in range(0, len(values), per_row):
        print("    " + ", ".join(values[k:k + per_row]) + ",")
    print("};")


def define(name, value):
    print(f"#define {name} {value}")


def polynomial(name, comment, f, upper, degree, lower=0):
    """Terms from the lowest on."""
    terms = chebyfit(f, [mpf(lower), mpf(upper)], degree + 1)
    rows(name, comment, [number(t) for t in reversed(terms)], 3)


def split(name, x, bits):
    """x as a number with few bits, whose products with small integers are exact, and the rest."""
    high = cut(x, bits)
    define(name + "_HIGH", high.hex())
    define(name + "_LOW", tail(x, high))


def exponential():
    values = []
    for i in range(128):
        x = mpf(2) ** (mpf(i) / 128)
        high = float(x)
        values += [high.hex(), number((x - high) / high)]
    rows("power_table", "2^(i/128), and what it lacks, relative to it", values, 4)
    define("STEPS_BY_LN2", number(128 / log(2)))
    split("LN2_STEP", log(2) / 128, 42)
    split("LN2", log(2), 42)
    define("LN2_NEAREST", number(log(2)))


def logarithm():
    values, factors = [], []
    for i in range(128):
        # Half of an interval has the width 2^-8, half 2^-7: bits of the number from 0.6875 on.
        c = (0.6875 + (i + 0.5) / 256) if i < 80 else 1 + (i - 80 + 0.5) / 128
        factor = 1.0 if abs(c - 1) < 0.75 / 128 else float(nint(512 / mpf(c)) / 512)
        value = -log(mpf(factor))
        high = cut(value, 42)
        values += [number(factor), high.hex(), tail(value, high)]
        factors.append(number(factor))
    rows("logarithm_table", "A factor of 10 bits that takes the interval's numbers near 1; minus its logarithm, of which\n"
         " * the first part is a multiple of 2^-42, and the rest of it", values, 3)
    values = []
    for i in range(128):
        value = -log(mpf(float.fromhex(factors[i]))) / log(mpf(2))
        high = cut(value, 42)
        values += [factors[i], high.hex(), tail(value, high)]
    rows("logarithm2_table", "The same for the logarithm to base 2", values, 3)
    polynomial("logarithm2_terms", "(log2(1 + r) - r/ln2) / r^2, -0.00395 .. 0.00785",
               lambda r: (log(1 + r) - r) / r ** 2 / log(mpf(2)) if abs(r) > mpf("1e-25") else -1 / (2 * log(mpf(2))),
               mpf("0.00785"), 5, mpf("-0.00395"))
    for name, base in (("LOG2_E", 2), ("LOG10_E", 10)):
        x = 1 / log(mpf(base))
        high = float(x)
        define(name + "_HIGH", high.hex())
        define(name + "_LOW", tail(x, high))


def circular():
    define("TWO_BY_PI", number(2 / pi))
    half, bits = pi / 2, 32
    for k in (1, 2, 3):
        part = cut(half, bits)
        define(f"HALF_PI_{k}", part.hex())
        half, bits = half - part, bits + 33
    define("HALF_PI_4", number(half))
    high = float(pi / 2)
    define("HALF_PI_HIGH", high.hex())
    define("HALF_PI_LOW", tail(pi / 2, high))
    u = mpf("0.7854") ** 2
    polynomial("sine_terms", "(sin r - r) / r^3 in r^2, up to pi/4", lambda s: series(s, lambda r: (sin(r) - r) / r ** 3, -1 / mpf(6)), u, 6)
    polynomial("cosine_terms", "(cos r - 1 + r^2/2) / r^4 in r^2, up to pi/4",
               lambda s: series(s, lambda r: (cos(r) - 1 + r * r / 2) / r ** 4, 1 / mpf(24)), u, 6)
    mp.prec = 1600
    words, rest = [], 2 / pi
    for _ in range(44):
        rest *= 2 ** 32
        word = int(rest)
        rest -= word
        words.append(f"0x{word:08x}")
    mp.prec = 320
    print("\n/* 2/pi in pieces of 32 bits */\nstatic const uint32_t two_by_pi[] = {")
    for k in range(0, len(words), 8):
        print("    " + ", ".join(words[k:k + 8]) + ",")
    print("};")


def series(s, f, at_zero):
    """f of the root of s, where f has a hole at 0."""
    r = sqrt(s)
    return f(r) if abs(r) > mpf("1e-25") else at_zero


def inverse():
    values = [0.0.hex(), 0.0.hex()]
    for i in range(128):
        x = atan(mpf(2) ** (i // 16 - 4) * (1 + (mpf(i % 16) + 0.5) / 16))
        high = float(x)
        values += [high.hex(), tail(x, high)]
    high = float(pi / 2)
    values += [high.hex(), tail(pi / 2, high)]
    rows("arc_table", "The angle whose tangent is in the middle of each sixteenth of an octave, 1/16 .. 16, and what it lacks; before\n"
         " * them that of 0, behind them that of infinity", values, 4)
    polynomial("arc_terms", "(atan r - r) / r^3 in r^2, up to 1/16", lambda s: series(s, lambda r: (atan(r) - r) / r ** 3, -1 / mpf(3)),
               mpf("0.0626") ** 2, 4)
    polynomial("arc_sine_terms", "(asin r - r) / r^3 in r^2, up to 1/2", lambda s: series(s, lambda r: (asin(r) - r) / r ** 3, 1 / mpf(6)),
               mpf("0.2501"), 12)


def hyperbolic():
    polynomial("sinh_terms", "(sinh x - x) / x^3 in x^2, up to 0.3", lambda s: series(s, lambda r: (sinh(r) - r) / r ** 3, 1 / mpf(6)),
               mpf("0.0901"), 5)
    polynomial("tanh_terms", "(tanh x - x) / x^3 in x^2, up to 1/8", lambda s: series(s, lambda r: (tanh(r) - r) / r ** 3, -1 / mpf(3)),
               mpf("0.01563"), 6)
    polynomial("expm1_terms", "(e^x - 1 - x - x^2/2) / x^3 in x, up to 1/16",
               lambda x: (expm1(x) - x - x * x / 2) / x ** 3 if abs(x) > mpf("1e-20") else 1 / mpf(6), mpf("0.0626"), 6, mpf("-0.0626"))


def roots():
    polynomial("cube_root_terms", "the cube root of 1 .. 2", cbrt, 2, 5, 1)
    for k in (1, 2):
        define(f"CUBE_ROOT_{2 ** k}", number(cbrt(mpf(2) ** k)))


def error_function():
    polynomial("error_terms", "erf x / x - 1 in x^2, up to 1/2",
               lambda s: series(s, lambda x: (1 - erfc(x)) / x - 1, 2 / sqrt(pi) - 1), mpf("0.2501"), 9)
    terms = 12
    values = []
    for k in range(16 * 6):
        lower = mpf(2) ** (k // 16 - 1) * (1 + mpf(k % 16) / 16)
        width = mpf(2) ** (k // 16 - 1) / 16
        c = lower + width / 2
        r0 = scaled_erfc(c)
        high = float(r0)
        q = chebyfit(lambda d: (scaled_erfc(c + d) / r0 - 1) / d if abs(d) > mpf("1e-30") else -2 / sqrt(pi) / r0 + 2 * c,
                     [-width / 2, width / 2], terms - 2)
        values += [high.hex(), number((r0 - high) / r0)] + [number(t) for t in reversed(q)]
    rows("error_table", "e^(x^2) erfc x around the middle of each sixteenth of an octave from 1/2 on: its value there, what that\n"
         " * lacks relative to it, and (ratio to it - 1) / d in the distance d from the middle", values, 4)


def scaled_erfc(x):
    return exp(x * x) * erfc(x)


print("""/*
 * What the engine's mathematical functions look up. Made by scripts/mathematics/tables.py.
 */
#ifndef FLOC_BASE_MATHEMATICS_TABLES_H
#define FLOC_BASE_MATHEMATICS_TABLES_H

#include <stdint.h>

/* clang-format off */""")
exponential()
logarithm()
circular()
inverse()
hyperbolic()
roots()
error_function()
print("\n#endif")
