// The controls beside and below the scene: made once, from what the run has.
import { mapNames, shortNumber } from "./colour.js";
import { send } from "./live.js";
import { button, choice, element, icon, number, section, slider, slidingNumber, tick } from "./panel.js";

const $ = (id) => document.getElementById(id);
const speeds = [[0.04, "1 frame/s"], [0.25, "× ¼"], [0.5, "× ½"], [1, "× 1"], [2, "× 2"], [4, "× 4"]];
const stateTexts = { running: "running", gone: "no answer from the simulation", ended: "the run has ended", refused: "refused" };

export class Controls {
  constructor(panel, page) {
    this.page = page;
    panel.append(element("h1", {}, page.index.title));
    this.facts = element("p", { class: "facts" });
    panel.append(this.facts);
    if (page.live) this.makeLive(panel);
    this.makeColour(panel);
    this.makeParts(panel);
    if (page.dimension === 3) this.makeCut(panel);
    this.seriesParent = section(panel, "Observables");
    this.makeBar();
    this.makeKeys();
  }

  showFrame(frame, player) {
    this.facts.textContent = `${frame.count.toLocaleString("en")} particles · frame ${player.frame + 1} of ${player.last + 1}`;
    const scale = this.page.scales?.particles;
    this.low.disabled = this.high.disabled = !scale;
    if (!scale) return;
    if (document.activeElement !== this.low) this.low.value = Number(scale.low.toPrecision(5));
    if (document.activeElement !== this.high) this.high.value = Number(scale.high.toPrecision(5));
  }

  // ---- colour ------------------------------------------------------------------------------------

  makeColour(panel) {
    const { page } = this, part = section(panel, "Colour");
    const options = [["", "one colour"], ...page.columns.map((one) => [one.key, one.label])];
    const row = () => part.appendChild(element("div", { class: "row" }));
    const first = row();
    choice(first, "colour of particles", "colour", options, page.look.colour ?? "", (key) => page.set((look) => {
      Object.assign(look, { colour: key || null, low: undefined, high: undefined });
    }));
    choice(first, "colour map", "map", mapNames, page.look.map, (map) => page.set((look) => { look.map = map; }));
    const second = row();
    this.low = number(second, "least value of the scale", "low", (value) => page.set((look) => { look.low = value; }));
    this.high = number(second, "greatest value of the scale", "high", (value) => page.set((look) => { look.high = value; }));
    button(second, "Auto", "auto", () => page.set((look) => Object.assign(look, { low: undefined, high: undefined })), { class: "fixed",
      title: "the range of nearly all values" });
    tick(part, "logarithmic", "logarithmic", false, (on) => page.set((look) => { look.logarithmic = on; }));
  }

  // ---- parts -------------------------------------------------------------------------------------

  makeParts(panel) {
    const { page } = this, { look } = page, part = section(panel, "Show");
    tick(part, "particles", "show-particles", true, (on) => page.set(() => { look.particles = on; }));
    if (page.has("bodies.x")) {
      tick(part, "bodies", "show-bodies", true, (on) => page.set(() => { look.bodies = on; }));
      if (page.dimension === 3) {
        slider(part, { label: "opacity of plates", id: "opacity", low: 0, high: 1, step: 0.02, value: 0.12, shown: (v) => v.toFixed(2) },
          (value) => page.scene.setOpacity(value));
      }
    }
    if (page.has("contacts.force") || page.live) this.makeTubes(part, "contacts", ["force", "gamma"]);
    if (page.has("bonds.strain")) this.makeTubes(part, "bonds", ["strain"]);
    if (page.has("rays.x")) tick(part, "rays", "show-rays", true, (on) => page.set(() => { look.rays.on = on; }));
    const row = part.appendChild(element("div", { class: "row" }));
    if (page.dimension === 3) row.append(element("span", { class: "fixed quiet" }, "view"));
    button(row, "All", "fit", () => page.fitRun(), { title: "the whole run in view" });
    button(row, "Fit", "fit-frame", () => page.fitFrame(), { title: "this frame's particles in view" });
    if (page.dimension === 3) {
      for (const [name, direction] of [["x", [1, 0, 0]], ["y", [0, -1, 0]], ["z", [0, 0, 1]]]) {
        button(row, name, "view-" + name, () => page.scene.fit(page.box, direction), { title: "look along " + name });
      }
    }
  }

  makeTubes(parent, group, columns) {
    const { page } = this, look = page.look[group], row = parent.appendChild(element("div", { class: "row" }));
    tick(row, group, "show-" + group, look.on, (on) => page.set(() => { look.on = on; }));
    const there = columns.filter((name) => page.live || page.has(`${group}.${name}`));
    if (there.length > 1) {
      choice(row, `${group} by`, group + "-by", there.map((name) => [name, name === "gamma" ? "γ" : name]), look.column,
        (name) => page.set(() => { look.column = name; }));
    }
  }

  // ---- the cut -----------------------------------------------------------------------------------

