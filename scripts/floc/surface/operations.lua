-- Operations of law programs: { name, number, how it is printed, keys }. Each _ of the printed form is an operand, in order.
-- Numbers stand in checkpoints and never change; a new operation goes to the end.
--
-- Keys: c, its kernel in C for operands x and y (engine/laws/program/run.c); library: a function of mathematics, and with
-- an operand c that says where it is needed; many: base/mathematics has it for many numbers, under this name; fast: glibc's vector functions have it, under this name; commutes: of its operands
-- the order makes no difference; flat: its derivative is 0. math, metamethod: the function of math and the operator of Lua that mean
-- it for a traced law, verb: in messages about what cannot be an operand. text: what floc.h says besides.
--
-- A new operation is a line here, its derivative (trace/derivative.lua), if it has one, and its line in the plain interpreter of the
-- tests (tests/laws/program_interpreter.h).

local operations = {
  name = "operation", column = 36,
  { "add", 1, "_ + _", c = "x + y", commutes = true, metamethod = "__add", verb = "add" },
  { "subtract", 2, "_ - _", c = "x - y", metamethod = "__sub", verb = "subtract" },
  { "multiply", 3, "_ * _", c = "x * y", commutes = true, metamethod = "__mul", verb = "multiply" },
  { "divide", 4, "_ / _", c = "x / y", metamethod = "__div", verb = "divide by" },
  { "negate", 5, "-_", c = "-x", metamethod = "__unm", verb = "negate" },
  { "absolute", 6, "abs(_)", c = "fabs(x)", math = "abs" },
  { "square_root", 7, "sqrt(_)", c = "sqrt(x)", math = "sqrt" },
  { "floor", 8, "floor(_)", c = "floor(x)", math = "floor", flat = true },
  { "ceiling", 9, "ceil(_)", c = "ceil(x)", math = "ceil", flat = true },
  { "less", 10, "_ < _", c = "x < y ? 1.0 : 0.0", text = "a < b", flat = true },
  { "less_equal", 11, "_ <= _", c = "x <= y ? 1.0 : 0.0", text = "a <= b", flat = true },
  { "equal", 12, "_ == _", c = "x == y ? 1.0 : 0.0", text = "a == b", commutes = true, flat = true },
  { "and", 13, "_ and _", c = "x != 0.0 ? (y != 0.0 ? 1.0 : 0.0) : 0.0", commutes = true, flat = true },
  { "or", 14, "_ or _", c = "x != 0.0 ? 1.0 : (y != 0.0 ? 1.0 : 0.0)", commutes = true, flat = true },
  { "not", 15, "not _", c = "x != 0.0 ? 0.0 : 1.0", flat = true },
  { "select", 16, "_ ? _ : _", text = "a ? b : c" },
  { "power", 17, "_ ^ _", c = "floc_pow(x, y)", library = true, many = "pow", fast = "pow", math = "pow", metamethod = "__pow", verb = "raise", text = "a to the b",
    before = "From here on functions of mathematics (floc_exp ...). c is a condition: where it is 0 the value is not needed and becomes 0; "
      .. "-1: needed everywhere." },
  { "remainder", 18, "_ % _", c = "program_remainder(x, y)", library = true, text = "a - floor(a/b) b, exact, with the sign of b (Lua 5.4)" },
  { "arc_tangent2", 19, "atan2(_, _)", c = "floc_atan2(x, y)", library = true, many = "atan2", fast = "atan2", math = "atan2",
    text = "of a/b in the quadrant of (b, a)" },
  { "truncated_remainder", 20, "fmod(_, _)", c = "floc_fmod(x, y)", library = true, math = "fmod", text = "fmod(a, b)" },
  { "exponential", 21, "exp(_)", c = "floc_exp(x)", library = true, many = "exp", fast = "exp", math = "exp" },
  { "logarithm", 22, "log(_)", c = "floc_log(x)", library = true, many = "log", fast = "log" },
  { "logarithm2", 23, "log2(_)", c = "floc_log2(x)", library = true, many = "log2", fast = "log2" },
  { "logarithm10", 24, "log10(_)", c = "floc_log10(x)", library = true, many = "log10", fast = "log10", math = "log10" },
  { "sine", 25, "sin(_)", c = "floc_sin(x)", library = true, many = "sin", fast = "sin", math = "sin" },
  { "cosine", 26, "cos(_)", c = "floc_cos(x)", library = true, many = "cos", fast = "cos", math = "cos" },
  { "tangent", 27, "tan(_)", c = "floc_tan(x)", library = true, many = "tan", fast = "tan", math = "tan" },
  { "arc_sine", 28, "asin(_)", c = "floc_asin(x)", library = true, many = "asin", fast = "asin", math = "asin" },
  { "arc_cosine", 29, "acos(_)", c = "floc_acos(x)", library = true, many = "acos", fast = "acos", math = "acos" },
  { "arc_tangent", 30, "atan(_)", c = "floc_atan(x)", library = true, many = "atan", fast = "atan" },
  { "hyperbolic_sine", 31, "sinh(_)", c = "floc_sinh(x)", library = true, many = "sinh", fast = "sinh", math = "sinh" },
  { "hyperbolic_cosine", 32, "cosh(_)", c = "floc_cosh(x)", library = true, many = "cosh", fast = "cosh", math = "cosh" },
  { "hyperbolic_tangent", 33, "tanh(_)", c = "floc_tanh(x)", library = true, many = "tanh", fast = "tanh", math = "tanh" },
}

operations.named = {}
for _, one in ipairs(operations) do
  one.name, one.number = one[1], one[2]
  one.operands = select(2, one[3]:gsub("_", ""))
  operations.named[one.name] = one
end

return operations
