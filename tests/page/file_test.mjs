// The page that floc view writes, opened from a file in Chromium.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { choose, floc, here, makeFolder, openBrowser, openFile, pictureOf, screenshots, settled, stateOf } from "./support.mjs";

const folder = makeFolder();
let browser;

before(async () => {
  floc(folder, "run", join(here, "scene.lua"), "--quiet", "--out=two");
  floc(folder, "run", join(here, "scene.lua"), "--quiet", "--out=three", "--dimension=3");
  browser = await openBrowser();
});
after(() => browser?.close());

const opened = {};
async function pageOf(name) {
  if (!opened[name]) {
    floc(folder, "view", name, `--output=${name}.html`, "--units=m,s,kg");
    opened[name] = await openFile(browser, join(folder, name + ".html"));
  }
  return opened[name];
}

test("two dimensions: opens, is not blank, fits the run", async () => {
  const page = await pageOf("two"), picture = await pictureOf(page), state = await stateOf(page);
  assert.ok(picture.colours > 30, `${picture.colours} colours`);
  assert.ok(picture.marked > 0.05 && picture.marked < 0.9, `${picture.marked} of the picture is marked`);
  assert.deepEqual(state, { step: 0, time: 0, count: 60, frame: 0, playing: false, last: 12 });
  assert.match(await page.textContent(".facts"), /60 particles · frame 1 of 13/);
  assert.match(await page.title(), /^run · floc$/);
});

test("a body that flies off does not make all the rest small", async () => {
  writeFileSync(join(folder, "stray.lua"), `local floc = require "floc"
    local sim = floc.simulation { time_step = 0.01 }
    sim:add_particles { count = 60, radius = 0.06, region = floc.box { lower = { -1, -1 }, upper = { 1, 1 } } }
    sim:add_body { shape = floc.segment { { -1.2, -1.1 }, { 1.2, -1.1 } } }
    sim:add_body { shape = floc.circle { radius = 0.2 }, position = { 0, 1.5 }, velocity = { 500, 0 } }
    sim:write_vtp { path = floc.out .. "/run", every = 5 }
    sim:run { steps = 30 }`);
  floc(folder, "run", "stray.lua", "--quiet", "--out=stray");
  const page = await pageOf("stray"), picture = await pictureOf(page);
  assert.ok(picture.marked > 0.05, `${picture.marked} of the picture is marked`);
});

test("grains that are not round are drawn as they are, not as the circles about them", async () => {
  writeFileSync(join(folder, "grains.lua"), `local floc = require "floc"
    local sim = floc.simulation { time_step = 0.01, gravity = { 0, -9.81 }, scheme = floc.inelastic { friction = 0.3 }, boundary = "wall",
      domain = floc.box { lower = { 0, 0 }, upper = { 8, 8 } } }
    sim:add_particles { count = 10, radius = 0.3, density = 1 }
    sim:add_particles { count = 20, radius = { 0.3, 0.5 }, density = 1, shape = floc.polygon { sides = 6 } }
    sim:add_particles { count = 15, radius = 0.5, density = 1, shape = floc.rod { aspect = 4 } }
    sim:write_vtp { path = floc.out .. "/run", every = 50 }
    sim:run { steps = 100 }`);
  floc(folder, "run", "grains.lua", "--quiet", "--out=grains");
  const page = await pageOf("grains");
  for (const frame of [0, 2]) {
    await page.evaluate((k) => window.floc.player.seek(k), frame);
    await settled(page);
    const drawn = await page.evaluate(() => {
      const { grains, spheres } = window.floc.scene, geometry = grains.faces.geometry, at = geometry.attributes.position.array, index = geometry.index.array;
      let area = 0, wrong = 0;
      for (let k = 0; k < index.length; k += 3) {
        const [a, b, c] = [0, 1, 2].map((i) => [at[3 * index[k + i]], at[3 * index[k + i] + 1]]);
        const one = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        area += one;
        if (one < -1e-6) wrong++;
      }
      return { area, wrong, visible: grains.faces.visible, round: [...spheres.arrays[3]].filter((r) => r > 0).length };
    });
    const mass = await page.evaluate(async (k) => [...(await window.floc.store.get(k, () => ["particles.mass"])).arrays["particles.mass"]], frame);
    const wanted = mass.slice(10).reduce((sum, one) => sum + one, 0);
    assert.ok(drawn.visible && drawn.wrong === 0, JSON.stringify(drawn));
    assert.ok(Math.abs(drawn.area - wanted) < 0.01 * wanted, `${drawn.area} for ${wanted}`);
    assert.equal(drawn.round, 10);
  }
  await page.screenshot({ path: join(screenshots, "grains.png") });
});

