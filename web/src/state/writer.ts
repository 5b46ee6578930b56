// SPDX-License-Identifier: Apache-2.0
import { effect, signal, untracked } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import type { Doc, JsonObject, Known, Written } from '../engine/types.ts';
import type { Documents } from './documents.ts';
import { isObject, join, set } from '../engine/pointer.ts';

/** What is known of an answer, and the input that it is. */
export interface Truth extends Known {
  input: string;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** What computes an answer from the words. */
const modelIn = ({ mechanism, model, tie, parameters, seed, interventions }: Doc & JsonObject): unknown =>
  [mechanism, model, tie, parameters, seed, interventions];

/** What decides which answer is right: the task, and all words but those of the answer. */
function sourceOf({ inputs, training }: Doc, answer: string): string {
  const { [answer]: _, ...sources } = inputs;
  return JSON.stringify([isObject(training) ? training['task'] : undefined, sources]);
}

/** A model whose weights come from a file was trained: what it writes means something. */
export const isTrained = (document: Doc): boolean => {
  const { parameters } = document as JsonObject;
  return isObject(parameters) && typeof parameters['from'] === 'string';
};

// Of a model that came from another program the inputs are numbers of tokens: it writes at the reader's press only.
const hasWords = ({ inputs }: Doc): boolean => Object.values(inputs).some(({ tokens }) => Array.isArray(tokens));

/**
 * A trained model answers in words. When its input, its mechanism or its weights change, it writes its answer again, in
 * the same undo step. An answer that the reader types is kept until then.
 */
export class Writer {
  /** The document that an answer is being written for. */
  private readonly asked = signal<Doc | undefined>(undefined);
  private readonly refused = signal<Doc | undefined>(undefined);
  // Its own change is nothing to answer.
  private following = false;
  // These documents have their answers, which undo brings back with them.
  private readonly answered = new WeakSet<Doc>();
  // The newest of them, and what the reader had set out from.
  private last!: { document: Doc; starts: number };
  /** The document whose answer was written last. */
  private readonly wrote = signal<Doc | undefined>(undefined);
  private readonly judged = signal<{ of: string; truth: Truth } | undefined>(undefined);

  /** `example`: a document that comes with the page; nobody has to ask whether its answer is right. */
  constructor(
    private readonly documents: Documents,
    private readonly client: Client,
    example?: Doc,
  ) {
    const before = documents.kept;
    this.settle(before);
    if (example && !same(example, before)) void this.judge(before);
    effect(() => {
      const { document, starts, trying } = documents;
      // A choice that is only tried out is no change yet.
      if (trying || this.following) return;
      // A lesson may begin with the document that is shown: the next change is the reader's all the same.
      if (document === this.last.document) return void (this.last = { document, starts });
      if (isTrained(document) && hasWords(document)) untracked(() => void this.follow(document));
      else this.settle(document);
    });
  }

  /** It is being written. */
  get writing(): boolean {
    return this.asked.value === this.documents.document;
  }

  /** The answer of this document was written after a change, so that who does not see it has yet to hear it. */
  get news(): boolean {
    return this.wrote.value === this.documents.document;
  }

  /** With what was changed the model cannot write: the answer that is there is older than the change. */
  get unable(): boolean {
    return this.refused.value === this.documents.document;
  }

  /** What the task of this document knows of the words that it reads; undefined where nothing is known yet. */
  get truth(): Truth | undefined {
    const { value } = this.judged;
    return value && value.of === sourceOf(this.documents.document, value.truth.input) ? value.truth : undefined;
  }

  private settle(document: Doc): void {
    this.answered.add(document);
    this.last = { document, starts: this.documents.starts };
  }

  // A link, an undo or a preset brings its own answer.
  private async follow(document: Doc): Promise<void> {
    const { document: last, starts } = this.last;
    const own = this.documents.starts !== starts || this.documents.arrived || this.answered.has(document);
    const changed = Object.keys(document.inputs).filter((name) => !same(document.inputs[name], last.inputs[name]));
    if (own || (changed.length === 0 && same(modelIn(last), modelIn(document)))) {
      this.settle(document);
      return this.judge(document);
    }
    this.asked.value = document;
    const written = await this.ask(document);
    if (this.asked.value === document) this.asked.value = undefined;
    if (this.documents.document !== document) return;
    this.refused.value = written ? undefined : document;
    if (!written) return;
    this.settle(document);
    if (changed.includes(written.input)) return;
    this.following = true;
    this.documents.follow((draft) => set(draft, join('inputs', written.input, 'tokens'), written.tokens));
    this.following = false;
    this.settle(this.documents.document);
    this.wrote.value = this.documents.document;
  }

  // The answer that is there stays; only whether it is right is asked.
  private async judge(document: Doc): Promise<void> {
    if (isTrained(document) && document['training'] !== undefined && this.truth === undefined) await this.ask(document);
  }

  private async ask(document: Doc): Promise<Written | undefined> {
    const answer = await this.client.send({ kind: 'written', document: JSON.stringify(document) });
    const written = answer && JSON.parse(answer.text) as Written | { error: unknown };
    if (!written || !('tokens' in written)) return undefined;
    const { input, task } = written;
    if (task) this.judged.value = { of: sourceOf(document, input), truth: { ...task, input } };
    return written;
  }
}
