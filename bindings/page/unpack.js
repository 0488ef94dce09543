// Bytes of the page's data back into numbers. The form of a frame is described in bindings/lua/page/encode.h.

export function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The text in a script element that view.lua packed; null where there is none.
export async function packedText(id) {
  const element = document.getElementById(id);
  return element ? new TextDecoder().decode(await inflate(fromBase64(element.textContent))) : null;
}

// Head of a frame, and by name where its arrays are.
export async function readHead(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(await inflate(bytes.subarray(4, 4 + length))));
  const arrays = new Map();
  let at = 4 + length;
  for (const [name, kind, count, parameter, mode, size] of head.arrays) {
    arrays.set(name, { kind, count, parameter, mode, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return { step: head.step, time: head.time, key: head.key, raw: head.raw, live: head.live, arrays };
}

// The words of an array; `before` are those of the frame before, or null. The same words come back when nothing changed.
export async function readWords(array, raw, before) {
  const { count, mode, bytes } = array;
  if (raw) return new Uint32Array(bytes.slice().buffer, 0, count);
  if (mode === 1 && bytes.length === 0 && before && before.length === count) return before;
  const words = new Uint32Array(count);
  if (count === 0) return words;
  const planes = await inflate(bytes);
  let last = 0;
  for (let k = 0; k < count; k++) {
    const folded = planes[k] | planes[count + k] << 8 | planes[2 * count + k] << 16 | planes[3 * count + k] << 24;
    let word = folded >>> 1 ^ -(folded & 1);
    if (mode === 1 && before && k < before.length) word += before[k];
    if (mode === 2) word += last;
    last = word >>> 0;
    words[k] = last;
  }
  return words;
}

// Numbers of words: Float32Array, or Int32Array for integers.
export function toNumbers(words, kind, parameter) {
  if (kind === "i") return new Int32Array(words.buffer, words.byteOffset, words.length);
  if (kind === "f") return new Float32Array(words.map((word) => word << parameter).buffer);
  const numbers = new Float32Array(words.length);
  for (let k = 0; k < words.length; k++) {
    const steps = words[k] | 0;
    numbers[k] = steps === -2147483648 ? NaN : steps * parameter;
  }
  return numbers;
}
