// SPDX-License-Identifier: Apache-2.0
import { hasTask } from './model.ts';
import { effect, untracked } from '@preact/signals-core';
import type { Client } from '../engine/client.ts';
import { set } from '../engine/pointer.ts';
import type { Result } from '../engine/result.ts';
import type { Doc, Located } from '../engine/types.ts';
import type { Documents } from './documents.ts';
import type { Notice } from './notice.ts';
import type { Kept, Place } from './fitting-choice.ts';
import type { View } from './view.ts';
import { absentFile } from './absent-model.ts';
import { isTrained } from './writer.ts';

/** An entry chosen from a menu, and the document that it was put into. */
interface Entry {
  id: string | undefined;
  title: string;
  /** The control where it was chosen. */
  at: string | undefined;
  before: Doc;
  document: Doc;
  place: Place | undefined;
  /** How many steps led to it. */
  depth: number;
}

// The name in front of what the engine objects to is the entry's, which is told anyway; so is the full stop.
export const reasonOf = (message: string): string => message.replace(/^\[[^\]]*\] /, '').replace(/\.$/, '');

/**
 * What happens to a document that the engine refuses: of an entry of a menu the nearest that fits takes its place, or
 * the document stays as it was; a link gives way to what was there.
 */
export class Rescuer {
  private entry: Entry | undefined;
  // Refused while something was dragged.
  private late: Doc | undefined;

  constructor(
    private readonly documents: Documents,
    private readonly view: View,
    private readonly client: Client,
    /** Whether the engine refused this document. */
    private readonly refuses: (document: Doc) => boolean = () => false,
    /** The last result, which has the sizes that the engine found. */
    private readonly last: () => Result | undefined = () => undefined,
  ) {
    effect(() => {
      const { late } = this;
      if (!documents.held && late && documents.document === late) untracked(() => void this.refit(late));
    });
    let told = { notice: view.notice, starts: documents.starts, depth: documents.depth };
    // A notice goes when the reader sets out from another document, or undoes the step that it is about.
    effect(() => {
      const [{ notice }, { starts, depth }] = [view, documents];
      if (notice !== told.notice) told = { notice, starts, depth };
      else if (notice.length > 0 && (starts !== told.starts || depth < told.depth))
        untracked(() => view.show({ notice: [] }));
    });
  }

  /**
   * Chooses a menu's entry at a control; where it does not fit, the nearest that does takes its place in the same step,
   * or nothing is changed, and the control says so.
   */
  pick(id: string | undefined, title: string, edit: (draft: Doc) => void, at?: string, place?: Place): void {
    const before = this.documents.kept;
    const refused = this.refuses(before);
    this.view.show({ notice: [] });
    // Before anything is computed, so that even an answer at once finds it.
    this.entry = undefined;
    this.documents.change(edit);
    const { document } = this.documents;
    // Of a document that was refused already it cannot be told whether the entry is what does not fit.
    this.entry = document === before || refused ? undefined : { id, title, at, before, document, place,
      depth: this.documents.depth };
  }

  /** Whether the notice speaks of something that one undo takes back. */
  get insteadShown(): boolean {
    return this.view.notice.length > 0 && this.entry?.depth === this.documents.depth;
  }

  /** Finds another document for one that was refused; false where the error is to be shown. */
  readonly rescue = (document: Doc, error: Located): boolean => {
    // A change to a tensor that is no longer there goes with it.
    if (!this.documents.arrived && /^\/interventions\/\d/.test(error.path)) {
      this.documents.follow((draft) => set(draft, error.path.split('/', 3).join('/'), undefined));
      if (this.documents.document !== document) return true;
    }
    // Who stops a computation, or what crashed it, says nothing of whether the choice fits.
    if (this.entry?.document === document && (error.stopped || error.crashed || error.unloaded)) return false;
    if (this.entry?.document === document) void this.stand(this.entry, error);
    // A knob of a trained model asks for weights of other shapes than the file has.
    else if (!this.documents.arrived && isTrained(document) && error.path.startsWith('/parameters/')) {
      if (this.documents.held) this.late = document;
      else void this.refit(document);
      return false;
    }
    // The page says what it is about, and how to open its files.
    else if (hasTask(document) || absentFile(document, error) !== undefined) return false;
    else if (this.documents.arrived && document !== this.documents.example) this.turnBack(error);
    else return false;
    return true;
  };

  private async stand(entry: Entry, error: Located): Promise<void> {
    const kept = await this.kept(entry);
    if (this.documents.document !== entry.document) return;
    if (kept) return this.keeps(entry, kept, error);
    this.entry = undefined;
    this.documents.amend();
    this.view.show({ notice: [{ key: 'misfit', values: [entry.title, reasonOf(error.message)], quoted: true,
      at: entry.at, example: entry.id }] });
  }

  // Weights that still fit stay, the others are drawn. While a slider is dragged, the error is shown instead.
  private async refit(document: Doc): Promise<void> {
    this.late = undefined;
    const before = this.documents.past.at(-1);
    const { keep } = await import('./fitting-choice.ts');
    const kept = before && await keep(this.client, before, document, undefined, undefined, this.last());
    if (!kept || this.documents.document !== document) return;
    this.documents.amend(kept.document);
    this.view.show({ notice: [{ key: 'newPart', values: kept.drawn, parameters: true, train: 'trainIt' }] });
  }

  // Words and weights that can stay do.
  private async kept({ id, before, document, place }: Entry): Promise<Kept | undefined> {
    if (!place && !isTrained(document)) return undefined;
    const { keep } = await import('./fitting-choice.ts');
    return keep(this.client, before, document, id, place, this.last());
  }

  private keeps(entry: Entry, { document, instead, drawn }: Kept, error: Located): void {
    this.entry = { ...entry, id: undefined, document };
    this.documents.amend(document);
    const { title, at } = entry;
    const said: Notice[] = !instead ? [] : instead.widths
      ? [{ key: 'projectedInstead', values: [title, ...instead.widths.map(String), instead.title], at }]
      : [{ key: 'nearestInstead', values: [title, instead.title, reasonOf(error.message)], quoted: true, at }];
    const fresh: Notice[] = drawn.length > 0 ? [{ key: 'newPart', values: drawn, parameters: true,
      train: 'trainIt', at }] : [];
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