  makeCut(panel) {
    const { page } = this, part = section(panel, "Cut"), state = { axis: -1, share: 0.5, other: false };
    const apply = () => {
      if (state.axis < 0) return page.scene.setCut(null);
      const { lower, upper } = page.box, normal = [0, 0, 0], sign = (state.axis === 1) === state.other ? 1 : -1; // away goes what is nearer to the eye
      normal[state.axis] = sign;
      page.scene.setCut({ normal, offset: sign * (lower[state.axis] + state.share * (upper[state.axis] - lower[state.axis])) });
    };
    const row = part.appendChild(element("div", { class: "row" }));
    choice(row, "cut across", "cut", [[-1, "none"], [0, "across x"], [1, "across y"], [2, "across z"]], -1, (axis) => {
      state.axis = Number(axis);
      apply();
    });
    tick(row, "other side", "cut-other", false, (on) => {
      state.other = on;
      apply();
    });
    const shown = (share) => (state.axis < 0 ? "" : shortNumber(page.box.lower[state.axis] + share * (page.box.upper[state.axis] - page.box.lower[state.axis]), 3));
    slider(part, { label: "at", id: "cut-at", low: 0, high: 1, step: 0.005, value: 0.5, shown }, (share) => {
      state.share = share;
      apply();
    });
  }

  // ---- the bar -----------------------------------------------------------------------------------

  makeBar() {
    const { page } = this, { player } = page;
    $("back").innerHTML = icon("back");
    $("forward").innerHTML = icon("forward");
    $("play").addEventListener("click", () => this.togglePlay());
    $("back").addEventListener("click", () => page.step(-1));
    $("forward").addEventListener("click", () => page.step(1));
    $("scrub").addEventListener("input", () => {
      const wanted = Number($("scrub").value); // before pause, which shows the present frame
      player.pause();
      player.seek(wanted);
    });
    for (const [value, text] of speeds) $("speed").append(element("option", { value: String(value), selected: value === 1 }, text));
    $("speed").addEventListener("change", () => player.setSpeed(Number($("speed").value)));
    $("picture").addEventListener("click", () => page.savePicture());
    $("bar").classList.toggle("single", player.last < 1);
  }

  // At the newest frame of a run in progress, play and pause are the simulation's.
  togglePlay() {
    const { page } = this, { player } = page;
    if (page.live && page.following() && page.state === "running") send(page.paused ? "resume" : "pause");
    else if (player.playing) player.pause();
    else player.play();
  }

  makeKeys() {
    document.addEventListener("keydown", (event) => {
      const { tagName } = event.target; // a range, a list and a pressed button have keys of their own
      if (["INPUT", "SELECT"].includes(tagName) || (tagName === "BUTTON" && event.key === " ")) return;
      const action = { " ": () => this.togglePlay(), ArrowLeft: () => this.page.step(-1), ArrowRight: () => this.page.step(1),
        Home: () => this.page.step(-Infinity), End: () => this.page.step(Infinity) }[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  // ---- a run in progress --------------------------------------------------------------------------

  makeLive(panel) {
    const part = section(panel, "Simulation"), row = part.appendChild(element("div", { class: "row" }));
    this.light = element("span", { class: "state" });
    this.stateText = element("span", {});
    part.insertBefore(element("div", {}, this.light, this.stateText), row);
    this.pauseButton = button(row, "Pause", "live-pause", () => send(this.page.paused ? "resume" : "pause"));
    this.stepButton = button(row, "One step", "live-step", () => send("step"), { title: "one step, then pause" });
    button(row, "Newest", "live-newest", () => this.page.step(Infinity), { title: "the newest frame, and those that follow" });
    this.sliders = new Map();
    for (const one of this.page.index.parameters ?? []) {
      const made = slidingNumber(part, { label: one.name.replaceAll("_", " "), id: "parameter-" + one.name, low: one.low,
        high: one.high, integer: one.integer, value: one.value, note: one.text }, (value) => {
        made.moved = performance.now();
        made.pending = value;
        if (!made.waiting) { // a slider that is dragged sends at most every 60 ms
          made.waiting = true;
          setTimeout(() => {
            made.waiting = false;
            send("set", one.name, made.pending);
          }, 60);
        }
      });
      this.sliders.set(one.name, made);
    }
  }

  showLive(page) {
    if (!this.light) return;
    this.light.className = "state " + (page.state === "running" ? (page.paused ? "paused" : "") : "gone");
    this.stateText.textContent = page.state === "running" && page.paused ? "paused" : stateTexts[page.state] ?? "";
    this.pauseButton.textContent = page.paused ? "Resume" : "Pause";
    this.pauseButton.disabled = this.stepButton.disabled = page.state !== "running";
    for (const { name, value } of page.index.parameters ?? []) {
      const made = this.sliders.get(name);
      if (!(performance.now() - (made.moved ?? -1e9) < 1000)) made.set(value);
      for (const input of made.inputs) input.disabled = page.state !== "running";
    }
  }
}
