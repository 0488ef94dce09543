// Which frame is shown, and when the next one is. Frames are read one at a time; while one is read, only the newest wish
// is kept, so that scrubbing never piles up.
export const framesPerSecond = 25;

export class Player {
  // show(k): promise of having shown frame k.
  constructor(length, show, onState) {
    Object.assign(this, { length, show, onState, frame: -1, target: -1, playing: false, speed: 1, wanted: null, busy: false });
  }

  get last() {
    return this.length() - 1;
  }

  async seek(k) {
    this.wanted = this.target = Math.max(0, Math.min(this.last, Math.round(k)));
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted !== null) {
        const next = this.wanted;
        this.wanted = null;
        if (next < 0) break;
        await this.show(next);
        this.frame = next;
        this.onState();
      }
    } finally {
      this.busy = false;
    }
  }

  // Shows the frame that was asked for last again, after a change of what is shown; it may be on its way.
  again() {
    return this.seek(this.target);
  }

  play() {
    if (this.last < 1) return;
    this.playing = true;
    this.from = this.frame >= this.last ? 0 : Math.max(0, this.frame);
    this.begun = performance.now();
    this.onState();
    requestAnimationFrame(() => this.tick());
  }

  pause() {
    this.playing = false;
    this.onState();
  }

  // Frames come by the clock: a slow machine leaves some out instead of falling behind, but not when it is told to be slow.
  tick() {
    if (!this.playing) return;
    const due = this.from + Math.floor((performance.now() - this.begun) / 1000 * framesPerSecond * this.speed);
    if (!this.busy && due !== this.frame) this.seek(due);
    if (due >= this.last && this.frame >= this.last) return this.pause();
    requestAnimationFrame(() => this.tick());
  }

  setSpeed(speed) {
    this.speed = speed;
    this.from = Math.max(0, this.frame);
    this.begun = performance.now();
  }
}
