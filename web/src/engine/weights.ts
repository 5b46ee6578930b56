// SPDX-License-Identifier: Apache-2.0
// The way of files of weights into the engine.
import type { WeightsData } from '../files/data.ts';
import { WeightsAhead } from './weights-ahead.ts';
import { refuse } from '../files/file-parts.ts';
import { type Calling, handOver } from './hand-over.ts';
import { keptFile } from './kept.ts';
import { weightsOf } from './weights-of.ts';
import { bytesAt } from './bytes.ts';

// A module's memory has room for so much beside what it computes.
const MOST_TOGETHER = 1_200_000_000;
// So many bytes that a module keeps for nothing are no reason to start another one.
const LITTLE = 16_000_000;

/**
 * The files of weights that are known here, by name: those of the page, fetched when a document names them, and what
 * the reader trained here.
 */
export class WeightFiles {
  private readonly files = new Map<string, Promise<WeightsData | undefined>>();
  private given = new Map<string, Promise<void>>();
  // Those of them that a browser holds outside of the page's memory, with their bytes.
  private readonly large = new Map<string, number>();
  private readonly ahead = new WeightsAhead();
  // The most bytes of large files that the module has held at once. Its memory grew for them and never shrinks.
  private most = 0;
  // A module takes one file at a time.
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly addresses: Readonly<Record<string, string>>) {}

  /** Hands the module what these documents name, unless it was handed over before. */
  async ready(call: Calling, ...documents: string[]): Promise<void> {
    const names = [...new Set(documents.flatMap(weightsOf))];
    if (names.length === 0) return;
    // One that died is started again here, and then has been given nothing.
    await call(() => undefined);
    await Promise.all(names.map((name) => this.give(name, call, names)));
  }

  /** A new engine has been given nothing. */
  forget(): void {
    this.ahead.forget();
    this.given = new Map();
    this.large.clear();
    this.most = 0;
  }

  /**
   * Whether most of the memory that the module took for large files is of no use any more, if the documents that are
   * open name these files.
   */
  isTooLarge(needed: ReadonlySet<string>): boolean {
    if (this.ahead.holds) return false;
    const used = [...this.large].reduce((sum, [name, size]) => sum + (needed.has(name) ? size : 0), 0);
    return this.most - used > Math.max(LITTLE, used);
  }

  /** Takes a file in that another worker is making, before a document asks for it. */
  async take(name: string, port: MessagePort, call: Calling): Promise<void> {
    // What a document has is never replaced.
    if (this.given.has(name)) return refuse(port);
    const beside = this.held();
    await this.ahead.take(name, port, call, this.last, MOST_TOGETHER - beside, (size) => this.grow(beside + size));
  }

  private held(): number {
    return [...this.large.values()].reduce((sum, size) => sum + size, 0);
  }

  private grow(bytes: number): void {
    this.most = Math.max(this.most, bytes);
  }

  /** Drops what was taken in so and never asked for. */
  drop(name: string, call: Calling): Promise<void> {
    return this.ahead.drop(name, call);
  }

  private give(name: string, call: Calling, needed: readonly string[]): Promise<void> {
    const { given, large } = this;
    const there = given.get(name);
    if (there) return there;
    const coming = this.file(name);
    const done = this.last.then(async () => {
      const file = await coming;
      // One that nobody knows is the engine's to refuse, and may come later.
      if (!file) return void given.delete(name);
      if (file instanceof Blob) {
        // A few models of half a gigabyte are all that a module's memory holds.
        for (const other of [...large.keys()].filter((one) => !needed.includes(one))) {
          await call((module) => module.forgetWeights?.(other));
          large.delete(other);
          given.delete(other);
        }
        large.set(name, file.size);
        this.grow(this.held());
      }
      if (!await this.ahead.took(name, call)) await handOver(name, file, call);
      // The engine has a copy; half a gigabyte is not held twice. A new engine reads it again.
      this.files.delete(name);
    });
    given.set(name, done);
    this.last = done.catch(() => given.delete(name));
    return done;
  }

  private file(name: string): Promise<WeightsData | undefined> {
    const known = this.files.get(name);
    if (known) return known;
    const address = Object.hasOwn(this.addresses, name) ? this.addresses[name] : undefined;
    const file: Promise<WeightsData | undefined> = address === undefined ? keptFile(name) : bytesAt(address);
    this.files.set(name, file);
    // One that could not be fetched is asked for again.
    const forget = () => void this.files.delete(name);
    void file.then((bytes) => bytes ?? forget(), forget);
    return file;
  }
}
