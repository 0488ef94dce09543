// Where frames come from. A store has frames (a list of { step, time, count }), get(k, names) -> the arrays of that name
// that frame k has, range(name), tables. Arrays are shared: no code writes to them, and an array that did not change
// from one frame to the next is the same object, so that others can see it at a glance.
import { fromBase64, packedText, readHead, readWords, toNumbers } from "./unpack.js";

const cacheBytes = 160e6;
const openFrames = 32;

// Least recently used goes first; `size` of an entry in bytes.
class Cache {
  constructor(limit) {
    this.limit = limit;
    this.size = 0;
    this.entries = new Map();
  }
  get(key) {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }
  set(key, value, size) {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
    this.entries.set(key, { value, size });
    this.size += size;
    for (const [old, entry] of this.entries) {
      if (this.size <= this.limit || old === key) break;
      this.entries.delete(old);
      this.size -= entry.size;
    }
  }
}

export function parseTable(text) {
  const lines = text.split("\n").filter((line) => line !== "");
  const names = lines.length > 0 ? lines[0].split("\t") : [];
  const columns = names.map(() => []);
  for (const line of lines.slice(1)) {
    line.split("\t").forEach((cell, k) => {
      if (k < columns.length) columns[k].push(cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : Number(cell));
    });
  }
  return { names, columns };
}

// Frames that stand in the page, packed.
export class FileStore {
  constructor(index) {
    this.frames = index.frames.map(([step, time, count, key]) => ({ step, time, count, key: key === 1 }));
    this.ranges = index.ranges;
    this.heads = new Cache(openFrames);
    this.numbers = new Cache(cacheBytes);
    this.tracks = new Map(); // by name: the words of the frame that was read last
  }

  async readTables(index) {
    this.tables = [];
    for (let k = 0; k < index.tables.length; k++) {
      this.tables.push({ name: index.tables[k], ...parseTable(await packedText("t" + k)) });
    }
  }

  range(name) {
    return this.ranges[name];
  }

  async head(k) {
    let head = this.heads.get(k);
    if (!head) {
      head = await readHead(fromBase64(document.getElementById("f" + k).textContent));
      this.heads.set(k, head, 1);
    }
    return head;
  }

  keyAtOrBefore(k) {
    while (!this.frames[k].key) k--;
    return k;
  }

  // Frames are differences: from the last one that is complete, or the last one read, forward.
  async array(k, name) {
    const cached = this.numbers.get(k + " " + name);
    if (cached !== undefined) return cached;
    const key = this.keyAtOrBefore(k);
    let track = this.tracks.get(name);
    if (!track || track.frame < key || track.frame > k) track = { frame: key - 1, words: null, numbers: null };
    for (let j = track.frame + 1; j <= k; j++) {
      const head = await this.head(j), array = head.arrays.get(name);
      if (!array) {
        track = { frame: j, words: track.words, numbers: null };
        continue;
      }
      const words = await readWords(array, head.raw, track.words);
      const same = words === track.words && track.numbers;
      track = { frame: j, words, numbers: same ? track.numbers : toNumbers(words, array.kind, array.parameter) };
      this.numbers.set(j + " " + name, track.numbers, same ? 0 : 4 * words.length);
    }
    this.tracks.set(name, track);
    if (!track.numbers) this.numbers.set(k + " " + name, null, 0);
    return track.numbers;
  }

  async get(k, names) {
    const frame = { index: k, ...this.frames[k], arrays: {} };
    const head = await this.head(k);
    for (const name of names(head.arrays)) frame.arrays[name] = await this.array(k, name);
    return frame;
  }

  async names(k) {
    return (await this.head(k)).arrays;
  }
}

const historyBytes = 200e6;

// Frames that came from a running simulation. History is thinned when it becomes too much: of the older half every
// second frame goes.
export class LiveStore {
  constructor(index) {
    this.frames = [];
    this.tables = [];
    this.ranges = {};
    this.bytes = 0;
    this.index = index;
  }

  async add(bytes) {
    const head = await readHead(bytes), numbers = new Map();
    for (const [name, array] of head.arrays) {
      const values = toNumbers(await readWords(array, head.raw, null), array.kind, array.parameter);
      numbers.set(name, values);
      this.widen(name, values);
    }
    const count = head.arrays.get("particles.x")?.count ?? 0;
    this.frames.push({ step: head.step, time: head.time, count, head, numbers, bytes: bytes.length });
    this.bytes += bytes.length;
    if (this.bytes > historyBytes && this.frames.length > 4) this.thin();
    return head;
  }

  thin() {
    const half = this.frames.length >> 1;
    this.frames = this.frames.filter((frame, k) => k >= half || k % 2 === 0);
    this.bytes = this.frames.reduce((sum, frame) => sum + frame.bytes, 0);
  }

  widen(name, values) {
    const range = this.ranges[name] ??= [Infinity, -Infinity];
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      if (value - value !== 0) continue;
      if (value < range[0]) range[0] = value;
      if (value > range[1]) range[1] = value;
    }
  }

  range(name) {
    const range = this.ranges[name];
    return range && range[0] <= range[1] ? range : undefined;
  }

  async get(k, names) {
    const { step, time, count, head, numbers } = this.frames[k], arrays = {};
    for (const name of names(head.arrays)) arrays[name] = numbers.get(name) ?? null;
    return { index: k, step, time, count, arrays };
  }

  async names(k) {
    return this.frames[k].head.arrays;
  }
}