test("frames are those of the run, to the page's rounding", async () => {
  const page = await pageOf("two");
  for (const k of [11, 0, 7, 12, 3]) {
    const shown = await page.evaluate(async (k) => {
      const names = ["particles.x", "particles.y", "particles.radius", "particles.charge", "particles.velocity.y"];
      const { arrays, step } = await window.floc.store.get(k, () => names);
      return { step, columns: names.map((name) => [...arrays[name]]) };
    }, k);
    const lines = reference(shown.step);
    assert.equal(shown.columns[0].length, lines.length);
    lines.forEach(([x, y, radius, charge, vy], row) => {
      const at = shown.columns.map((column) => column[row]);
      assert.ok(Math.abs(at[0] - x) < 0.04 / 64 && Math.abs(at[1] - y) < 0.04 / 64, `position of ${row + 1} in step ${shown.step}`);
      for (const [is, should] of [[at[2], radius], [at[3], charge], [at[4], vy]]) {
        assert.ok(Math.abs(is - should) <= 2 ** -10 * Math.abs(should) + 1e-30, `${is} for ${should}`);
      }
    });
  }
});

// The same run once more, written as text by another part of the program.
const frames = new Map();
function reference(step) {
  if (frames.size === 0) {
    const script = readFileSync(join(here, "scene.lua"), "utf8").replace("sim:run {", "sim:write_xyz { path = floc.out .. \"/run.xyz\", every = 5 }\nsim:run {");
    writeFileSync(join(folder, "text.lua"), script);
    floc(folder, "run", "text.lua", "--quiet", "--out=text");
    const lines = readFileSync(join(folder, "text/run.xyz"), "utf8").split("\n");
    for (let at = 0; at + 1 < lines.length;) {
      const count = Number(lines[at]), names = lines[at + 1].match(/Properties=(\S+)/)[1].split(":");
      assert.deepEqual(names.slice(-3), ["charge", "R", "1"]);
      frames.set(Number(lines[at + 1].match(/Step=(\d+)/)[1]), lines.slice(at + 2, at + 2 + count).map((line) => {
        const [, , x, y, , , vy, , radius, , charge] = line.split(" ").map(Number);
        return [x, y, radius, charge, vy];
      }));
      at += 2 + count;
    }
  }
  return frames.get(step);
}

test("plays to the end, stops there, and begins again", async () => {
  const page = await pageOf("two");
  await page.evaluate(() => window.floc.player.seek(0));
  await page.selectOption("#speed", "4");
  await page.click("#play");
  await page.waitForFunction(() => !window.floc.player.playing && window.floc.player.frame === 12);
  assert.equal((await stateOf(page)).count, 80); // those that were added in the middle are there
  await page.selectOption("#speed", "0.25");
  await page.evaluate(() => {
    document.activeElement.blur();
    const stopped = performance.now();
    performance.now = () => stopped; // a slow machine would leave frames out, to the end
  });
  await page.keyboard.press(" ");
  await page.waitForFunction(() => window.floc.player.playing && window.floc.player.frame < 12);
  await page.click("#play");
  assert.equal((await stateOf(page)).playing, false);
  await page.evaluate(() => delete performance.now);
  await page.keyboard.press("Home");
  await settled(page);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal((await stateOf(page)).frame, 1);
});

