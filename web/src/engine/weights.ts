// SPDX-License-Identifier: Apache-2.0
// Which file of weights a document's parameters come from, and the way of that file into the engine.
import { bySlices } from '../files/slices.ts';
import type { WeightsData } from '../files/data.ts';
import { keptFile } from './kept.ts';
import type { Engine } from './types.ts';
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

/**
 * The files of weights that are known here, by name: those of the page, fetched when a document names them, and what
 * the reader trained here.
 */
export class WeightFiles {
  private readonly files = new Map<string, Promise<WeightsData | undefined>>();
  private given = new Set<string>();

  constructor(private readonly addresses: Readonly<Record<string, string>>) {}

  /** Waits for what these documents name; what comes back hands it over, unless it was handed over before. */
  async ready(...documents: string[]): Promise<(engine: Pick<Engine, 'weights'>) => void> {
    const names = [...new Set(documents.map(weightsOf))].filter((name) =>
      name !== undefined && !this.given.has(name)) as string[];
    const found = await Promise.all(names.map(async (name) => ({ name, file: await this.file(name) })));
    return (engine) => {
      for (const { name, file } of found) {
        // One that nobody knows is the engine's to refuse.
        if (!file) continue;
        engine.weights(name, bySlices(file));
        this.given.add(name);
        // The engine has a copy; half a gigabyte is not held twice. A new engine reads it again.
        this.files.delete(name);
      }
    };
  }

  /** A new engine has been given nothing. */
  forget(): void {
    this.given = new Set();
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
