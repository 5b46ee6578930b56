// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Json } from '../engine/types.ts';
import { isObject } from '../state/catalogue.ts';
import { set } from '../state/pointer.ts';
import type { Store } from '../state/store.ts';
import { documents } from './documents.ts';
import type { History } from './history.ts';
import { kept } from './kept.ts';
import type { Chosen } from './maps.ts';
import type { TrainingDocument } from './messages.ts';
import { openTraining } from './open.ts';
import type { Training } from './training.ts';

export type Tab = 'map' | 'curves' | 'settings';

/** What of a document is trained: all but where finished weights come from. Nothing where it says of no training. */
export function learnable(document: Json | undefined): TrainingDocument | undefined {
  if (!isObject(document) || !isObject(document['training']) || document['training']['task'] === undefined) return undefined;
  const copy = structuredClone(document);
  const given = copy['parameters'];
  if (isObject(given)) {
    delete given['from'];
    if (Object.keys(given).length === 0) delete copy['parameters'];
  }
  return copy as unknown as TrainingDocument;
}

/** The place where one trains: the page's document, the training under way, and what of it is looked at. */
export class Desk {
  readonly training: Training = openTraining();
  private readonly chosenNow = signal<Chosen>({ map: 0, head: undefined });
  private readonly tabNow = signal<Tab>('map');
  private readonly resumedNow = signal(false);

  constructor(readonly store: Store) {}

  /** The document as its settings stand now; the training has the one that it began with. */
  get document(): TrainingDocument {
    return learnable(this.store.documents.document as Json) ?? ([...documents.values()][0] as TrainingDocument);
  }

  /** Whether something changed since the training began. */
  get edited(): boolean {
    return this.training.document !== '' && this.training.document !== JSON.stringify(this.document);
  }

  get resumed(): boolean {
    return this.resumedNow.value;
  }

  get chosen(): Chosen {
    return this.chosenNow.value;
  }

  set chosen(chosen: Chosen) {
    this.chosenNow.value = chosen;
  }

  get tab(): Tab {
    return this.tabNow.value;
  }

  set tab(tab: Tab) {
    this.tabNow.value = tab;
  }

  /** Goes on with what was being trained when the page was left, where it is what the page is about, or begins. */
  async open(): Promise<void> {
    const found = await kept();
    const { documents: page, example } = this.store;
    const untouched = JSON.stringify(page.document) === JSON.stringify(example);
    const goesOn = found !== undefined && (untouched || learnable(page.document as Json) === undefined || same(found.document, this.document));
    if (goesOn && !same(found.document, this.document)) page.replace(found.document);
    this.resumedNow.value = goesOn && (found.from.history.steps.length > 0);
    this.begin(goesOn ? found.from : undefined);
  }

  begin(from?: { checkpoint: Uint8Array; history: History }): void {
    this.chosen = { map: 0, head: undefined };
    this.training.begin(this.document, from);
  }

  startAgain(): void {
    this.resumedNow.value = false;
    this.begin();
  }

  /** Goes on from the weights as they are, with the settings as they stand now. */
  async goOn(): Promise<void> {
    const { history } = this.training;
    this.begin({ checkpoint: await this.training.save(false), history });
  }

  choose(name: string): void {
    this.store.documents.replace(structuredClone(documents.get(name)!));
    this.startAgain();
  }

  put(path: string, value: Json | undefined, gesture?: string): void {
    this.edit((draft) => set(draft, path, value), gesture);
  }

  private edit(change: (draft: TrainingDocument) => void, gesture?: string): void {
    const { documents: page } = this.store;
    if (learnable(page.document as Json)) return page.change((draft) => change(draft as TrainingDocument), gesture);
    const copy = structuredClone(this.document);
    change(copy);
    page.replace(copy);
  }

  close(): void {
    this.training.close();
  }
}

const same = (one: TrainingDocument, other: TrainingDocument): boolean => JSON.stringify(one) === JSON.stringify(other);
