// SPDX-License-Identifier: Apache-2.0
// Every entry of every menu of a document, with the edit that choosing it makes: a test presses all of them.
import { join } from '../src/engine/pointer.ts';
import type { Doc, Slot } from '../src/engine/types.ts';
import type { Book } from '../src/state/catalogue.ts';
import type { Place } from '../src/state/fitting-choice.ts';
import { isModel, membersOf } from '../src/state/model.ts';
import { added, type Edit, itemsOf, ownerOf, placeOf, putInto, switched } from '../src/state/proposals.ts';

/** One entry of one menu. */
export interface Proposal {
  path: string;
  id: string | undefined;
  edit: Edit;
  place: Place | undefined;
}

/** Every entry of every menu that can be pressed. */
export function proposalsOf(book: Book, document: Doc): Proposal[] {
  const found: Proposal[] = [];
  if (!isModel(document)) {
    for (const { id } of book.modules())
      found.push({ path: '/mechanism/type', id, edit: switched(book, id), place: undefined });
  }
  const choices = book.choices(document);
  const seen = new Set<string>();
  const visit = (slot: Slot, owner: string) => {
    const path = owner + join(slot.name);
    if (slot.only || seen.has(path)) return;
    seen.add(path);
    const chosen = choices.filter((one) => ownerOf(one) === owner && one.slot.name === slot.name)
      .map(({ mechanism }) => mechanism?.id);
    for (const { id, refusal } of itemsOf(book, document, slot, owner)) {
      if (refusal !== undefined || chosen.includes(id)) continue;
      found.push(slot.list ? { path, id, edit: added(book, slot.kind, path, id!), place: undefined }
        : { path, id, edit: putInto(book, slot, path, id),
          place: id === undefined ? undefined : placeOf(book, slot, path) });
    }
  };
  for (const choice of choices) visit(choice.slot, ownerOf(choice));
  // A list that is empty makes no choice, and has its menu all the same.
  for (const { path, value } of membersOf(document))
    for (const slot of book.member(value)?.slots ?? []) if (slot.list) visit(slot, path);
  return found;
}
