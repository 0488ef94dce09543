/* Made by scripts/surface.sh from scripts/floc/surface: do not edit. */
/* clang-format off */

/* X(name, expression of x and y) */
#define PROGRAM_BINARY(X) \
  X(ADD, x + y) \
  X(SUBTRACT, x - y) \
  X(MULTIPLY, x * y) \
  X(DIVIDE, x / y) \
  X(LESS, x < y ? 1.0 : 0.0) \
  X(LESS_EQUAL, x <= y ? 1.0 : 0.0) \
  X(EQUAL, x == y ? 1.0 : 0.0) \
  X(AND, x != 0.0 ? (y != 0.0 ? 1.0 : 0.0) : 0.0) \
  X(OR, x != 0.0 ? 1.0 : (y != 0.0 ? 1.0 : 0.0))

/* X(name, expression of x) */
#define PROGRAM_UNARY(X) \
  X(NEGATE, -x) \
  X(ABSOLUTE, fabs(x)) \
  X(SQUARE_ROOT, sqrt(x)) \
  X(FLOOR, floor(x)) \
  X(CEILING, ceil(x)) \
  X(NOT, x != 0.0 ? 0.0 : 1.0)

/* Functions of mathematics: X(name, expression of x and y) */
#define PROGRAM_LIBRARY(X) \
  X(POWER, floc_pow(x, y)) \
  X(REMAINDER, program_remainder(x, y)) \
  X(ARC_TANGENT2, floc_atan2(x, y)) \
  X(TRUNCATED_REMAINDER, floc_fmod(x, y)) \
  X(EXPONENTIAL, floc_exp(x)) \
  X(LOGARITHM, floc_log(x)) \
  X(LOGARITHM2, floc_log2(x)) \
  X(LOGARITHM10, floc_log10(x)) \
  X(SINE, floc_sin(x)) \
  X(COSINE, floc_cos(x)) \
  X(TANGENT, floc_tan(x)) \
  X(ARC_SINE, floc_asin(x)) \
  X(ARC_COSINE, floc_acos(x)) \
  X(ARC_TANGENT, floc_atan(x)) \
  X(HYPERBOLIC_SINE, floc_sinh(x)) \
  X(HYPERBOLIC_COSINE, floc_cosh(x)) \
  X(HYPERBOLIC_TANGENT, floc_tanh(x))

/* Those of them that there are for many numbers: X(name, function of base/mathematics) */
#define PROGRAM_MANY_BINARY(X) \
  X(POWER, pow) \
  X(ARC_TANGENT2, atan2)

#define PROGRAM_MANY_UNARY(X) \
  X(EXPONENTIAL, exp) \
  X(LOGARITHM, log) \
  X(LOGARITHM2, log2) \
  X(LOGARITHM10, log10) \
  X(SINE, sin) \
  X(COSINE, cos) \
  X(TANGENT, tan) \
  X(ARC_SINE, asin) \
  X(ARC_COSINE, acos) \
  X(ARC_TANGENT, atan) \
  X(HYPERBOLIC_SINE, sinh) \
  X(HYPERBOLIC_COSINE, cosh) \
  X(HYPERBOLIC_TANGENT, tanh)

/* X(name, function of glibc's libmvec) */
#define PROGRAM_FAST_BINARY(X) \
  X(POWER, pow) \
  X(ARC_TANGENT2, atan2)

#define PROGRAM_FAST_UNARY(X) \
  X(EXPONENTIAL, exp) \
  X(LOGARITHM, log) \
  X(LOGARITHM2, log2) \
  X(LOGARITHM10, log10) \
  X(SINE, sin) \
  X(COSINE, cos) \
  X(TANGENT, tan) \
  X(ARC_SINE, asin) \
  X(ARC_COSINE, acos) \
  X(ARC_TANGENT, atan) \
  X(HYPERBOLIC_SINE, sinh) \
  X(HYPERBOLIC_COSINE, cosh) \
  X(HYPERBOLIC_TANGENT, tanh)

/* X(name, operands, a function of mathematics, how it is printed: each _ is an operand) */
#define PROGRAM_OPERATIONS(X) \
  X(ADD, 2, false, "_ + _") \
  X(SUBTRACT, 2, false, "_ - _") \
  X(MULTIPLY, 2, false, "_ * _") \
  X(DIVIDE, 2, false, "_ / _") \
  X(NEGATE, 1, false, "-_") \
  X(ABSOLUTE, 1, false, "abs(_)") \
  X(SQUARE_ROOT, 1, false, "sqrt(_)") \
  X(FLOOR, 1, false, "floor(_)") \
  X(CEILING, 1, false, "ceil(_)") \
  X(LESS, 2, false, "_ < _") \
  X(LESS_EQUAL, 2, false, "_ <= _") \
  X(EQUAL, 2, false, "_ == _") \
  X(AND, 2, false, "_ and _") \
  X(OR, 2, false, "_ or _") \
  X(NOT, 1, false, "not _") \
  X(SELECT, 3, false, "_ ? _ : _") \
  X(POWER, 2, true, "_ ^ _") \
  X(REMAINDER, 2, true, "_ % _") \
  X(ARC_TANGENT2, 2, true, "atan2(_, _)") \
  X(TRUNCATED_REMAINDER, 2, true, "fmod(_, _)") \
  X(EXPONENTIAL, 1, true, "exp(_)") \
  X(LOGARITHM, 1, true, "log(_)") \
  X(LOGARITHM2, 1, true, "log2(_)") \
  X(LOGARITHM10, 1, true, "log10(_)") \
  X(SINE, 1, true, "sin(_)") \
  X(COSINE, 1, true, "cos(_)") \
  X(TANGENT, 1, true, "tan(_)") \
  X(ARC_SINE, 1, true, "asin(_)") \
  X(ARC_COSINE, 1, true, "acos(_)") \
  X(ARC_TANGENT, 1, true, "atan(_)") \
  X(HYPERBOLIC_SINE, 1, true, "sinh(_)") \
  X(HYPERBOLIC_COSINE, 1, true, "cosh(_)") \
  X(HYPERBOLIC_TANGENT, 1, true, "tanh(_)")
