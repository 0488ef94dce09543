// Legends of colours, drawn on a canvas: the same in the page and in its pictures.
import { logTicks, mapBytes, niceTicks, shortNumber } from "./colour.js";

const barWidth = 190, barHeight = 9, lineHeight = 50;

function drawBar(context, scale, x, y) {
  const bytes = mapBytes(scale.map);
  for (let k = 0; k < barWidth; k++) {
    const at = 4 * Math.round((k / (barWidth - 1)) * 255);
    context.fillStyle = `rgb(${bytes[at]} ${bytes[at + 1]} ${bytes[at + 2]})`;
    context.fillRect(x + k, y, 1.5, barHeight);
  }
}

function place(scale, tick) {
  if (scale.high === scale.low) return 0.5;
  return scale.logarithmic ? Math.log(tick / scale.low) / Math.log(scale.high / scale.low) : (tick - scale.low) / (scale.high - scale.low);
}

// scale: { label, unit, map, low, high, logarithmic }
function drawScale(context, scale, x, y) {
  context.fillStyle = "#222";
  context.font = "600 12.5px system-ui, sans-serif";
  context.textAlign = "left";
  context.fillText(scale.label, x, y + 11);
  const width = context.measureText(scale.label + " ").width;
  context.font = "12.5px system-ui, sans-serif";
  context.fillStyle = "#767676";
  if (scale.unit) context.fillText(` [${scale.unit}]`, x + width, y + 11);
  if (scale.map === "groups") return;
  drawBar(context, scale, x, y + 17);
  context.font = "11.5px system-ui, sans-serif";
  context.fillStyle = "#444";
  context.textAlign = "center";
  const ticks = scale.logarithmic ? logTicks(scale.low, scale.high, 4)
    : niceTicks(Math.min(scale.low, scale.high), Math.max(scale.low, scale.high), 4).sort((a, b) => place(scale, a) - place(scale, b));
  let free = -Infinity;
  for (const tick of ticks) {
    const middle = x + place(scale, tick) * (barWidth - 1), text = shortNumber(tick), half = 0.5 * context.measureText(text).width;
    const at = Math.max(x + half, middle);
    if (at - half < free) continue;
    context.fillRect(middle - 0.5, y + 17 + barHeight, 1, 3);
    context.fillText(text, at, y + 17 + barHeight + 14);
    free = at + half + 6;
  }
}

export function drawLegends(context, scales, x, y) {
  scales.forEach((scale, k) => drawScale(context, scale, x, y + k * lineHeight));
}

export function showLegends(canvas, scales) {
  const ratio = Math.min(window.devicePixelRatio, 2), width = barWidth + 20, height = Math.max(1, scales.length * lineHeight);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  drawLegends(context, scales, 1, 0);
}
