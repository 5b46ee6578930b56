// SPDX-License-Identifier: Apache-2.0
// Systems that open: with the weights that they were trained to, and those in which a part works.
import learned from 'virtual:learned';
import type { System } from '../engine/types.ts';
import { trained } from '../learned/open.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { mechanismsOf } from './search.ts';

/** The system that introduced this mechanism; else the simplest that has it, one that opens trained if there is any. */
export function systemWith(book: Book, id: string): System | undefined {
  const having = (book.catalogue.systems ?? []).filter(({ document }) =>
    mechanismsOf(book, document).some((one) => one.id === id));
  const source = book.find(undefined, id)?.source;
  const introduced = ({ paper }: System) => paper.link === source?.link;
  const cost = ({ id: own, document }: System) =>
    (learned[own] ? 0 : 1000) + membersOf(document).length + mechanismsOf(book, document).length;
  return having.toSorted((a, b) => Number(introduced(b)) - Number(introduced(a)) || cost(a) - cost(b))[0];
}

/** Opens a system as the gallery does. */
export async function openSystem(store: Store, { id, title, document: plain }: System): Promise<void> {
  const { document, lost } = await trained(learned[id], plain);
  if (!document) return;
  store.documents.replace(document, null);
  store.view.show({ opened: {} });
  if (lost !== undefined) store.view.show({ notice: [{ key: 'weightsLost', values: [title, lost], quoted: true }] });
}
