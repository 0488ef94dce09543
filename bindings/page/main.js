// The page: puts frames, scene and controls together. What is shown follows from `look`; every change of it shows the
// present frame again.
import { shortNumber } from "./colour.js";
import { boxOf, extentOf, particleColumns, scaleOf, usualRange } from "./columns.js";
import { bodyArrays } from "./bodies.js";
import { drawLegends, showLegends } from "./legend.js";
import { grainArrays } from "./grains.js";
import { contactArrays, rayArrays } from "./lines.js";
import { LiveLink } from "./live.js";
import { Controls } from "./controls.js";
import { icon } from "./panel.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { Series } from "./series.js";
import { FileStore, LiveStore } from "./store.js";
import { packedText } from "./unpack.js";

const $ = (id) => document.getElementById(id);
const bodyPlaces = ["bodies.x", "bodies.y", "bodies.z"];
const positions = ["particles.x", "particles.y", "particles.z", "particles.radius"];
const emptyLook = { on: false, column: null, scale: null, greatest: 0 };

class Page {
  constructor(index) {
    this.index = index;
    this.live = Boolean(index.live);
    this.store = this.live ? new LiveStore(index) : new FileStore(index);
    this.look = { colour: null, map: "viridis", logarithmic: false, low: undefined, high: undefined, particles: true, bodies: true,
      contacts: { ...emptyLook }, bonds: { ...emptyLook }, rays: { ...emptyLook, on: true } };
    this.player = new Player(() => this.store.frames.length, (k) => this.show(k), () => this.showState());
    document.title = index.title + " · floc";
  }

  // ---- beginning -----------------------------------------------------------------------------------

  // What the first frame tells: dimension, columns, box; then scene and controls are made.
  async begin() {
    const first = await this.store.names(0), last = this.store.frames.length - 1;
    this.dimension = this.index.dimension ?? (this.isFlat() ? 2 : 3);
    this.columns = particleColumns(first.keys(), this.dimension, this.index.units);
    const samples = [];
    for (const k of new Set([0, last >> 1, last])) samples.push((await this.store.get(k, () => k === 0 ? [...positions, ...bodyPlaces] : positions)).arrays);
    const ranges = this.live ? { "bodies.x": this.store.range("bodies.x"), "bodies.y": this.store.range("bodies.y"),
      "bodies.z": this.store.range("bodies.z") } : this.store.ranges;
    this.box = boxOf(samples, ranges);
    if (this.dimension === 2) this.box.lower[2] = this.box.upper[2] = 0;
    this.wholeBox = this.box;
    this.scene = new Scene($("canvas"), { dimension: this.dimension, box: this.box, most: this.most(), camera: this.index.camera }, (view) => this.showView(view));
    this.chooseLook();
    this.controls = new Controls($("panel"), this);
    this.series = new Series(this.controls.seriesParent, (axis, value) => this.seekTo(axis, value));
    this.showTables(this.store.tables ?? []);
    await this.player.seek(this.live ? last : 0);
    $("note").textContent = "";
  }

  isFlat() {
    return ["particles.z", "bodies.z", "rays.z"].every((name) => {
      const range = this.store.range(name);
      return !range || (range[0] === 0 && range[1] === 0);
    });
  }

  most() {
    return this.store.frames.reduce((most, frame) => Math.max(most, frame.count), 1);
  }

  has(name) {
    return this.store.range(name) !== undefined;
  }

  chooseLook() {
    const varies = (one) => { const range = this.rangeOf(one); return range && range[1] > range[0]; };
    this.look.colour = (this.columns.find((one) => one.key === "speed" && (this.live || varies(one))) ?? this.columns.find(varies) ?? null)?.key ?? null;
    const glued = this.store.range("contacts.gamma")?.[0] < 0;
    this.look.contacts.column = glued ? "gamma" : "force";
    this.look.contacts.on = glued && this.dimension === 2;
    this.look.bonds.column = "strain";
    this.look.bonds.on = this.has("bonds.strain");
  }

  column() {
    return this.columns.find((one) => one.key === this.look.colour) ?? null;
  }

  rangeOf(column) {
    return this.store.range(column.range) ?? this.seenRange?.[column.key];
  }

  // The range that the scale has by itself: of nearly all values in some frames.
  async chooseRange() {
    const column = this.column();
    this.usual ??= new Map();
    if (!column || this.live || this.usual.has(column.key)) return;
    const { frames } = this.store, values = [], wanted = Math.max(1, Math.min(7, frames.length, Math.floor(2e6 / this.most())));
    for (let k = 0; k < wanted; k++) {
      const at = Math.round(((k + 0.5) / wanted) * (frames.length - 1));
      values.push(column.values((await this.store.get(at, (arrays) => column.arrays.filter((name) => arrays.has(name)))).arrays));
    }
    this.usual.set(column.key, usualRange(values, this.rangeOf(column)));
  }