test("scrubs, steps, and goes where a plot is clicked", async () => {
  const page = await pageOf("two");
  await page.fill("#scrub", "6");
  await settled(page);
  assert.equal((await stateOf(page)).step, 30);
  const before = await pictureOf(page);
  await page.click("#forward");
  await settled(page);
  assert.equal((await stateOf(page)).step, 35);
  assert.notEqual((await pictureOf(page)).sum, before.sum);
  await page.click("#back");
  await settled(page);
  assert.equal((await pictureOf(page)).sum, before.sum); // decoded backwards and forwards alike
  const plot = page.locator(".series canvas").first(), { width } = await plot.boundingBox();
  await plot.click({ position: { x: width - 2, y: 20 } });
  await settled(page);
  assert.equal((await stateOf(page)).frame, 12);
  assert.equal(await page.locator(".series").count(), 2);
  assert.match(await page.locator(".series output").nth(1).textContent(), /^80$/);
});

test("colours by any column, with its legend, map, range and logarithm", async () => {
  const page = await pageOf("two"), seen = new Set();
  const options = await page.$$eval("#colour option", (list) => list.map((one) => one.value));
  for (const name of ["", "speed", "charge", "vx", "vy", "force", "radius", "mass"]) assert.ok(options.includes(name), name);
  for (const name of ["charge", "radius", "vy", ""]) {
    await choose(page, "colour", name);
    seen.add((await pictureOf(page)).sum);
  }
  await choose(page, "colour", "charge");
  assert.deepEqual(await page.evaluate(() => { const { label, unit, low, high } = window.floc.scales.particles; return { label, unit, low, high }; }),
    { label: "charge", unit: "", low: 0.5, high: 30 });
  for (const map of ["inferno", "groups", "diverging", "viridis"]) {
    await choose(page, "map", map);
    seen.add((await pictureOf(page)).sum);
  }
  assert.equal(seen.size, 7); // viridis last is charge first
  await page.fill("#high", "5");
  await page.press("#high", "Enter");
  await settled(page);
  assert.equal(await page.evaluate(() => window.floc.scales.particles.high), 5);
  await page.check("#logarithmic");
  await settled(page);
  seen.add((await pictureOf(page)).sum);
  assert.equal(seen.size, 8);
  await page.uncheck("#logarithmic");
  await page.click("#auto");
  await choose(page, "colour", "speed");
  assert.equal(await page.evaluate(() => window.floc.scales.particles.unit), "m/s");
});

test("shows and hides particles, bodies and contacts", async () => {
  const page = await pageOf("two");
  await page.evaluate(() => window.floc.player.seek(12));
  const all = await pictureOf(page);
  for (const part of ["particles", "bodies", "contacts"]) {
    await page.uncheck("#show-" + part);
    await settled(page);
    assert.notEqual((await pictureOf(page)).sum, all.sum, part);
    await page.check("#show-" + part);
    await settled(page);
  }
  assert.equal((await pictureOf(page)).sum, all.sum);
  await page.screenshot({ path: join(screenshots, "two.png") });
});

test("contacts join the particles that touch", async () => {
  const page = await pageOf("two");
  const worst = await page.evaluate(async () => {
    const names = ["particles.x", "particles.y", "particles.radius", "contacts.first", "contacts.second", "contacts.force"];
    const { arrays } = await window.floc.store.get(12, () => names), [x, y, radius, first, second] = names.map((name) => arrays[name]);
    const gaps = [...first].map((id, k) => [id - 1, id - 1 + second[k]]).filter(([i, j]) => i !== j)
      .map(([i, j]) => (Math.hypot(x[i] - x[j], y[i] - y[j]) - radius[i] - radius[j]) / radius[i]);
    return { count: gaps.length, worst: Math.max(...gaps.map(Math.abs)) };
  });
  assert.ok(worst.count > 5 && worst.worst < 0.2, JSON.stringify(worst)); // glued pairs may stand a little apart
});

