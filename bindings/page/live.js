// The link to a running simulation (`floc run --live`): asks for the newest frame again and again, and for what was added to the
// tables; sends commands. When there is no answer it reports that and keeps asking.
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const mostRows = 200000;
const key = new URLSearchParams(location.search).get("key") ?? "";

export function send(word, name = "", value = "") {
  const query = new URLSearchParams({ key, do: word, name, value: String(value) });
  return fetch("/command?" + query, { method: "POST" }).then((answer) => answer.ok, () => false);
}

export class LiveLink {
  // onFrame(bytes): promise of the frame's head; onRows(tables); onState("running" | "gone" | "ended")
  constructor({ onFrame, onRows, onState }) {
    Object.assign(this, { onFrame, onRows, onState, seen: 0, logged: 0, tables: new Map() });
  }

  async run() {
    for (let failures = 0; ;) {
      try {
        const answer = await fetch(`/frame?after=${this.seen}&key=${key}`);
        failures = 0;
        if (answer.status === 200) {
          this.seen = Number(answer.headers.get("X-Frame"));
          const head = await this.onFrame(new Uint8Array(await answer.arrayBuffer()));
          const { ended } = head.live;
          if (head.live.log > this.logged) await this.readLog().catch((error) => { if (!ended) throw error; });
          this.onState(ended ? "ended" : "running");
          if (ended) return void send("bye");
        } else if (!answer.ok) {
          return this.onState("refused");
        } else {
          await pause(40);
        }
      } catch {
        failures++;
        this.onState("gone");
        if (failures > 30) return;
        await pause(Math.min(200 * failures, 2000));
      }
    }
  }

  // Lines: H, table, names of columns; R, table, numbers. The last one may be cut: it comes whole the next time.
  async readLog() {
    const answer = await fetch(`/log?from=${this.logged}&key=${key}`), from = Number(answer.headers.get("X-From"));
    const bytes = new Uint8Array(await answer.arrayBuffer()), whole = bytes.lastIndexOf(10) + 1;
    const lines = new TextDecoder().decode(bytes.subarray(0, whole)).split("\n");
    if (from !== this.logged) lines.shift();
    for (const line of lines) {
      const [kind, name, ...cells] = line.split("\t");
      if (kind === "H") this.tables.set(name, { name, names: cells, columns: cells.map(() => []) });
      else if (kind === "R") cells.forEach((cell, k) => this.tables.get(name)?.columns[k]?.push(Number(cell)));
    }
    for (const table of this.tables.values()) { // as long as a plot can show, however long the run is
      if (table.columns[0]?.length > mostRows) table.columns = table.columns.map((column) => column.filter((_, k) => k % 2 === 0));
    }
    this.logged = from + whole;
    this.onRows([...this.tables.values()]);
  }
}
