// SPDX-License-Identifier: Apache-2.0
import { effect, signal, untracked } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { isObject } from './catalogue.ts';
import type { Documents } from './documents.ts';
import { join, set } from './pointer.ts';

interface Written {
  input: string;
  tokens: string[];
  ended: boolean;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const withoutInputs = (document: Doc): JsonObject => ({ ...document, inputs: {} });

/** A model whose weights come from a file was trained: what it writes means something. */
export const isTrained = (document: Doc): boolean => {
  const { parameters } = document as JsonObject;
  return isObject(parameters) && typeof parameters['from'] === 'string';
};

/**
 * A trained model answers in words. Where the words that it reads were changed, it writes its answer anew, in the same
 * undo step; an answer that the reader changes stays as it is.
 */
export class Writer {
  /** The document that an answer is being written for. */
  private readonly asked = signal<Doc | undefined>(undefined);
  // Its own change is nothing to answer.
  private following = false;

  constructor(
    private readonly documents: Documents,
    private readonly client: Client,
  ) {
    let before = documents.document;
    effect(() => {
      const { document, trying } = documents;
      const last = before;
      before = document;
      if (trying || this.following || document === last || !isTrained(document)) return;
      untracked(() => void this.follow(last, document));
    });
  }

  /** It is being written. */
  get writing(): boolean {
    return this.asked.value === this.documents.document;
  }

  // A link, an undo or a preset brings its own answer: then both have changed, or more than the words.
  private async follow(last: Doc, document: Doc): Promise<void> {
    if (this.documents.arrived || !same(withoutInputs(last), withoutInputs(document))) return;
    const changed = Object.keys(document.inputs).filter((name) => !same(document.inputs[name], last.inputs[name]));
    if (changed.length === 0) return;
    this.asked.value = document;
    const answer = await this.client.send({ kind: 'written', document: JSON.stringify(document) });
    if (this.asked.value === document) this.asked.value = undefined;
    if (!answer || this.documents.document !== document) return;
    const written = JSON.parse(answer.text) as Written | { error: unknown };
    if (!('tokens' in written) || changed.includes(written.input)) return;
    this.following = true;
    this.documents.follow((draft) => set(draft, join('inputs', written.input, 'tokens'), written.tokens));
    this.following = false;
  }
}
