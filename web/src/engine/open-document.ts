// SPDX-License-Identifier: Apache-2.0
import type { Answer, Ask, Client } from './client.ts';
import { difference, withChanges } from './difference.ts';
import type { Changes, Directory, Doc, Failure, Json } from './types.ts';

/** The engine's answer to a document: the directory, and the numbers of each of its tensors. */
export interface Whole {
  directory: Directory;
  numbers: Float32Array[];
}

interface Held {
  document: Doc;
  /** The worker that has it open. */
  life: number;
  /** The number of the answer that was read of it last; 0: none. */
  read: number;
}

const sizeOf = (shape: number[]): number => shape.reduce((a, b) => a * b, 1);

const whole = (directory: Directory, data: Float32Array): Whole => ({ directory,
  numbers: directory.tensors.map(({ shape, offset }) => data.subarray(offset, offset + sizeOf(shape))) });

/** An answer brought up to date: what did not change is the same object as before. */
export function upToDate({ directory: before, numbers: old }: Whole, changes: Changes, data: Float32Array): Whole {
  let at = 0;
  const fresh = new Map(changes.changed.map((place): [number, Float32Array] => {
    const { offset, shape } = before.tensors[place]!;
    const first = at;
    at += sizeOf(shape);
    return [offset, data.subarray(first, at)];
  }));
  const numbers = before.tensors.map(({ offset, shape }, place) =>
    sizeOf(shape) === 0 ? old[place]! : (fresh.get(offset) ?? old[place]!));
  const count = before.tensors.length;
  const rewritten = <Entry extends { formula?: string }>(entries: Entry[], first: number): Entry[] => {
    if (Object.keys(changes.formulas).length === 0) return entries;
    return entries.map((entry, k) => {
      const formula = changes.formulas[first + k];
      return formula === undefined ? entry : { ...entry, formula };
    });
  };
  const directory: Directory = { ...before, tensors: rewritten(before.tensors, 0), warnings: changes.warnings,
    measures: { ...before.measures, ...changes.measures },
    document: withChanges(before.document, changes.document) as Doc,
    ...(before.left ? { left: rewritten(before.left, count) } : {}) };
  return { directory, numbers };
}

// A change of the words, of the inputs or of the file of weights may need files that the worker does not have yet.
const mayNeedFiles = (changes: Record<string, Json>): boolean =>
  Object.entries(changes).some(([, value]) => typeof value !== 'number');

/**
 * A document that stays open in the worker: a newer one is sent as what differs, and answered with what is another. A
 * worker that was started again knows nothing of it, so it is opened again.
 */
export class Opened {
  private static count = 0;
  /** By this name the worker knows it; it is never given twice. */
  readonly name = `document ${++Opened.count}`;
  private held: Held | undefined;
  private answer: Whole | undefined;

  constructor(private readonly client: Client, private readonly lane = 'run') {}

  /** Computes a document; nothing where a newer one took its turn. */
  async compute(document: Doc): Promise<Whole | Failure | undefined> {
    let life = 0;
    let found: Whole | Failure | undefined;
    // At once: the next request says what differs from this one.
    const heard = (reply: Answer): void => void (found = this.take(document, life, reply));
    const make = (now: number): Ask => this.request(document, (life = now));
    const reply = await this.client.send({ make, heard }, this.lane);
    if (!reply) return undefined;
    if (reply.lost) return this.compute(document);
    // The client itself may have given the request up.
    return found ?? (JSON.parse(reply.text) as Failure);
  }

  private take(document: Doc, life: number, { text, data = new Float32Array(), taken, lost }: Answer):
    Whole | Failure | undefined {
    if (lost) return void (this.held = undefined);
    const since = this.held?.life === life ? this.held.read : 0;
    if (taken) this.held = { document, life, read: since };
    const answer = JSON.parse(text) as Directory | Changes | Failure;
    if (!answer.ok) return answer;
    this.answer = 'same' in answer ? upToDate(this.answer!, answer, data) : whole(answer, data);
    if (this.held) this.held.read = answer.read ?? 0;
    return this.answer;
  }

  /** Whether the worker that is there has this document open, as this answer says it. */
  has(directory: Directory): boolean {
    return this.answer?.directory === directory && this.held?.life === this.client.life;
  }

  close(): void {
    if (this.held?.life === this.client.life) void this.client.ask({ kind: 'close', session: this.name });
    this.held = this.answer = undefined;
  }

  private request(document: Doc, life: number): Ask {
    if (this.held?.life !== life) return { kind: 'open', session: this.name, document: JSON.stringify(document) };
    const changes = difference(this.held.document, document);
    return { kind: 'change', session: this.name, changes: JSON.stringify(changes), since: this.held.read,
      ...(mayNeedFiles(changes) ? { document: JSON.stringify(document) } : {}) };
  }
}
