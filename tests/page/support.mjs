// What the page's tests share: the program, a folder of their own, a browser without a screen.
// FLOC_PROGRAM: the program; FLOC_PAGE: the folder with node_modules; FLOC_CHROMIUM: the browser.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { FLOC_PROGRAM: program, FLOC_PAGE: modules, FLOC_CHROMIUM: chromiumPath } = process.env;
if (!existsSync(join(modules, "made"))) {
  console.error("the page could not be built (see the build's warning), so it is not tested");
  process.exit(77);
}
export const here = dirname(fileURLToPath(import.meta.url));
// Tests wait for states; this is when a state is taken never to come.
export const patience = 180000;
export const screenshots = join(modules, "screenshots");
mkdirSync(screenshots, { recursive: true });

export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "floc-page-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function floc(folder, ...words) {
  return execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

// Status and both streams.
export function tryFloc(folder, ...words) {
  const done = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  return { status: done.status, text: done.stdout + done.stderr };
}

const running = [];

// Runs that a failed test left behind.
export function stopAll() {
  for (const child of running) child.kill("SIGKILL");
}
process.on("exit", stopAll);
process.on("SIGTERM", () => process.exit(1));

// A run with --live: the process, its address, and a promise of its exit status and what it said.
export async function startLive(folder, ...words) {
  const child = spawn(program, ["run", ...words], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const ended = new Promise((done) => child.on("close", (status) => done({ status, said })));
  const address = await new Promise((done, failed) => {
    child.stderr.on("data", (text) => {
      said += text;
      const found = said.match(/http:\S+/);
      if (found) done(found[0]);
    });
    child.on("close", () => failed(new Error("the run ended: " + said)));
  });
  running.push(child);
  return { child, address, ended, said: () => said };
}

export async function openBrowser() {
  const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
  // WebGL in software, so that the tests need no graphics card; root has no sandbox of the browser's.
  return chromium.launch({ executablePath: chromiumPath, timeout: patience,
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])] });
}

// A page whose errors are kept in page.troubles.
export async function openPage(browser, address, options = { viewport: { width: 1000, height: 660 } }) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(patience);
  page.troubles = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader/i.test(message.text())) page.troubles.push(message.text()); });
  page.on("pageerror", (error) => page.troubles.push(error.message));
  await page.goto(address);
  return page;
}

export async function openFile(browser, path, options) {
  const page = await openPage(browser, "file://" + path, options);
  await page.waitForFunction(() => window.floc?.ready || document.querySelector("#note.bad"), null, { timeout: patience });
  assert.equal(await page.textContent("#note"), "");
  return page;
}

// The picture that the page would save: how many colours are in it, how much is not white, and a sum that tells two apart.
export function pictureOf(page) {
  return page.evaluate(() => {
    const shot = window.floc.scene.snapshot(), { data } = shot.getContext("2d").getImageData(0, 0, shot.width, shot.height);
    const colours = new Set();
    let marked = 0, sum = 0;
    for (let k = 0; k < data.length; k += 4) {
      const colour = data[k] << 16 | data[k + 1] << 8 | data[k + 2];
      colours.add(colour);
      if (colour !== 0xffffff) marked++;
      sum = (sum * 31 + colour) % 2147483647;
    }
    return { colours: colours.size, marked: marked / (data.length / 4), sum };
  });
}

// What the page says it shows.
export const stateOf = (page) => page.evaluate(() => ({ ...window.floc.frame, frame: window.floc.player.frame, playing: window.floc.player.playing,
  last: window.floc.player.last }));

export async function settled(page) {
  await page.waitForFunction(() => !window.floc.player.busy);
}

export async function choose(page, id, value) {
  await page.selectOption("#" + id, String(value));
  await settled(page);
}