// Three balls of 1 kg that stand on each other: 10, 20 and 30 N in the page's data and in what it draws. Contacts are kept to 7 bits,
// in which these numbers have no rounding; the tubes' widths go with the root of the force.
const soft = "floc.discrete_element { integrator = 'velocity_verlet', contact = ";
for (const [name, scheme] of Object.entries({ inelastic: "floc.inelastic {}", gluey: "floc.gluey {}",
  friction: "floc.inelastic { friction = 0.3 }", hooke: soft + "'hooke', stiffness = 1e5, damping = 200 }",
  hertz: soft + "'hertz', young_modulus = 1e6, damping = 8e4 }", penalty: "floc.discrete_element { stiffness = 1e7, damping = 2e4 }",
  law: soft + "'none' }" })) {
  test("the forces of a pile: " + name, async () => {
    writeFileSync(join(folder, "pile.lua"), `local floc = require "floc"
      local sim = floc.simulation { time_step = 1e-4, gravity = { 0, -10 }, scheme = ${scheme} }
      sim:add_body { shape = floc.plane { normal = { 0, 1 } } }
      for k = 1, 3 do sim:add_particle { position = { 0, k - 0.5 }, radius = 0.5, mass = 1 } end
      if ${name === "law"} then
        local function spring(overlap, normal_velocity) return overlap < 0 and 0 or 1e5 * overlap - 200 * normal_velocity end
        sim:add_force { range = 0.1, law = spring }
        sim:add_wall_force { range = 0.1, law = spring }
      end
      sim:run { steps = 15000 }
      sim:write_vtp { path = floc.out .. "/pile", every = 1 }
      sim:run { steps = 1 }`);
    floc(folder, "run", "pile.lua", "--quiet", "--out=pile-" + name);
    floc(folder, "view", "pile-" + name, `--output=pile-${name}.html`);
    const page = await openFile(browser, join(folder, `pile-${name}.html`));
    const { first, second, force } = await page.evaluate(async () => {
      const names = ["first", "second", "force"], last = window.floc.store.frames.length - 1;
      const { arrays } = await window.floc.store.get(last, () => names.map((one) => "contacts." + one));
      return Object.fromEntries(names.map((one) => [one, [...arrays["contacts." + one]]]));
    });
    const found = {};
    first.forEach((id, k) => { found[second[k] === 0 ? 30 : 10 * (3 - id)] = force[k]; });
    assert.deepEqual(Object.keys(found), ["10", "20", "30"]);
    for (const [should, is] of Object.entries(found)) assert.ok(Math.abs(is - should) < 1e-2, `${is} for ${should}`);
    await page.evaluate(async () => {
      Object.assign(window.floc.look.contacts, { on: true, column: "force" });
      await window.floc.player.seek(window.floc.player.last);
    });
    await settled(page);
    const { width, value, scale } = await page.evaluate(() => {
      const { attributes } = window.floc.scene.contacts.mesh.geometry;
      return { width: [...attributes.width.array], value: [...attributes.value.array], scale: window.floc.scales.contacts };
    });
    assert.ok(Math.abs(scale.low) < 1e-9 && Math.abs(scale.high - 30) < 0.02, JSON.stringify(scale));
    value.forEach((one, k) => {
      const share = (width[k] / 0.5 - 0.05) / 0.55;
      assert.ok(Math.abs(30 * share * share - one) < 1e-2, `a tube of width ${width[k]} for ${one}`);
    });
    assert.deepEqual(value.map(Math.round).sort(), [10, 20, 30]);
    await page.close();
  });
}

test("three dimensions: balls, a camera that turns, a cut", async () => {
  const page = await pageOf("three");
  await page.evaluate(() => window.floc.player.seek(8));
  const whole = await pictureOf(page);
  assert.ok(whole.colours > 300, `${whole.colours} colours`);
  const canvas = await page.locator("#canvas").boundingBox(), middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 120, middle[1] + 40, { steps: 3 });
  await page.mouse.up();
  assert.notEqual((await pictureOf(page)).sum, whole.sum);
  await page.mouse.wheel(0, -300);
  await page.waitForTimeout(100);
  await page.click("#fit");
  assert.equal((await pictureOf(page)).sum, whole.sum);
  await page.screenshot({ path: join(screenshots, "three.png") });
  await choose(page, "cut", 0);
  const half = await pictureOf(page);
  assert.ok(half.marked < 0.97 * whole.marked, `${half.marked} of ${whole.marked}`);
  await page.check("#cut-other");
  assert.notEqual((await pictureOf(page)).sum, half.sum);
  await page.fill("#cut-at", "1");
  await page.uncheck("#cut-other");
  await page.screenshot({ path: join(screenshots, "cut.png") });
  await choose(page, "cut", -1);
  assert.equal((await pictureOf(page)).sum, whole.sum);
  await page.click("#view-z");
  assert.notEqual((await pictureOf(page)).sum, whole.sum);
});

