// SPDX-License-Identifier: Apache-2.0
// Texts of a model of another program: into tokens and back, and what comes next. One worker serves the whole page.
import type { Doc } from '../engine/types.ts';
import type { Model } from './model-metadata.ts';
import type { ModelLine } from './line.ts';
import { openModels } from './open.ts';
import type { Failed, Masked, Next, Pieces, Sampling } from './types.ts';

/** A worker that has been given the weights of a model, and answers about its texts. */
export class Writing {
  private given = new Map<string, { worker: number; done: Promise<unknown> }>();

  constructor(private readonly line: ModelLine) {}

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

  /** Gives up what the worker is at. */
  stop(): void {
    this.line.close();
  }

  // A worker that was started again has been given nothing.
  private async ask<Said>(model: Model, what: Parameters<ModelLine['ask']>[0],
    progress?: (done: number, all: number) => void): Promise<Said | Failed | undefined> {
    const before = this.given.get(model.name);
    if (before?.worker !== this.line.worker || this.line.worker === 0) {
      const done = this.line.ask({ kind: 'hold', name: model.name, file: model.file });
      this.given = new Map([[model.name, { worker: this.line.worker, done }]]);
    }
    const held = await this.given.get(model.name)?.done as { text: string } | undefined;
    const failed = held && JSON.parse(held.text) as Failed | object;
    if (failed && 'error' in failed) return failed;
    const answer = await this.line.ask(what, progress);
    return answer && JSON.parse(answer.text) as Said | Failed;
  }
}

let shared: Writing | undefined;
/** The page's own, which starts its worker at the first question. */
export const writing = (): Writing => (shared ??= new Writing(openModels()));
