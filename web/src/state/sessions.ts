// SPDX-License-Identifier: Apache-2.0
import { batch, effect, signal, untracked } from '@preact/signals-core';
import { cell, computedOnce } from './cells.ts';
import type { Client } from '../engine/client.ts';
import { Opened } from '../engine/open-document.ts';
import { Result } from '../engine/result.ts';
import type { Doc, Explanation, Located } from '../engine/types.ts';
import { sameAs } from '../directory/formulas.ts';
import { Beat } from './reading-pace.ts';
import type { Documents } from './documents.ts';
import { measured, started } from '../performance-marks.ts';
import { Patience } from './patience.ts';
import { tracing } from './tracing.ts';

// Milliseconds that the page waits for an answer before it draws a change alone: about one picture of a screen.
const AT_ONCE = 16;

/** Whether another document takes the place of one that the engine refused. */
export type Rescue = (document: Doc, error: Located) => boolean;

/**
 * The engine's answer to the document: computed again at each change of it. The document stays open in the worker
 * (src/experiment/sessions/), which is sent what differs and answers with what is another.
 */
export class Sessions {
  /** What is shown: the last good answer. A part that reads it here (flow/flow.ts) draws itself anew with the next. */
  @cell result: Result | undefined;
  /** Lends its shapes, in grey, while nothing has been computed yet. */
  @cell shapes: Result | undefined;
  @cell error: Located | undefined;
  /** The document that the engine has answered. */
  private readonly answered = signal<Doc | undefined>(undefined);
  private wrong: Doc | undefined;
  private readonly patience: Patience;
  private readonly opened: Opened;
  private asked: { document: Doc; answered: Promise<void> } | undefined;
  private near: Promise<void> | undefined;
  readonly reading = new Beat();

  constructor(
    private readonly documents: Documents,
    readonly client: Client,
    private readonly rescue: Rescue = () => false,
    /** Whether what the document reads is still to be fetched: whoever fetches it asks for the answer then. */
    private readonly waits: (document: Doc) => boolean = () => false,
  ) {
    this.opened = new Opened(client);
    this.patience = new Patience(() => this.busy);
    let known = documents.document;
    effect(() => {
      const { document } = documents;
      if (document === known) return;
      known = document;
      untracked(() => void this.compute());
    });
  }

  /** The document that the error is of, which may be one that was only tried out. */
  get refused(): Doc | undefined {
    return this.error === undefined ? undefined : this.wrong;
  }

  /** The numbers of the document are not here yet, or are those of another. */
  @computedOnce get busy(): boolean {
    return this.answered.value !== this.documents.document;
  }

  /** While an answer may come at once: settles when it has, or when it has not. */
  get soon(): Promise<void> | undefined {
    return this.near;
  }

  /** Settles when the document that is being computed is answered; at once if none is. */
  async settled(): Promise<void> {
    await this.asked?.answered;
  }

  /** It takes long enough to be shown. */
  get slow(): boolean {
    return this.patience.slow;
  }

  /** Computes the document; one that is under way is not asked for twice. */
  compute(): Promise<void> {
    const { document } = this.documents;
    if (this.asked?.document === document) return this.asked.answered;
    const answered = this.run(document).finally(() => {
      if (this.asked?.answered === answered) this.asked = undefined;
    });
    this.asked = { document, answered };
    return answered;
  }

  private async run(document: Doc): Promise<void> {
    this.answered.value = undefined;
    if (this.waits(document)) return;
    started();
    const arrived = this.expect();
    const answer = await this.opened.compute(document);
    try {
      this.take(document, answer);
    } finally {
      arrived();
    }
  }

  private expect(): () => void {
    let over = (): void => undefined;
    const soon = new Promise<void>((resolve) => (over = resolve)).then(() => {
      if (this.near === soon) this.near = undefined;
    });
    this.near = soon;
    setTimeout(over, AT_ONCE);
    return over;
  }

  private take(document: Doc, answer: Awaited<ReturnType<Opened['compute']>>): void {
    if (!answer) return;
    const refused = 'error' in answer ? answer.error : undefined;
    const newest = document === this.documents.document;
    // A newer document is already on its way; its answer is the one to show.
    if (!newest && refused) return;
    if (refused && !refused.refused && this.rescue(document, refused)) return;
    this.documents.settle();
    batch(() => {
      this.answered.value = document;
      if ('error' in answer) {
        this.wrong = document;
        this.error = answer.error;
      } else {
        this.accept(new Result(answer.directory, answer.numbers));
      }
    });
    if (newest) measured();
  }

  /**
   * Explains a cell of a result, which is that of the open document, or another one; nothing where a newer question
   * took the turn of this one, or where there is no such cell.
   */
  async explain(result: Result, name: string, index: number[]): Promise<Explanation | undefined> {
    const { tensors } = result.directory;
    const asked = tensors.find((one) => one.group === 'outputs' && one.name === name);
    const tensor = (asked && sameAs(asked, tensors)?.name) ?? name;
    const cell = { tensor, index: JSON.stringify(index) };
    const open = this.opened.has(result.directory);
    let reply = open
      ? await this.client.send({ kind: 'explain-open', session: this.opened.name, ...cell }, 'explain') : undefined;
    if (!open || reply?.lost)
      reply = await this.client.send({ kind: 'explain', document: result.text, ...cell }, 'explain');
    const explanation = reply && (JSON.parse(reply.text) as Partial<Explanation>);
    if (!explanation?.feeds) return undefined;
    const whole = explanation as Explanation;
    const { apart } = tracing.module ?? await tracing.fetch();
    return { ...whole, tensor: name, feeds: apart(result, { tensor, index, feeds: whole.feeds }) };
  }

  /** The page brought the document's picture with it: the engine is asked once somebody wants more. */
  brought(): void {
    this.documents.settle();
    this.answered.value = this.documents.document;
  }

  /** Shows an answer that came another way: with the page, or from the other side of a comparison. */
  present(result: Result | undefined, shapes = this.shapes): void {
    batch(() => {
      this.result = result;
      this.shapes = shapes;
    });
  }

  private accept(result: Result): void {
    const before = untracked(() => this.result);
    this.reading.changed();
    this.result = before ? result.keep(before) : result;
    this.error = undefined;
  }
}