  // ---- showing a frame -----------------------------------------------------------------------------

  names(arrays) {
    const { contacts, bonds, rays } = this.look;
    const wanted = [...positions, ...grainArrays, ...(this.column()?.arrays ?? []), ...bodyArrays, ...(contacts.on ? contactArrays("contacts") : []),
      ...(bonds.on ? contactArrays("bonds") : []), ...(rays.on ? rayArrays : [])];
    return wanted.filter((name) => arrays.has(name));
  }

  async show(k) {
    try {
      await this.chooseRange();
      const frame = await this.store.get(k, (arrays) => this.names(arrays)), column = this.column();
      const value = column ? column.values(frame.arrays) : null;
      this.widenSeen(column, value);
      this.scales = this.scalesNow(column);
      this.scene.setFrame(frame, { ...this.look, value, scale: column ? this.scales.particles : null, contacts: this.tubeLook("contacts"),
        bonds: this.tubeLook("bonds"), rays: { ...this.look.rays, scale: this.scales.rays ?? null } });
      this.shown = frame.arrays;
      this.frame = { step: frame.step, time: frame.time, count: frame.count };
      showLegends($("legend"), Object.values(this.scales));
      this.series?.draw(this.frame);
    } catch (error) {
      this.fail(`frame ${k + 1} cannot be shown: ${error.message}`);
    }
  }

  // During a run, the range of a vector's length is what was seen of it.
  widenSeen(column, values) {
    if (!this.live || !column || column.arrays.length === 1) return;
    const extent = extentOf(values), seen = (this.seenRange ??= {})[column.key];
    if (extent) this.seenRange[column.key] = seen ? [Math.min(seen[0], extent[0]), Math.max(seen[1], extent[1])] : extent;
  }

  scalesNow(column) {
    const scales = {}, { look } = this;
    if (column) scales.particles = scaleOf(column, this.usual?.get(column.key) ?? this.rangeOf(column), look);
    for (const group of ["contacts", "bonds"]) {
      const one = look[group], range = one.on && one.column && this.store.range(`${group}.${one.column}`);
      if (!range) continue;
      const map = one.column === "strain" ? "diverging" : one.column === "gamma" ? "grey" : "inferno";
      scales[group] = scaleOf({ label: one.column === "gamma" ? "γ of contacts" : `${one.column} of ${group}`, unit: "" }, range, { map });
      if (one.column === "force") scales[group].low = Math.min(0, range[0]); // twice the force is twice as far along the colours
      if (one.column === "strain") [scales[group].low, scales[group].high] = [-1, 1].map((sign) => sign * Math.max(Math.abs(range[0]), Math.abs(range[1])));
      if (one.column === "gamma") [scales[group].low, scales[group].high] = [0, Math.min(range[0], -1e-300)];
    }
    const power = look.rays.on && this.store.range("rays.power");
    if (power) scales.rays = scaleOf({ label: "power of rays", unit: "" }, [0, power[1]], { map: "inferno-" });
    return scales;
  }

  tubeLook(group) {
    const one = this.look[group], range = this.store.range(`${group}.${one.column}`);
    return { ...one, scale: this.scales[group] ?? null, greatest: range ? Math.max(Math.abs(range[0]), Math.abs(range[1])) : 0 };
  }

  // ---- what stands around the scene ------------------------------------------------------------------

  showState() {
    const { player } = this, frame = this.frame;
    $("scrub").max = Math.max(0, player.last);
    $("scrub").value = Math.max(0, player.frame);
    const running = this.live && this.following() ? this.state === "running" && !this.paused : player.playing;
    if (this.shownRunning !== running) $("play").innerHTML = icon(running ? "pause" : "play");
    this.shownRunning = running;
    $("play").setAttribute("aria-label", running ? "pause" : "play");
    if (frame) {
      const unit = this.index.units?.time;
      $("clock").textContent = `step ${frame.step}, t = ${shortNumber(frame.time, 5)}${unit ? " " + unit : ""}`;
      this.controls?.showFrame(frame, player);
    }
  }

  showView({ pixelLength, camera, lost }) {
    if (lost) return this.fail("the graphics memory was lost; load the page again");
    const wanted = 110 * pixelLength, power = 10 ** Math.floor(Math.log10(wanted));
    this.bar = [5, 2, 1].map((k) => k * power).find((k) => k <= wanted) ?? power;
    this.barPixels = this.bar / pixelLength;
    $("scale").style.width = this.barPixels + "px";
    $("scale").firstChild.textContent = this.barText();
    if (this.dimension === 3) this.drawAxes(camera);
  }

