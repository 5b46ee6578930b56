// SPDX-License-Identifier: Apache-2.0
import { hasTask } from './model.ts';
import { effect, untracked } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import type { Doc, Located } from '../engine/types.ts';
import type { Documents } from './documents.ts';
import type { Notice } from './notice.ts';
import type { Kept, Place } from './keep.ts';
import { parse } from './parse.ts';
import type { View } from './view.ts';
import { isTrained } from './writer.ts';

/** An entry chosen from a menu, and the document that it was put into. */
interface Entry {
  id: string | undefined;
  title: string;
  before: Doc;
  document: Doc;
  place: Place | undefined;
}

/**
 * What happens to a document that the engine refuses: of an entry of a menu the nearest that fits stands there, or it
 * brings its own example; a link gives way to what was there.
 */
export class Rescuer {
  private entry: Entry | undefined;

  constructor(
    private readonly documents: Documents,
    private readonly view: View,
    private readonly client: Client,
  ) {
    let [starts, before] = [documents.starts, documents.document];
    // A notice goes with what it speaks of.
    effect(() => {
      const now = { starts: documents.starts, document: documents.document };
      const undone = before === this.entry?.document && now.document === this.entry.before;
      const gone = now.starts !== starts || undone;
      [starts, before] = [now.starts, now.document];
      if (gone) untracked(() => view.notice.length > 0 && view.show({ notice: [] }));
    });
  }

  /** Chooses a menu's entry; where it does not fit what is here, its own example takes over, in the same step. */
  pick(id: string | undefined, title: string, edit: (draft: Doc) => void, place?: Place): void {
    const before = this.documents.kept;
    this.view.show({ notice: [] });
    // Before anything is computed, so that even an answer at once finds it.
    this.entry = undefined;
    this.documents.change(edit);
    const { document } = this.documents;
    this.entry = document === before ? undefined : { id, title, before, document, place };
  }

  /** Whether the notice speaks of something that one undo takes back. */
  get insteadShown(): boolean {
    const { document } = this.documents;
    return this.view.notice.length > 0 && this.entry?.document === document && document !== this.entry.before;
  }

  /** Finds another document for one that was refused; false where the error is to be shown. */
  readonly rescue = (document: Doc, error: Located): boolean => {
    if (this.entry?.document === document) void this.stand(this.entry, error);
    else if (hasTask(document)) return false;
    else if (this.documents.arrived && document !== this.documents.example) this.turnBack(error);
    else return false;
    return true;
  };

  private async stand(entry: Entry, error: Located): Promise<void> {
    const kept = await this.kept(entry);
    if (this.documents.document !== entry.document) return;
    if (kept) return this.keeps(entry, kept);
    const reply = entry.id === undefined ? undefined : await this.client.send({ kind: 'example', of: entry.id });
    if (this.documents.document !== entry.document) return;
    const found = reply && parse(reply.text);
    const example = found && 'document' in found ? found.document : undefined;
    this.entry = { ...entry, id: undefined, document: example ?? entry.before };
    this.documents.amend(example);
    this.view.show({ notice: [example ? { key: 'ownExample', values: [entry.title] }
      : { key: 'misfit', values: [entry.title, error.message], quoted: true }] });
  }

  // Words and weights that can stay do.
  private async kept({ id, document, place }: Entry): Promise<Kept | undefined> {
    if (!place && !isTrained(document)) return undefined;
    const { keep } = await import('./keep.ts');
    return keep(this.client, document, id, place);
  }

  private keeps(entry: Entry, { document, instead, drawn }: Kept): void {
    this.entry = { ...entry, id: undefined, document };
    this.documents.amend(document);
    const said: Notice[] = instead ? [{ key: 'nearestInstead',
      values: [entry.title, ...instead.widths.map(String), instead.title] }] : [];
    const fresh: Notice[] = drawn.length > 0 ? [{ key: 'newPart', values: drawn, train: 'trainIt' }] : [];
    this.view.show({ notice: [...said, ...fresh] });
  }

  // A link or an attribute that is refused leaves no picture: what was there before comes back, or else the example.
  private turnBack(error: Located): void {
    const back = this.documents.canUndo;
    this.documents.settle();
    this.documents.amend();
    this.view.show({ notice: [{ key: back ? 'linkRefusedHere' : 'linkRefused', values: [error.message],
      quoted: true }] });
  }
}
