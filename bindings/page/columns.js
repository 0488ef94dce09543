// What particles, contacts and rays can be coloured by: the columns that a run has, their units, and their numbers.
import { dimensions, order, vectorNames } from "./columns_made.js";

const magnitudes = new WeakMap();


function unitOf(label, units) {
  const form = dimensions[label];
  if (!form) return "";
  const words = units ?? { length: "length", time: "time", mass: "mass" };
  return form.replace("M ", words.mass + " ").replace(/^M$/, words.mass).replace("L", words.length).replace("T", words.time);
}

// Length of vectors, worked out once for each array of x.
function magnitude(x, y, z) {
  if (!x) return null;
  let known = magnitudes.get(x);
  if (!known || known.y !== y || known.z !== z) {
    const values = new Float32Array(x.length);
    for (let k = 0; k < values.length; k++) values[k] = Math.sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
    known = { y, z, values };
    magnitudes.set(x, known);
  }
  return known.values;
}

// Columns of particles from the names of a frame's arrays: { key, label, unit, arrays, values(arrays), range }.
export function particleColumns(names, dimension, units) {
  const list = [], vectors = new Set();
  const add = (label, arrays, range, values = (all) => all[arrays[0]]) =>
    list.push({ key: label, label: label.replaceAll("_", " "), unit: unitOf(label, units), arrays, range, values });
  for (const name of names) {
    if (!name.startsWith("particles.")) continue;
    const column = name.slice("particles.".length), vector = column.match(/^(.+)\.[xyz]$/)?.[1];
    if (!vector && !["x", "y", "z"].includes(column)) add(column, [name], name);
    if (!vector || vectors.has(vector)) continue;
    vectors.add(vector);
    const parts = ["x", "y", "z"].map((axis) => `particles.${vector}.${axis}`);
    const labels = vectorNames[vector] ?? [vector, ...["x", "y", "z"].map((axis) => `${vector}_${axis}`)];
    add(labels[0], parts, "particles." + vector, (all) => magnitude(...parts.map((part) => all[part])));
    for (let axis = 0; axis < dimension; axis++) add(labels[axis + 1], [parts[axis]], parts[axis]);
  }
  const rank = (one) => (order.includes(one.key) ? order.indexOf(one.key) : -1);
  const own = list.filter((one) => rank(one) < 0), built = list.filter((one) => rank(one) >= 0).sort((a, b) => rank(a) - rank(b));
  return [...built.filter((one) => one.key === "speed"), ...own, ...built.filter((one) => one.key !== "speed")];
}

export function extentOf(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values ?? []) {
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : undefined;
}

// The range of nearly all values, where that is much narrower than the full one: a few fast grains must not make all others
// look alike. values: arrays of some frames.
export function usualRange(values, full) {
  if (!full) return undefined;
  const stride = Math.max(1, Math.ceil(values.reduce((sum, one) => sum + (one?.length ?? 0), 0) / 50000)), picked = [];
  for (const one of values) for (let k = 0; k < (one?.length ?? 0); k += stride) if (one[k] - one[k] === 0) picked.push(one[k]);
  if (picked.length < 20) return full;
  picked.sort((a, b) => a - b);
  const low = picked[Math.floor(0.01 * picked.length)], high = picked[Math.ceil(0.99 * picked.length) - 1];
  if (!(high - low < 0.7 * (full[1] - full[0])) || low === high) return full;
  return [full[0] >= 0 && low < 0.2 * high ? Math.min(full[0], low) : low, high];
}

// A colour scale over a range; on a logarithmic one at most six decades, as what is far below is nearly nothing.
export function scaleOf(column, range, { map = "viridis", logarithmic = false, low, high } = {}) {
  let [least, greatest] = range ?? [0, 1];
  if (low !== undefined) least = low;
  if (high !== undefined) greatest = high;
  if (logarithmic) {
    if (!(greatest > 0)) greatest = 1;
    if (!(least > greatest * 1e-6)) least = greatest * (low === undefined ? 1e-4 : 1e-6);
  }
  // A quantity that is nowhere negative and almost 0 somewhere begins at 0.
  if (!logarithmic && low === undefined && least > 0 && least < 0.01 * greatest) least = 0;
  if (least === greatest) [least, greatest] = [least - (Math.abs(least) || 1) / 2, greatest + (Math.abs(greatest) || 1) / 2];
  return { label: column.label, unit: column.unit, map, low: least, high: greatest, logarithmic };
}

// The box in which most is: an axis whose full range is more than four times that of nearly all particles is cut, so that a
// few strays do not make all the rest small. A body that flies off is one too: where bodies go more than four times as far
// as they and the particles began, they are in view where they began.
export function boxOf(samples, ranges) { // ranges: of the bodies in all frames
  const box = { lower: [], upper: [] };
  for (const axis of ["x", "y", "z"]) {
    const values = [], begun = extentOf(samples[0]?.["bodies." + axis]);
    let fixed = ranges["bodies." + axis] ?? [Infinity, -Infinity], full = [Infinity, -Infinity];
    const widen = ([low, high], by = 0) => { full = [Math.min(full[0], low - by), Math.max(full[1], high + by)]; };
    for (const sample of samples) {
      const points = sample["particles." + axis];
      const radius = extentOf(sample["particles.radius"])?.[1] ?? 0, stride = Math.max(1, Math.floor((points?.length ?? 0) / 5000));
      for (let k = 0; points && k < points.length; k += stride) if (points[k] === points[k]) values.push(points[k]);
      const extent = extentOf(points);
      if (extent) widen(extent, radius);
    }
    values.sort((a, b) => a - b);
    const most = [values[Math.floor(0.005 * values.length)], values[Math.ceil(0.995 * values.length) - 1]];
    const began = [Math.min(begun?.[0] ?? Infinity, most[0] ?? Infinity), Math.max(begun?.[1] ?? -Infinity, most[1] ?? -Infinity)];
    if (begun && fixed[1] - fixed[0] > 4 * (began[1] - began[0]) && began[1] > began[0]) fixed = begun;
    widen(fixed);
    const near = [Math.min(fixed[0], most[0] ?? Infinity), Math.max(fixed[1], most[1] ?? -Infinity)];
    const margin = 0.02 * (near[1] - near[0]);
    if (near[1] > near[0] && full[1] - full[0] > 4 * (near[1] - near[0])) full = [near[0] - margin, near[1] + margin];
    if (!(full[0] <= full[1])) full = [-1, 1];
    box.lower.push(full[0]);
    box.upper.push(full[1]);
  }
  return box;
}
