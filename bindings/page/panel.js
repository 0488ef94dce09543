// Small pieces of the page's controls.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function section(parent, title) {
  const made = element("section", {}, element("h2", {}, title));
  parent.append(made);
  return made;
}

export function choice(parent, label, id, options, chosen, onChange) {
  const made = element("select", { id, "aria-label": label });
  for (const option of options) {
    const [value, text] = Array.isArray(option) ? option : [option, option];
    made.append(element("option", { value, selected: value === chosen }, text));
  }
  made.addEventListener("change", () => onChange(made.value));
  parent.append(made);
  return made;
}

export function tick(parent, label, id, checked, onChange) {
  const box = element("input", { type: "checkbox", id, checked });
  parent.append(element("label", { class: "tick" }, box, label));
  box.addEventListener("change", () => onChange(box.checked));
  return box;
}

// A step for numbers between low and high: a power of ten, a hundredth of the range or finer, so that round numbers and both
// ends can be reached.
export function roundStep(low, high) {
  return 10 ** Math.floor(Math.log10((high - low) / 100) + 1e-9);
}

// The nearest multiple of the step, or an end that is nearer.
export function rounded(value, low, high, step) {
  if (value - low < step / 2) return low;
  if (high - value < step / 2) return high;
  return Number((Math.round(value / step) * step).toPrecision(12));
}

// A slider beside a box for the number itself, which takes any value in the range; onInput(value) when either changes.
export function slidingNumber(parent, { label, id, low, high, integer, value, note }, onInput) {
  const step = integer ? 1 : roundStep(low, high), tidy = (v) => (integer ? Math.round(v) : rounded(v, low, high, step));
  const input = element("input", { type: "range", id, min: String(low), max: String(high), step: integer ? "1" : "any" });
  const box = element("input", { type: "number", id: id + "-value", min: String(low), max: String(high), step: integer ? "1" : "any",
    "aria-label": label + ", as a number" });
  const row = element("label", { class: "slider" }, element("span", {}, label), box, input);
  if (note) row.append(element("small", {}, note));
  parent.append(row);
  const show = (next) => { input.value = String(next); box.value = String(next); };
  show(value);
  input.addEventListener("input", () => {
    const next = tidy(Number(input.value));
    box.value = String(next);
    onInput(next);
  });
  input.addEventListener("keydown", (event) => { // "any" leaves the width of a key's step to the browser
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = tidy(Math.min(high, Math.max(low, Number(box.value) + by * step)));
    show(next);
    onInput(next);
  });
  box.addEventListener("change", () => {
    if (box.value === "" || !box.checkValidity()) return box.reportValidity(); // the browser says what is allowed
    const next = Number(box.value);
    show(next);
    onInput(next);
  });
  return { inputs: [input, box], set(next) {
    if (document.activeElement !== box) show(next);
  } };
}

// onInput(value) while it is moved.
export function slider(parent, { label, id, low, high, step, value, note, shown = String }, onInput) {
  const input = element("input", { type: "range", id, min: String(low), max: String(high), step: String(step) });
  input.value = String(value);
  const output = element("output", {}, shown(value)), row = element("label", { class: "slider" }, element("span", {}, label), output, input);
  if (note) row.append(element("small", {}, note));
  parent.append(row);
  input.addEventListener("input", () => {
    output.textContent = shown(Number(input.value));
    onInput(Number(input.value));
  });
  return { input, set(next) {
    input.value = String(next);
    output.textContent = shown(next);
  } };
}

export function number(parent, label, id, onChange) {
  const input = element("input", { type: "number", id, step: "any", "aria-label": label, title: label });
  input.addEventListener("change", () => {
    if (input.value !== "" && Number.isFinite(Number(input.value))) onChange(Number(input.value));
  });
  parent.append(input);
  return input;
}

export function button(parent, text, id, onClick, attributes = {}) {
  const made = element("button", { id, type: "button", ...attributes }, text);
  made.addEventListener("click", onClick);
  parent.append(made);
  return made;
}

const shapes = {
  play: "M2 1l10 6-10 6z", pause: "M2 1h4v12H2zM8 1h4v12H8z", back: "M11 1v12L4 7zM2 1h2v12H2z", forward: "M3 1v12l7-6zM10 1h2v12h-2z",
};

export function icon(name) {
  return `<svg viewBox="0 0 14 14" aria-hidden="true"><path d="${shapes[name]}"/></svg>`;
}
