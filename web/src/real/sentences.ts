// SPDX-License-Identifier: Apache-2.0
// What the model makes of sentences beside the one that the document reads: each is a run of the same document with
// other words.
import { signal } from '@preact/signals-core';
import { compute } from '../engine/compute.ts';
import type { Result } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { reading } from './document.ts';
import type { Cut } from './pieces.ts';

// So many answers are kept: two sentences of the picture, eight that are compared, and those of the page's examples.
const MOST = 24;
const VECTOR = 'sentence.output';

export class Sentences {
  private readonly answers = signal<ReadonlyMap<string, Result>>(new Map());
  private readonly open = new Set<string>();

  constructor(private readonly store: Store) {}

  /**
   * The answer for a sentence; one that is not here yet is asked for. `place`: where it is shown; what was asked there
   * and has not begun gives way.
   */
  of(document: Doc, cut: Cut, place: string): Result | undefined {
    if (cut.ids.length === 0) return undefined;
    const text = JSON.stringify(reading(document, cut));
    const found = this.answers.value.get(text);
    if (!found && !this.open.has(text)) void this.ask(text, place);
    return found;
  }

  private async ask(text: string, place: string): Promise<void> {
    this.open.add(text);
    const answer = await compute(this.store.client, text, `sentence ${place}`);
    this.open.delete(text);
    if (answer?.result) this.put(text, answer.result);
  }

  private put(text: string, result: Result): void {
    const next = new Map(this.answers.peek());
    next.delete(text);
    next.set(text, result);
    for (const old of next.keys()) {
      if (next.size <= MOST) break;
      next.delete(old);
    }
    this.answers.value = next;
  }
}

/** The cosine of two sentences' vectors, which have length 1; undefined where one of them is not here. */
export function cosine(a: Result | undefined, b: Result | undefined): number | undefined {
  const [x, y] = [a?.whole(VECTOR, 'outputs')?.data, b?.whole(VECTOR, 'outputs')?.data];
  if (!x || x.length !== y?.length) return undefined;
  return x.reduce((sum, value, k) => sum + value * y[k]!, 0);
}
