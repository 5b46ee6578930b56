// SPDX-License-Identifier: Apache-2.0
import { batch, effect, untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import { compute } from '../engine/compute.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { nest } from './nested-lists.ts';
import type { Doc, Located } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Compared, Side } from './parse.ts';
import type { Documents } from './documents.ts';
import { putSide, sideOf } from './side.ts';
import type { Sessions } from './sessions.ts';

export type { Side } from './parse.ts';

const alike = (one: Tensor, other: Tensor): boolean => one.shape.join() === other.shape.join();
const otherSide = (side: Side): Side => (side === 'A' ? 'B' : 'A');

/**
 * Two mechanisms, or a model twice, on the same inputs. The document holds the one that the controls set; the other
 * stands here and follows the document's inputs and seed. What is held is part of the link, and of
 * what undo takes back.
 */
export class Comparison {
  @cell result: Result | undefined;
  @cell error: Located | undefined;

  constructor(
    private readonly documents: Documents,
    private readonly sessions: Sessions,
  ) {
    let known = documents.moment;
    effect(() => {
      const { moment } = documents;
      if (moment === known) return;
      const before = known.compare;
      known = moment;
      untracked(() => {
        if (moment.compare !== before) this.follow(moment.compare, before);
        void this.compute();
      });
    });
  }

  get held(): Compared | undefined {
    return this.documents.compare;
  }

  get on(): boolean {
    return this.held !== undefined;
  }

  /** Which of the two the document holds. */
  get editing(): Side {
    return this.held?.editing ?? 'B';
  }

  /** Keeps what stands now as A; the controls set B from here on. */
  start(change: (draft: Doc) => void = () => undefined): void {
    const { result } = this.sessions;
    this.documents.change(change, undefined, sideOf(this.documents.document, 'B'));
    this.result = result;
  }

  stop(): void {
    this.documents.change(() => undefined, undefined, null);
  }

  /** Lets the controls set the other side. */
  edit(side: Side): void {
    const { held } = this;
    if (!held || side === held.editing) return;
    this.documents.change((draft) => putSide(draft, held), undefined, sideOf(this.documents.document, side));
  }

  private follow(held: Compared | undefined, before: Compared | undefined): void {
    if (!held || !before) {
      batch(() => (this.result = this.error = undefined));
    } else if (before.editing !== held.editing) {
      // The sides change places, and so do their pictures until the engine has answered.
      const mine = this.sessions.result;
      batch(() => {
        if (this.result) this.sessions.present(this.result);
        this.result = mine;
      });
    }
  }

  results(): { a: Result; b: Result } | undefined {
    const mine = this.sessions.result;
    if (!this.on || !mine || !this.result) return undefined;
    return this.editing === 'B' ? { a: this.result, b: mine } : { a: mine, b: this.result };
  }

  /** Why the document of a side cannot be computed: what is shown of it is then the last result that it had. */
  refusalOf(side: Side): Located | undefined {
    if (!this.on) return undefined;
    if (side !== this.editing) return this.error;
    return this.sessions.refused === this.documents.document ? this.sessions.error : undefined;
  }

  /** The document of a side: the same inputs, seed and settings, and its own mechanism. */
  documentOf(side: Side): Doc {
    const { held } = this;
    if (!held || side === held.editing) return this.documents.document;
    const document = structuredClone(this.documents.document);
    putSide(document, held);
    return document;
  }

  /** The parameters that both sides have under one name and in one shape, and whose numbers differ. */
  shared(): Tensor[] {
    return this.ofBoth((other, own) =>
      alike(other, own) && other.data.some((value, k) => value !== own.data[k]));
  }

  /** The parameters that both sides have under one name, but not in one shape: these cannot be given. */
  unlike(): Tensor[] {
    return this.ofBoth((other, own) => !alike(other, own));
  }

  // Those of the other side that this side has, too, and that are asked for.
  private ofBoth(wanted: (other: Tensor, own: Tensor) => boolean): Tensor[] {
    const mine = this.sessions.result;
    const { result } = this;
    if (!this.on || !mine || !result) return [];
    return result.all('parameters').filter((other) => {
      const own = mine.find(other.name, 'parameters');
      return own !== undefined && wanted(other, own);
    });
  }

  /** Gives the side that the controls set those parameters of the other: what differs from then on is the mechanism. */
  share(): void {
    const shared = this.shared();
    if (shared.length === 0) return;
    this.documents.change((draft) => {
      const given = isObject(draft['parameters']) ? draft['parameters'] : {};
      for (const { name, data, shape } of shared) given[name] = nest(Array.from(data), shape);
      draft['parameters'] = given;
    });
  }

  async compute(): Promise<void> {
    if (!this.on) return;
    const { moment } = this.documents;
    // The engine computes this side in slices and the other in one go: a long other side would keep this one waiting.
    await this.sessions.settled();
    if (this.documents.moment !== moment) return;
    const reply = await compute(this.sessions.client, this.documentOf(otherSide(this.editing)), 'compare');
    if (!reply || !this.on) return;
    batch(() => {
      this.error = reply.error;
      if (reply.result) this.result = reply.result;
    });
  }
}
