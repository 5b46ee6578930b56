// SPDX-License-Identifier: Apache-2.0
import { Result } from '../engine/result.ts';
import type { Doc, JsonObject, Located } from '../engine/types.ts';
import { isObject } from './catalogue.ts';
import type { Compared, Side } from './parse.ts';
import type { Store } from './store.ts';

export type { Side } from './parse.ts';

const otherSide = (side: Side): Side => (side === 'A' ? 'B' : 'A');

/**
 * Two mechanisms on the same inputs. The document holds the one that the controls set; the other
 * stands here and follows the document's inputs and seed. What is held is part of the link, and of
 * what undo takes back.
 */
export class Comparison {
  held: Compared | undefined;
  result: Result | undefined;
  error: Located | undefined;

  constructor(private readonly store: Store) {}

  get on(): boolean {
    return this.held !== undefined;
  }

  /** Which of the two the document holds. */
  get editing(): Side {
    return this.held?.editing ?? 'B';
  }

  /** Keeps what stands now as A; the controls set B from here on. */
  start(change: (draft: Doc) => void = () => undefined): void {
    const { result } = this.store;
    this.store.change(change, undefined, this.kept('B'));
    this.result = result;
  }

  stop(): void {
    this.store.change(() => undefined, undefined, null);
  }

  /** Lets the controls set the other side. */
  edit(side: Side): void {
    const { held } = this;
    if (!held || side === held.editing) return;
    this.store.change((draft) => {
      draft.mechanism = structuredClone(held.mechanism);
      if (held.parameters) draft['parameters'] = structuredClone(held.parameters);
      else delete draft['parameters'];
    }, undefined, this.kept(side));
  }

  /** Takes what is to be compared from here on; only the store calls this, with the document that belongs to it. */
  hold(held: Compared | undefined): void {
    const before = this.held;
    this.held = held;
    if (!held || !before) this.result = this.error = undefined;
    else if (before.editing !== held.editing) {
      // The sides change places, and so do their pictures until the engine has answered.
      const mine = this.store.result;
      if (this.result) this.store.result = this.result;
      this.result = mine;
    }
  }

  results(): { a: Result; b: Result } | undefined {
    const mine = this.store.result;
    if (!this.on || !mine || !this.result) return undefined;
    return this.editing === 'B' ? { a: this.result, b: mine } : { a: mine, b: this.result };
  }

  /** The document of a side: the same inputs, seed and settings, and its own mechanism. */
  documentOf(side: Side): Doc {
    const { held } = this;
    if (!held || side === held.editing) return this.store.document;
    const document: Doc = { ...structuredClone(this.store.document), mechanism: structuredClone(held.mechanism) };
    delete document['parameters'];
    if (held.parameters) document['parameters'] = structuredClone(held.parameters);
    return document;
  }

  async compute(): Promise<void> {
    if (!this.on) return;
    const document = JSON.stringify(this.documentOf(otherSide(this.editing)));
    const reply = await this.store.client.send({ kind: 'other', document });
    if (!reply || !this.on) return;
    const directory = JSON.parse(reply.text);
    this.error = directory.ok ? undefined : directory.error;
    if (directory.ok && reply.data) this.result = new Result(directory, reply.data);
    this.store.tell();
  }

  // What the document holds now, as the other side of `editing`.
  private kept(editing: Side): Compared {
    const { mechanism, parameters } = this.store.document;
    const given: JsonObject | undefined = isObject(parameters) ? structuredClone(parameters) : undefined;
    return { editing, mechanism: structuredClone(mechanism), ...(given ? { parameters: given } : {}) };
  }
}
