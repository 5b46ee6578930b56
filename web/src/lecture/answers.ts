// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { Result } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';

/** What the engine said of a document: its numbers, or why there are none. */
export type Answer = Result | { problem: string };

/** So many numbers are kept at hand, four bytes each; of more the oldest are computed again when they are wanted. */
const MOST_NUMBERS = 25_000_000;

const sizeOf = (answer: Answer): number =>
  (answer instanceof Result ? answer.tensors.reduce((sum, { data }) => sum + data.length, 0) : 0);

/** The engine's answers to the documents of a lecture, so that a moment is shown at once. */
export class Answers {
  private readonly known = signal<ReadonlyMap<string, Answer>>(new Map());
  private readonly asked = new Set<string>();
  private closed = false;

  constructor(private readonly client: Pick<Client, 'ask' | 'send'>) {}

  get(document: Doc): Answer | undefined {
    return this.known.value.get(JSON.stringify(document));
  }

  /** Takes an answer that is here already. */
  put(document: Doc, answer: Answer): void {
    const known = new Map(this.known.peek());
    known.set(JSON.stringify(document), answer);
    let size = [...known.values()].reduce((sum, one) => sum + sizeOf(one), 0);
    for (const [oldest, one] of known) {
      if (size <= MOST_NUMBERS || known.size === 1) break;
      known.delete(oldest);
      size -= sizeOf(one);
    }
    this.known.value = known;
  }

  /** Asks the engine, where nobody has. */
  async fetch(document: Doc): Promise<void> {
    const text = JSON.stringify(document);
    if (this.closed || this.known.peek().has(text) || this.asked.has(text)) return;
    this.asked.add(text);
    const answer = await compute(this.client, text);
    this.asked.delete(text);
    if (!answer || this.closed) return;
    this.put(document, answer.result ?? { problem: answer.error?.message ?? '' });
  }

  /** One after another, so that the page's own requests do not wait for all of them. */
  async fetchAll(documents: readonly Doc[]): Promise<void> {
    for (const document of documents) await this.fetch(document);
  }

  close(): void {
    this.closed = true;
  }
}
