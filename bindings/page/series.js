// Time series of the observables: a small plot for each column, with the time that is shown; a click goes there.
import { niceTicks, shortNumber } from "./colour.js";

const height = 74, margin = 14;

function extent(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

// Row that is nearest to x; x ascends.
function nearest(xs, x) {
  let low = 0, high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && Math.abs(xs[low - 1] - x) <= Math.abs(xs[low] - x) ? low - 1 : low;
}

class Plot {
  constructor(parent, name, onSeek) {
    this.figure = document.createElement("figure");
    this.figure.className = "series";
    const caption = document.createElement("figcaption"), label = document.createElement("span");
    label.textContent = name.replaceAll("_", " ");
    this.output = document.createElement("output");
    caption.append(label, this.output);
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-label", label.textContent + " over time");
    this.figure.append(caption, this.canvas);
    parent.append(this.figure);
    this.canvas.addEventListener("click", (event) => {
      if (!this.xs?.length) return;
      const share = (event.offsetX - 1) / Math.max(1, this.canvas.clientWidth - 2), [low, high] = extent(this.xs);
      onSeek(low + share * (high - low));
    });
  }

  draw(xs, ys, x) {
    Object.assign(this, { xs, ys });
    const ratio = Math.min(window.devicePixelRatio, 2), width = this.canvas.clientWidth || 280, context = this.canvas.getContext("2d");
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    context.scale(ratio, ratio);
    if (xs.length === 0) return;
    const [left, right] = extent(xs), [low, high] = extent(ys), tall = height - margin - 4;
    const atX = (value) => 1 + ((value - left) / (right - left)) * (width - 2), atY = (value) => 2 + (1 - (value - low) / (high - low)) * tall;
    this.drawFrame(context, width, tall, [low, high], atY);
    this.drawLine(context, xs, ys, atX, atY);
    const row = nearest(xs, x);
    context.fillStyle = "#0b62a4";
    context.fillRect(atX(Math.min(Math.max(x, left), right)) - 0.5, 2, 1, tall);
    this.output.textContent = shortNumber(ys[row]);
  }

  drawFrame(context, width, tall, [low, high], atY) {
    context.fillStyle = "#e9e9e9";
    context.font = "10.5px system-ui, sans-serif";
    for (const tick of niceTicks(low, high, 3)) {
      context.fillStyle = "#ededed";
      context.fillRect(0, atY(tick), width, 1);
      context.fillStyle = "#8a8a8a";
      context.fillText(shortNumber(tick), 2, Math.max(10, atY(tick) - 2));
    }
    context.fillStyle = "#d5d5d5";
    context.fillRect(0, 2 + tall, width, 1);
  }

  // Rows that fall on one pixel are one stroke from their least to their greatest: a million rows draw at once.
  drawLine(context, xs, ys, atX, atY) {
    context.strokeStyle = "#444";
    context.lineWidth = 1.2;
    context.lineJoin = "round";
    context.beginPath();
    let pen = false, group = null;
    const flush = () => {
      if (!group) return;
      const { x, first, low, high, last } = group;
      if (pen) context.lineTo(x, first);
      else context.moveTo(x, first);
      if (low !== high) for (const y of [low, high, last]) context.lineTo(x, y);
      pen = true;
      group = null;
    };
    for (let k = 0; k < xs.length; k++) {
      if (ys[k] - ys[k] !== 0) {
        flush();
        pen = false;
        continue;
      }
      const x = atX(xs[k]), y = atY(ys[k]), column = Math.round(2 * x);
      if (group?.column !== column) {
        flush();
        group = { column, x, first: y, low: y, high: y, last: y };
      }
      Object.assign(group, { low: Math.min(group.low, y), high: Math.max(group.high, y), last: y });
    }
    flush();
    context.stroke();
  }
}

export class Series {
  // onSeek(axis, value): axis is time or step.
  constructor(parent, onSeek) {
    this.parent = parent;
    this.onSeek = onSeek;
    this.plots = new Map();
  }

  // Tables have names and columns; those without a column of time or step are left out.
  set(tables) {
    this.tables = tables.filter((table) => table.names.includes("time") || table.names.includes("step"));
    return this.tables.length > 0;
  }

  draw(frame) {
    for (const table of this.tables ?? []) {
      const axis = table.names.includes("time") ? "time" : "step", xs = table.columns[table.names.indexOf(axis)];
      table.names.forEach((name, k) => {
        if (name === "time" || name === "step") return;
        const key = table.name + "\t" + name;
        if (!this.plots.has(key)) this.plots.set(key, new Plot(this.parent, name, (value) => this.onSeek(axis, value)));
        this.plots.get(key).draw(xs, table.columns[k], frame ? frame[axis] : 0);
      });
    }
  }
}
