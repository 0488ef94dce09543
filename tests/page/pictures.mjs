// The pictures of docs/view.md: cmake --build build --target page_pictures. Runs three scenarios (some minutes) and takes
// screenshots of their pages; and prints how large and how fast the pages are.
import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { choose, floc, here, makeFolder, openBrowser, openFile, openPage, settled, startLive } from "./support.mjs";

const target = resolve(process.argv[2] ?? "."), folder = process.env.FLOC_PICTURE_RUNS ?? makeFolder(), examples = join(here, "../../examples");
const wide = { viewport: { width: 1000, height: 620 } }, phone = { viewport: { width: 390, height: 760 }, isMobile: true, hasTouch: true };
mkdirSync(target, { recursive: true });

const runs = {
  sedimentation: { script: "gluey/sedimentation.lua", words: ["--files=true"], run: "inelastic", units: "m,s,kg" },
  gluey: { script: "gluey/sedimentation.lua", words: ["--files=true", "--model=gluey", "--steps=6000"], run: "gluey", units: "m,s,kg" },
  aggregation: { script: join(here, "aggregation.lua"), words: [], run: "aggregation", units: "R,T,M" },
  acoustic: { script: "acoustic/agglomeration.lua", words: ["--files=true", "--pictures=false"], run: "agglomeration", units: "m,s,kg" },
};

const browser = await openBrowser();
for (const [name, one] of Object.entries(runs)) {
  const page = join(folder, name + ".html");
  try {
    statSync(join(folder, name, one.run + ".pvd")); // FLOC_PICTURE_RUNS: made before
  } catch {
    floc(folder, "run", resolve(examples, one.script), "--quiet", "--out=" + name, ...one.words);
  }
  floc(folder, "view", join(name, one.run + ".pvd"), "--output=" + page, "--units=" + one.units);
  const begun = performance.now();
  one.open = await openFile(browser, page, wide);
  console.log(`${name}: ${(statSync(page).size / 1e6).toFixed(1)} MB, open after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

async function shot(page, name) {
  await settled(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(target, name + ".png") });
}

const seek = (page, share) => page.evaluate((share) => window.floc.player.seek(share * window.floc.player.last), share);

await seek(runs.sedimentation.open, 0.65);
await shot(runs.sedimentation.open, "view_sedimentation");
const small = await openFile(browser, join(folder, "sedimentation.html"), phone);
await seek(small, 0.65);
await shot(small, "view_phone");

await seek(runs.gluey.open, 0.9);
await runs.gluey.open.mouse.move(330, 400);
for (let k = 0; k < 5; k++) await runs.gluey.open.mouse.wheel(0, -300);
await choose(runs.gluey.open, "colour", "");
await shot(runs.gluey.open, "view_gluey");

await seek(runs.aggregation.open, 0.7);
await choose(runs.aggregation.open, "colour", "cluster_size");
await runs.aggregation.open.check("#logarithmic");
await shot(runs.aggregation.open, "view_aggregation");

await seek(runs.acoustic.open, 0.02);
await runs.acoustic.open.click("#fit-frame");
await choose(runs.acoustic.open, "cut", 1);
await shot(runs.acoustic.open, "view_acoustic");

const live = await startLive(makeFolder(), join(here, "live.lua"), "--live", "--quiet"), steered = await openPage(browser, live.address, wide);
await steered.waitForFunction(() => window.floc?.frame?.step > 100);
await steered.fill("#parameter-pull", "3");
await steered.waitForTimeout(1500);
await shot(steered, "view_live");
live.child.kill("SIGINT");
await live.ended;
await browser.close();