  barText() {
    return shortNumber(this.bar) + (this.index.units ? " " + this.index.units.length : "");
  }

  drawAxes(camera) {
    const e = camera.matrixWorldInverse.elements;
    $("axes").innerHTML = ["x", "y", "z"].map((name, k) => ({ name, x: 26 * e[4 * k], y: -26 * e[4 * k + 1], z: e[4 * k + 2] }))
      .sort((a, b) => a.z - b.z).map(({ name, x, y }) => `<line x2="${x}" y2="${y}" stroke="#777" stroke-width="1.5"/>
        <text x="${1.3 * x}" y="${1.3 * y + 4}" text-anchor="middle" fill="#555">${name}</text>`).join("");
  }

  fail(message) {
    this.player.playing = false;
    $("note").className = "bad";
    $("note").textContent = message;
  }

  showTables(tables) {
    const any = this.series.set(tables);
    this.controls.seriesParent.hidden = !any;
    this.series.draw(this.frame);
  }

  // What the present frame shows comes to fill the view.
  fitFrame() {
    const box = boxOf([this.shown ?? {}], {});
    if (this.dimension === 2) box.lower[2] = box.upper[2] = 0;
    this.box = box;
    this.scene.fit(box);
  }

  fitRun() {
    this.box = this.wholeBox;
    this.scene.fit(this.box);
  }

  // ---- what the controls ask for -----------------------------------------------------------------------

  // Changes what is shown: change(look).
  set(change) {
    change(this.look);
    return this.player.again();
  }

  seekTo(axis, value) {
    let best = 0;
    this.store.frames.forEach((frame, k) => {
      if (Math.abs(frame[axis] - value) < Math.abs(this.store.frames[best][axis] - value)) best = k;
    });
    this.player.pause();
    this.player.seek(best);
  }

  step(by) {
    this.player.pause();
    return this.player.seek(this.player.frame + by);
  }

  following() {
    return this.live && !this.player.playing && this.player.target >= this.player.last;
  }

  picture() {
    const shot = this.scene.snapshot(), ratio = this.scene.renderer.getPixelRatio(), context = shot.getContext("2d");
    context.scale(ratio, ratio);
    drawLegends(context, Object.values(this.scales), 16, 14);
    const width = shot.width / ratio, height = shot.height / ratio;
    context.fillStyle = "#222";
    context.textAlign = "center";
    context.font = "12px system-ui, sans-serif";
    context.fillRect(18, height - 15, this.barPixels, 2);
    context.fillText(this.barText(), 18 + this.barPixels / 2, height - 20);
    context.textAlign = "right";
    context.fillStyle = "#767676";
    context.fillText(`${this.index.title}, ${$("clock").textContent}`, width - 16, height - 14);
    return shot;
  }

  savePicture() {
    this.picture().toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${this.index.title}-${String(this.frame.step).padStart(6, "0")}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }

  // ---- a run in progress ----------------------------------------------------------------------------

  follow() {
    this.link = new LiveLink({
      onFrame: async (bytes) => {
        const follows = !this.scene || this.following(), head = await this.store.add(bytes);
        if ((this.simulation ??= head.live.simulation) !== head.live.simulation) location.reload(); // the script's next one
        this.paused = head.live.paused;
        this.index.dimension = head.live.dimension;
        this.index.camera = head.live.camera;
        this.index.parameters = head.live.parameters;
        if (!this.scene) await this.begin();
        else if (follows) await this.player.seek(this.player.last);
        this.controls.showLive(this);
        this.showState();
        return head;
      },
      onRows: (tables) => this.showTables(tables),
      onState: (state) => {
        this.state = state;
        if (state === "refused") this.fail("open the whole address that floc printed, with its key");
        this.controls?.showLive(this);
      },
    });
    return this.link.run();
  }
}

async function start() {
  const text = await packedText("floc-index");
  if (!text) throw new Error("there is no run in this page; floc view RUN writes one");
  const page = new Page(JSON.parse(text));
  window.floc = page; // for the tests, and for users of the console
  if (page.live) {
    $("note").textContent = "waiting for the simulation";
    return page.follow();
  }
  await page.store.readTables(page.index);
  await page.begin();
  page.ready = true;
}

start().catch((error) => {
  $("note").className = "bad";
  $("note").textContent = "DecompressionStream" in window ? error.message : "this browser is too old: it needs DecompressionStream (2023)";
  console.error(error);
});
