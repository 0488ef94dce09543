// Colour maps: those of the program's pictures (bindings/picture/draw/colour.c says where they are from), and how a number
// becomes a colour and a string.
const anchors = {
  viridis: "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725",
  magma: "000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf",
  inferno: "000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4",
  diverging: "3b4cc0 5a77e3 7b9ff9 9fbeff c0d4f5 dddddd f2cbb7 f7ad8f ee8568 d75344 b40426",
  grey: "e6e6e6 101010",
};
const groupAnchors = "0072b2 e69f00 009e73 d55e00 56b4e9 cc79a7 f0e442".split(" ").map(bytesOf);

export const mapNames = [...Object.keys(anchors), "groups"];

function bytesOf(hex) {
  return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

function hue(angle) {
  return [0, 8, 4].map((n) => {
    const k = (n + angle / 30) % 12;
    return 255 * (0.52 - 0.3 * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

// 256 colours, four bytes each. A name with a minus behind it is the map from its end to its beginning: dark is much, on white.
export function mapBytes(name) {
  const bytes = new Uint8Array(256 * 4), list = anchors[name.replace("-", "")]?.split(" ").map(bytesOf);
  if (name.endsWith("-")) list.reverse();
  for (let k = 0; k < 256; k++) {
    let colour;
    if (list) {
      const place = (k / 255) * (list.length - 1), below = Math.min(Math.floor(place), list.length - 2);
      colour = list[below].map((a, axis) => a + (list[below + 1][axis] - a) * (place - below));
    } else {
      colour = k < groupAnchors.length ? groupAnchors[k] : hue((k * 137.508) % 360);
    }
    bytes.set([...colour.map(Math.round), 255], 4 * k);
  }
  return bytes;
}

const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// A number in few digits, as people write it.
export function shortNumber(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    const exponent = [...String(Number(power))].map((c) => raised[c]).join("");
    return String(Number(mantissa)).replace("-", "−") + "·10" + exponent;
  }
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// Round numbers within [low, high], at most `most`.
export function niceTicks(low, high, most) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, most - 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough * 0.999);
  const ticks = [];
  if (Math.floor(high / step) - Math.ceil(low / step) < 1 && most < 16) return niceTicks(low, high, 2 * most);
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + 1e-9 * step; tick += step) {
    ticks.push(Math.abs(tick) < 1e-9 * step ? 0 : tick);
  }
  return ticks;
}

export function logTicks(low, high, most) {
  const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first + 1) / most)), ticks = [];
  for (let power = first; power <= last; power += stride) ticks.push(10 ** power);
  return ticks.length > 1 ? ticks : [low, high];
}
