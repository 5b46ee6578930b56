// SPDX-License-Identifier: Apache-2.0
// Texts of a model of another program: into tokens and back, and what comes next. One worker serves the whole page.
import { effect, untracked } from '@preact/signals-core';
import { GRACE } from '../engine/grace.ts';
import { isObject } from '../engine/pointer.ts';
import type { Doc } from '../engine/types.ts';
import type { Model } from './model-metadata.ts';
import type { ModelLine } from './line.ts';
import { openModels } from './open.ts';
import type { Failed, Masked, Next, Pieces, Sampling } from './types.ts';

/** Who has a document now, and tells by a signal when it is another. */
interface Named {
  readonly document: Doc;
}

/** A worker that has been given the weights of a model, and answers about its texts. */
export class Writing {
  private given: { name: string; worker: number; done: Promise<unknown> } | undefined;
  private readonly followed = new Map<Named, () => void>();
  private rests: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly line: ModelLine) {}

  /**
   * Ends the worker, which holds a model's weights, once the document of nobody who asks names that model. Until the
   * returned function is called, these documents count.
   */
  follow(documents: Named): () => void {
    const known = this.followed.get(documents);
    if (known) return known;
    const undo = (): void => {
      stopWatching();
      this.followed.delete(documents);
      untracked(() => this.rest());
    };
    this.followed.set(documents, undo);
    const stopWatching = effect(() => {
      void documents.document;
      this.rest();
    });
    return undo;
  }

  private rest(): void {
    clearTimeout(this.rests);
    if (!this.isNamed) this.rests = setTimeout(() => this.isNamed || this.stop(), GRACE);
  }

  private get isNamed(): boolean {
    return this.given === undefined || [...this.followed.keys()].some(({ document: { parameters } }) =>
      isObject(parameters) && parameters['from'] === this.given?.name);
  }

  encode(model: Model, text: string): Promise<Pieces | Failed | undefined> {
    return this.ask(model, { kind: 'encode', name: model.name, text });
  }

  decode(model: Model, ids: number[]): Promise<{ text: string; labels: string[] } | Failed | undefined> {
    return this.ask(model, { kind: 'decode', name: model.name, ids });
  }

  /**
   * `also`: tokens whose probabilities are asked for, however likely they are. `progress`: how much of the weights the
   * worker has read, which it does once.
   */
  next(model: Model, document: Doc, ids: number[], sampling: Sampling, step: number, also: readonly number[] = [],
    progress?: (done: number, all: number) => void): Promise<Next | Masked | Failed | undefined> {
    return this.ask(model, { kind: 'next', name: model.name, document: JSON.stringify(document),
      request: { ...sampling, ids, step, also } }, progress);
  }

  /** The same for another document of the model, with a run of the whole text. */
  beside(model: Model, document: Doc, ids: number[], sampling: Sampling,
    also: readonly number[] = []): Promise<Next | Masked | Failed | undefined> {
    return this.ask(model, { kind: 'nextBeside', name: model.name, document: JSON.stringify(document),
      request: { ...sampling, ids, step: 0, also } });
  }

  private stop(): void {
    this.given = undefined;
    this.line.close();
  }

  // A worker that was started again has been given nothing.
  private async ask<Said>(model: Model, what: Parameters<ModelLine['ask']>[0],
    progress?: (done: number, all: number) => void): Promise<Said | Failed | undefined> {
    const worker = this.line.warm();
    if (this.given?.worker !== worker || this.given.name !== model.name) {
      const done = this.line.ask({ kind: 'hold', name: model.name, file: model.file });
      this.given = { name: model.name, worker, done };
    }
    const held = await this.given.done as { text: string } | undefined;
    const failed = held && JSON.parse(held.text) as Failed | object;
    if (failed && 'error' in failed) return failed;
    const answer = await this.line.ask(what, progress);
    return answer && JSON.parse(answer.text) as Said | Failed;
  }
}

let shared: Writing | undefined;
/** The page's own, which starts its worker at the first question. */
export const writing = (): Writing => (shared ??= new Writing(openModels()));