test("up is against gravity, as in pictures, and what the camera turns about", async () => {
  for (const [name, gravity, up] of [["down-y", "{ 0, -1, 0 }", [0, 1, 0]], ["down-z", "{ 0, 0, -1 }", [0, 0, 1]], ["none", "{ 0, 0, 0 }", [0, 1, 0]]]) {
    writeFileSync(join(folder, name + ".lua"), `local floc = require "floc"
      local sim = floc.simulation { time_step = 0.01, dimension = 3, gravity = ${gravity} }
      sim:add_particles { count = 20, radius = 0.1, region = floc.box { lower = { 0, 0, 0 }, upper = { 1, 1, 1 } } }
      sim:write_vtp { path = floc.out .. "/run", every = 5 }
      sim:run { steps = 5 }`);
    floc(folder, "run", name + ".lua", "--quiet", "--out=" + name);
    const page = await pageOf(name);
    const axisOnScreen = () => page.evaluate((up) => {
      const e = window.floc.scene.camera.matrixWorldInverse.elements;
      return [0, 1].map((row) => up[0] * e[row] + up[1] * e[4 + row] + up[2] * e[8 + row]);
    }, up);
    assert.deepEqual(await page.evaluate(() => window.floc.scene.camera.up.toArray()), up);
    const canvas = await page.locator("#canvas").boundingBox(), middle = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    for (const turns of [0, 130, -70]) {
      await page.mouse.move(...middle);
      await page.mouse.down();
      await page.mouse.move(middle[0] + turns, middle[1], { steps: 3 });
      await page.mouse.up();
      const [right, upwards] = await axisOnScreen();
      assert.ok(Math.abs(right) < 1e-6 && upwards > 0.5, `${name}: ${right} ${upwards}`);
    }
    await page.close();
  }
});

test("saves a picture", async () => {
  const page = await pageOf("two"), [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  assert.match(download.suggestedFilename(), /^run-0000\d\d\.png$/);
  const path = join(folder, "picture.png");
  await download.saveAs(path);
  assert.equal(readFileSync(path).subarray(1, 4).toString(), "PNG");
  assert.ok(statSync(path).size > 5000);
});

test("a phone: everything is reachable, nothing is wider than the screen", async () => {
  await pageOf("three");
  const options = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const page = await openFile(browser, join(folder, "three.html"), options);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.ok((await pictureOf(page)).marked > 0.03);
  await page.tap("#forward");
  await settled(page);
  assert.equal((await stateOf(page)).frame, 1);
  await page.locator("#cut").scrollIntoViewIfNeeded();
  assert.ok(await page.locator("#cut").isVisible());
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(screenshots, "phone.png") });
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("a checkpoint is a page of one frame", async () => {
  const before = readFileSync(join(folder, "two/table.tsv"), "utf8");
  floc(folder, "view", "two/end.floc", "--output=end.html");
  const page = await openFile(browser, join(folder, "end.html"));
  assert.deepEqual(await stateOf(page), { step: 60, time: 0.6, count: 80, frame: 0, playing: false, last: 0 });
  assert.ok((await pictureOf(page)).colours > 30);
  assert.equal(readFileSync(join(folder, "two/table.tsv"), "utf8"), before); // looking changes nothing
  await page.close();
});

test("no page said a word of trouble", () => {
  for (const [name, page] of Object.entries(opened)) assert.deepEqual(page.troubles, [], name);
});

test("chosen columns and frames make a smaller page", async () => {
  const size = (name) => statSync(join(folder, name)).size;
  floc(folder, "view", "two", "--output=less.html", "--every=3", "--columns=charge");
  assert.ok(size("less.html") < size("two.html"));
  const page = await openFile(browser, join(folder, "less.html"));
  assert.deepEqual(await page.$$eval("#colour option", (list) => list.map((one) => one.value)), ["", "charge", "radius"]);
  assert.equal((await stateOf(page)).last, 4);
  await page.close();
});

