// floc run --live in Chromium: the page follows the run, holds it, steps it, changes it; browsers that leave or have no business
// there; the run's end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { floc, here, makeFolder, openBrowser, openPage, patience, pictureOf, screenshots, startLive, stopAll, tryFloc } from "./support.mjs";

const folder = makeFolder(), script = join(here, "live.lua");
let browser, run, page;

before(async () => {
  browser = await openBrowser();
  run = await startLive(folder, script, "--live", "--paused", "--quiet", "--out=live");
  page = await openPage(browser, run.address);
  await page.waitForFunction(() => window.floc?.controls);
});
after(async () => {
  stopAll();
  await browser?.close();
});

const stepNow = (one = page) => one.evaluate(() => window.floc.frame.step);

// Status and text of a request with headers of one's own.
function ask(path, { method = "GET", headers = {} } = {}) {
  const { hostname, port, searchParams } = new URL(run.address);
  const whole = path.includes("key=") ? path : `${path}${path.includes("?") ? "&" : "?"}key=${searchParams.get("key")}`;
  return new Promise((done, failed) => {
    const sent = request({ hostname, port, path: whole, method, headers }, (answer) => {
      let text = "";
      answer.on("data", (part) => { text += part; });
      answer.on("end", () => done({ status: answer.statusCode, text }));
    });
    sent.on("error", failed);
    sent.end();
  });
}

async function until(state, message) {
  for (const last = Date.now() + patience; !state();) {
    assert.ok(Date.now() < last, message());
    await new Promise((done) => setTimeout(done, 20));
  }
}

// A connection of one's own: what came, and whether it was closed.
function knock(text) {
  const { hostname, port } = new URL(run.address), seen = { text: "", closed: false };
  seen.socket = connect(Number(port), hostname, () => seen.socket.write(text));
  seen.socket.on("data", (part) => { seen.text += part; });
  seen.socket.on("error", () => {});
  seen.socket.on("close", () => { seen.closed = true; });
  return seen;
}

test("begins paused, shows the start", async () => {
  assert.equal(await stepNow(), 0);
  assert.ok((await pictureOf(page)).colours > 10);
  assert.match(await page.textContent("#panel section"), /paused/);
});

test("one step is one step", async () => {
  for (const wanted of [1, 2, 3]) {
    await page.click("#live-step");
    await page.waitForFunction((step) => window.floc.frame.step === step, wanted);
  }
  await page.waitForTimeout(150);
  assert.equal(await stepNow(), 3);
});

test("runs, pauses, goes on", async () => {
  await page.click("#live-pause");
  await page.waitForFunction(() => window.floc.frame.step > 50);
  await page.click("#live-pause");
  await page.waitForFunction(() => window.floc.paused);
  await page.waitForTimeout(150);
  const held = await stepNow();
  await page.waitForTimeout(250);
  assert.equal(await stepNow(), held);
});

test("a slider changes the run, and the change is written down", async () => {
  const held = await stepNow();
  await page.fill("#parameter-pull", "0");
  await page.waitForFunction(() => window.floc.index.parameters.find((one) => one.name === "pull").value === 0);
  await page.click("#live-step");
  await page.waitForFunction((step) => window.floc.frame.step === step, held + 1);
  const rows = readFileSync(join(folder, "live/table.tsv"), "utf8").trim().split("\n").map((line) => line.split("\t").map(Number));
  assert.deepEqual(rows.filter((row) => row[0] > held - 2).map((row) => [row[0], row[3]]), [[held - 1, 10], [held, 10], [held + 1, 0]]);
  assert.equal(readFileSync(join(folder, "live/changes.tsv"), "utf8"), `simulation\trun\tstep\tname\tvalue\n1\t1\t${held}\tpull\t0\n`);
  // The slider goes by round numbers and reaches both ends; the box takes any number in the range, and no other.
  const pull = async () => page.evaluate(() => Number(document.querySelector("#parameter-pull-value").value));
  await page.press("#parameter-pull", "ArrowRight");
  assert.equal(await pull(), 0.1);
  await page.fill("#parameter-pull", "7.123456");
  assert.equal(await pull(), 7.1);
  await page.fill("#parameter-pull", "20");
  assert.equal(await pull(), 20);
  await page.fill("#parameter-pull-value", "31");
  await page.press("#parameter-pull-value", "Enter");
  assert.equal(await page.evaluate(() => document.querySelector("#parameter-pull-value").checkValidity()), false);
  await page.fill("#parameter-pull-value", "3.14159");
  await page.press("#parameter-pull-value", "Enter");
  await page.waitForFunction(() => window.floc.index.parameters.find((one) => one.name === "pull").value === 3.14159);
  await page.fill("#parameter-stiffness", "4"); // read by a law, which is traced anew
  await page.waitForFunction(() => window.floc.index.parameters.find((one) => one.name === "stiffness").value === 4);
});

test("the tables come along, history can be scrubbed", async () => {
  await page.waitForFunction(() => document.querySelectorAll(".series").length === 2);
  await page.fill("#scrub", "0");
  await page.waitForFunction(() => window.floc.frame.step === 0);
  await page.click("#live-newest");
  await page.waitForFunction(() => window.floc.following());
  await page.screenshot({ path: join(screenshots, "live.png") });
});

