// SPDX-License-Identifier: Apache-2.0
// Systems that open: with the weights that they were trained to, and those in which a part works.
import learned from 'virtual:learned';
import type { Doc, System } from '../engine/types.ts';
import { weightsNamed } from '../engine/named.ts';
import { documentIn } from '../learned/open.ts';
import type { Learned } from '../learned/types.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { mechanismsOf } from './search.ts';

/** The document of a trained system, which comes with its weights; why not, where they do not come. */
export async function trained(one: Learned | undefined, document: Doc | undefined):
Promise<{ document: Doc | undefined; lost?: string }> {
  if (!one) return { document };
  try {
    const file = await weightsNamed(one.weights);
    if (!file) throw new Error(one.weights);
    return { document: documentIn(one.weights, file) };
  } catch (problem) {
    return { document, lost: (problem as Error).message };
  }
}

/** The simplest system that has this mechanism, one that opens trained if there is any. */
export function systemWith(book: Book, id: string): System | undefined {
  const having = (book.catalogue.systems ?? []).filter(({ document }) =>
    mechanismsOf(book, document).some((one) => one.id === id));
  const cost = ({ id: own, document }: System) =>
    (learned[own] ? 0 : 1000) + membersOf(document).length + mechanismsOf(book, document).length;
  return having.toSorted((a, b) => cost(a) - cost(b))[0];
}

/** Opens a system as the gallery does. */
export async function openSystem(store: Store, { id, title, document: plain }: System): Promise<void> {
  const { document, lost } = await trained(learned[id], plain);
  if (!document) return;
  store.documents.replace(document, null);
  store.view.show({ opened: {} });
  if (lost !== undefined) store.view.show({ notice: [{ key: 'weightsLost', values: [title, lost], quoted: true }] });
}
