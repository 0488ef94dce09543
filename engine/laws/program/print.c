/*
 * A law program as text, one line per value that is used:
 *
 *   v1 = distance - radius_i
 *   v2 = v1 - radius_j
 *   v3 = v2 < 0
 *   normal = v3 ? v5 : 0
 *
 * This is the form of the checkpoint, before instructions are joined; names of values are v1, v2, ... in order.
 */
#include "laws/program/program.h"

#include "base/numbers/number_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct printer {
  const floc_program_options *source;
  const char *const *inputs;
  const char *const *outputs;
  char *text;
  size_t size, length;
} printer;

static void append(printer *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(printer *to, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  size_t left = to->length < to->size ? to->size - to->length : 0;
  int added = vsnprintf(left > 0 ? to->text + to->length : NULL, left, format, arguments);
  va_end(arguments);
  if (added > 0) to->length += (size_t)added;
}

/* Shortest form that reads back as the same number. */
static void append_number(printer *to, double number)
{
  char text[NUMBER_TEXT_SIZE];
  number_text_from(1, number, text);
  append(to, "%s", text);
}

static void append_value(printer *to, int32_t value)
{
  const floc_program_options *source = to->source;
  if (value < source->input_count)
    append(to, "%s", to->inputs && to->inputs[value] ? to->inputs[value] : "input");
  else if (value < source->input_count + source->constant_count)
    append_number(to, source->constants[value - source->input_count]);
  else
    append(to, "v%d", value - source->input_count - source->constant_count + 1);
}

static void append_expression(printer *to, const floc_instruction *step)
{
  const program_operation *kind = program_operation_of(step->operation);
  const int32_t operand[] = {step->a, step->b, step->c};
  int next = 0;
  for (const char *c = kind->printed; *c; c++) {
    if (*c == '_')
      append_value(to, operand[next++]);
    else
      append(to, "%c", *c);
  }
  if (!kind->library || step->c < 0) return;
  append(to, " where ");
  append_value(to, step->c);
}

size_t program_print(const program *one, const char *const *input_names, const char *const *output_names,
                     char *text, size_t size)
{
  const floc_program_options *source = program_source(one);
  printer to = {source, input_names, output_names, text, size, 0};
  if (size > 0) text[0] = '\0';
  for (int32_t k = 0; k < source->code_count; k++) {
    append(&to, "v%d = ", k + 1);
    append_expression(&to, &source->code[k]);
    append(&to, "\n");
  }
  for (int32_t k = 0; k < source->output_count; k++) {
    if (output_names && output_names[k])
      append(&to, "%s = ", output_names[k]);
    else
      append(&to, "output %d = ", k + 1);
    append_value(&to, source->outputs[k]);
    append(&to, "\n");
  }
  return to.length;
}