test("refuses who is not meant: no key, another host, another origin, other methods", async () => {
  assert.equal((await ask("/?key=")).status, 403);
  assert.equal((await ask("/frame?after=0&key=0")).status, 403);
  assert.equal((await ask("/", { headers: { Host: "floc.example:80" } })).status, 403);
  assert.equal((await ask("/command?do=resume", { method: "POST", headers: { Origin: "http://floc.example" } })).status, 403);
  assert.equal((await ask("/command?do=resume")).status, 404);
  assert.equal((await ask("/other")).status, 404);
  assert.equal((await ask("/command?do=" + "x".repeat(300), { method: "POST" })).status, 400);
  assert.equal((await ask("/")).status, 200);
  assert.equal(await page.evaluate(() => window.floc.paused), true);
});

test("half-open connections keep nobody out, and are closed, however slowly they drip", async () => {
  const open = Array.from({ length: 60 }, () => knock("GET / HTTP/1.1\r\nHost: x"));
  const drip = setInterval(() => open.forEach((one) => one.closed || one.socket.write("x")), 100);
  assert.equal((await ask("/")).status, 200);
  await until(() => open.every((one) => one.closed), () => open.filter((one) => !one.closed).length + " connections stand");
  clearInterval(drip);
  assert.equal((await ask("/")).status, 200);
});

test("a head decides: no key, or a long body, is answered before the body", async () => {
  const { host, searchParams } = new URL(run.address), key = searchParams.get("key");
  const post = (target, length) => knock(`POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${length}\r\n\r\n`);
  for (const [target, length, status] of [["/command?do=pause", "Content-Length: 4000000000", 403], [`/command?do=pause&key=${key}`, "Content-Length: 4097", 413],
    ["/?key=0", "Transfer-Encoding: chunked", 403]]) {
    const one = post(target, length);
    await until(() => one.closed, () => `${target} is open, it said: ${one.text}`);
    assert.match(one.text, new RegExp(`^HTTP/1.1 ${status} `));
  }
  const endless = post(`/command?do=pause&key=${key}`, "Transfer-Encoding: chunked");
  const feed = setInterval(() => endless.closed || endless.socket.write("400\r\n" + "x".repeat(1024) + "\r\n"), 20);
  await until(() => endless.closed, () => "a body without end is read");
  clearInterval(feed);
  assert.ok(!endless.text.includes(" 200 "));
});

test("a zero byte in a request is refused", async () => {
  for (const path of ["/command?do=set&name=pull&value=10%00", "/command?do=pause%00", "/command?do=set&name=pull%00x&value=1"]) {
    assert.equal((await ask(path, { method: "POST" })).status, 400);
  }
  assert.notEqual(await page.evaluate(() => window.floc.index.parameters.find((one) => one.name === "pull").value), 10);
});

test("values out of range and names that are none are refused, and said", async () => {
  for (const [name, value] of [["pull", "31"], ["pull", "nan"], ["pull", "x"], ["steps", "5"], ["nothing", "1"], ["stiffness", "2.5"]]) {
    assert.equal((await ask(`/command?do=set&name=${name}&value=${value}`, { method: "POST" })).status, 200);
  }
  for (const text of ["pull is 31; it must be", "steps was not declared", "there is no parameter \"nothing\"", "stiffness is 2.5; it must be"]) {
    await until(() => run.said().includes(text), () => text + " in " + run.said());
  }
});

test("a second browser sees the same, and one that leaves is not missed", async () => {
  const second = await openPage(browser, run.address);
  await second.waitForFunction(() => window.floc?.frame);
  assert.equal(await stepNow(second), await stepNow());
  await second.click("#live-pause");
  await second.waitForFunction(() => window.floc.frame.step > 300);
  await second.close();
  const before = await stepNow();
  await page.waitForFunction((step) => window.floc.frame.step > step + 100, before);
});

test("a port that is in use is named", async () => {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address(), { status, text } = tryFloc(folder, "run", script, "--live", "--port=" + port, "--steps=1");
  assert.equal(status, 1);
  assert.match(text, new RegExp(`^floc: --live: port ${port} is in use; choose another one with --port=N`));
  server.close();
});

test("Ctrl-C ends a paused run with a checkpoint; the page says so; resume and changes give the same bits", async () => {
  await page.click("#live-pause");
  await page.waitForFunction(() => window.floc.paused);
  run.child.kill("SIGINT");
  const { status, said } = await run.ended;
  assert.equal(status, 130, said);
  assert.match(said, /interrupted after step \d+/);
  const stopped = Number(said.match(/interrupted after step (\d+)/)[1]);
  await page.waitForFunction(() => ["ended", "gone"].includes(window.floc.state));
  const resumed = floc(folder, "resume", "live/run.floc", "--steps=50", "--quiet", "--hash");
  const again = floc(folder, "run", script, "--changes=live/changes.tsv", `--steps=${stopped + 50}`, "--out=again", "--quiet", "--hash");
  assert.match(again, new RegExp(`step ${stopped + 50}, hash`));
  assert.equal(resumed, again);
  const without = floc(folder, "run", script, `--steps=${stopped + 50}`, "--out=without", "--quiet", "--hash");
  assert.notEqual(without, again);
  assert.deepEqual(page.troubles.filter((text) => !/Failed to load resource|ERR_CONNECTION/.test(text)), []);
});

test("a run that ends by itself shows its last state", async () => {
  const short = await startLive(folder, script, "--live", "--paused", "--quiet", "--out=short", "--steps=20");
  const seen = await openPage(browser, short.address);
  await seen.waitForFunction(() => window.floc?.controls);
  await seen.click("#live-pause");
  await seen.waitForFunction(() => window.floc.state === "ended" && window.floc.frame.step === 20);
  assert.equal((await short.ended).status, 0);
  assert.match(await seen.textContent("#panel section"), /the run has ended/);
});
