// SPDX-License-Identifier: Apache-2.0
// Where two workers that train one model meet at every step, in shared memory: each writes what its shares of the batch
// found, waits for the other, and reads what the other found. Both then add it all in the same order (docs/adr/0076).

/** `size`: the numbers of a share. */
export interface SharesOf {
  count: number;
  size: number;
}

/** Shared memory for one time together; the next has other `turns`. */
export interface Room extends SharesOf {
  turns: SharedArrayBuffer;
  numbers: SharedArrayBuffer;
}

/** In place of the number of its steps: a worker is gone. */
const GONE = -1;
/** A sleeping worker wakes after tens of microseconds, so it first looks for about as long as shares are apart. */
const LOOKS = 50_000;

/** Two places for every share: what was handed on at a step may still be read at the next. */
export const numbersFor = ({ count, size }: SharesOf): SharedArrayBuffer => new SharedArrayBuffer(4 * 2 * count * size);
export const roomOf = (shares: SharesOf, numbers: SharedArrayBuffer): Room =>
  ({ ...shares, numbers, turns: new SharedArrayBuffer(8) });

export class Meeting {
  private readonly turns: Int32Array;
  private readonly numbers: Float32Array;
  private turn = 0;
  private over = false;

  /** `worker`: 0 leads. `patience`: so many milliseconds it waits for the other at most. */
  constructor(private readonly room: Room, private readonly worker: 0 | 1, private readonly patience: number) {
    this.turns = new Int32Array(room.turns);
    this.numbers = new Float32Array(room.numbers);
  }

  /** What the engine calls at each step (docs/training.md): whether the other's shares came. */
  readonly meet = (all: Float32Array, each: number): boolean => {
    if (this.over) return false;
    const { count: most, size } = this.room;
    // A small batch may have fewer shares.
    const count = Math.min(most, all.length / each);
    const place = (share: number) => ((this.turn % 2) * most + share) * size;
    for (let share = this.worker; share < count; share += 2)
      this.numbers.set(all.subarray(share * each, (share + 1) * each), place(share));
    if (!this.arrive()) {
      this.leave();
      return false;
    }
    for (let share = 1 - this.worker; share < count; share += 2)
      all.set(this.numbers.subarray(place(share), place(share) + each), share * each);
    this.turn++;
    return true;
  };

  /** Whether one of the two is gone. */
  get left(): boolean {
    return this.over;
  }

  /** The other one need not wait any more. */
  leave(): void {
    this.over = true;
    this.say(GONE);
  }

  private say(turn: number): void {
    Atomics.store(this.turns, this.worker, turn);
    Atomics.notify(this.turns, this.worker);
  }

  private arrive(): boolean {
    const { turns } = this;
    const here = this.turn + 1, other = 1 - this.worker;
    this.say(here);
    for (let looks = 0; looks < LOOKS; looks++) {
      const seen = Atomics.load(turns, other);
      if (seen >= here || seen === GONE) return seen !== GONE;
    }
    const end = performance.now() + this.patience;
    for (;;) {
      const seen = Atomics.load(turns, other);
      if (seen >= here || seen === GONE) return seen !== GONE;
      const left = end - performance.now();
      if (left <= 0) return false;
      Atomics.wait(turns, other, seen, left);
    }
  }
}
