// SPDX-License-Identifier: Apache-2.0
// Which file of weights a document's parameters come from, and the way of that file into the engine.
import { FileProblem, sizeOfFile, type WeightsData } from '../files/data.ts';
import { partsOf } from '../files/slices.ts';
import { keptFile } from './kept.ts';
import type { Engine, Located } from './types.ts';
import { bytesAt } from './bytes.ts';

/** The name that a document's parameters give. */
export function weightsOf(text: string): string | undefined {
  // Most documents name none, and reading a long one takes time.
  if (!text.includes('"from"')) return undefined;
  try {
    const from = (JSON.parse(text) as { parameters?: { from?: unknown } } | null)?.parameters?.from;
    return typeof from === 'string' ? from : undefined;
  } catch {
    return undefined; // the engine says what is wrong
  }
}

type Taker = Pick<Engine, 'weights'> & Partial<Pick<Engine, 'forgetWeights'>>;
/** Has the module do something, a new one where the last one died. */
export type Calling = <Answer>(work: (module: Taker) => Answer) => Promise<Answer>;

/** Hands a module a file of weights, part by part; throws what the module says against it. */
export async function handOver(name: string, file: WeightsData, call: Calling): Promise<void> {
  const size = sizeOfFile(file);
  for await (const { at, bytes } of partsOf(name, file)) {
    const said = JSON.parse(await call((module) => module.weights(name, size, at, bytes))) as { error?: Located };
    if (said.error) throw new FileProblem(said.error.message);
  }
}

/**
 * The files of weights that are known here, by name: those of the page, fetched when a document names them, and what
 * the reader trained here.
 */
export class WeightFiles {
  private readonly files = new Map<string, Promise<WeightsData | undefined>>();
  private given = new Map<string, Promise<void>>();
  // Those of them that a browser holds outside of the page's memory.
  private readonly large = new Set<string>();
  // A module takes one file at a time.
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly addresses: Readonly<Record<string, string>>) {}

  /** Hands the module what these documents name, unless it was handed over before. */
  async ready(call: Calling, ...documents: string[]): Promise<void> {
    const names = [...new Set(documents.map(weightsOf))].filter((name) => name !== undefined);
    if (names.length === 0) return;
    // One that died is started again here, and then has been given nothing.
    await call(() => undefined);
    await Promise.all(names.map((name) => this.give(name, call, names)));
  }

  /** A new engine has been given nothing. */
  forget(): void {
    this.given = new Map();
    this.large.clear();
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
        for (const other of [...large].filter((one) => !needed.includes(one))) {
          await call((module) => module.forgetWeights?.(other));
          large.delete(other);
          given.delete(other);
        }
        large.add(name);
      }
      await handOver(name, file, call);
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
