// SPDX-License-Identifier: Apache-2.0
import { Result } from '../engine/result.ts';
import type { Doc, JsonObject, Located } from '../engine/types.ts';
import { isObject } from './catalogue.ts';
import type { Store } from './store.ts';

export type Side = 'A' | 'B';

/**
 * Two mechanisms on the same inputs. The document holds the one that the controls set; the other
 * stands here and follows the document's inputs and seed.
 */
export class Comparison {
  on = false;
  /** Which of the two the document holds. */
  editing: Side = 'B';
  result: Result | undefined;
  error: Located | undefined;
  private other: JsonObject | undefined;
  private given: JsonObject | undefined;

  constructor(private readonly store: Store) {}

  /** Keeps what stands now as A; the controls set B from here on. */
  start(change?: (draft: Doc) => void): void {
    this.on = true;
    this.editing = 'B';
    this.keep();
    this.result = this.store.result;
    if (change) this.store.change(change);
    else void this.compute();
    this.store.tell();
  }

  stop(): void {
    this.on = false;
    this.result = this.other = this.error = undefined;
    this.store.tell();
  }

  /** Lets the controls set the other side. */
  edit(side: Side): void {
    if (!this.on || side === this.editing || !this.other) return;
    const [mechanism, given] = [this.other, this.given];
    this.keep();
    this.editing = side;
    const before = this.result;
    this.result = this.store.result;
    if (before) this.store.result = before;
    this.store.change((draft) => {
      draft.mechanism = structuredClone(mechanism);
      if (given) draft['parameters'] = structuredClone(given);
      else delete draft['parameters'];
    });
    this.store.tell();
  }

  results(): { a: Result; b: Result } | undefined {
    const mine = this.store.result;
    if (!this.on || !mine || !this.result) return undefined;
    return this.editing === 'B' ? { a: this.result, b: mine } : { a: mine, b: this.result };
  }

  /** The document of a side: the same inputs, seed and settings, and its own mechanism. */
  documentOf(side: Side): Doc {
    if (side === this.editing || !this.other) return this.store.document;
    const document: Doc = { ...structuredClone(this.store.document), mechanism: structuredClone(this.other) };
    delete document['parameters'];
    if (this.given) document['parameters'] = structuredClone(this.given);
    return document;
  }

  async compute(): Promise<void> {
    if (!this.on) return;
    const document = JSON.stringify(this.documentOf(this.editing === 'B' ? 'A' : 'B'));
    const reply = await this.store.client.send({ kind: 'other', document });
    if (!reply || !this.on) return;
    const directory = JSON.parse(reply.text);
    this.error = directory.ok ? undefined : directory.error;
    if (directory.ok && reply.data) this.result = new Result(directory, reply.data);
    this.store.tell();
  }

  private keep(): void {
    const { document } = this.store;
    this.other = structuredClone(document.mechanism);
    const given = document['parameters'];
    this.given = isObject(given) ? structuredClone(given) : undefined;
  }
}
