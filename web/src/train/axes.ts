// SPDX-License-Identifier: Apache-2.0
import type { Mechanism } from '../engine/types.ts';
import { type Book, typeOf } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import { get, set } from '../state/pointer.ts';
import type { TrainingDocument } from './messages.ts';
import { words } from './words.ts';

export interface Option {
  id: string;
  label: string;
  apply(draft: TrainingDocument): void;
}

/** One choice that may vary from model to model. */
export interface Axis {
  path: string;
  name: string;
  /** The kind of what varies, in the catalogue's words. */
  kind: string;
  options: Option[];
  /** The option that the document has. */
  now: string;
}

const SEEDS = 5;

/** What of a document can vary: its mechanisms, by the catalogue, and where it starts. */
export function axesOf(book: Book, document: TrainingDocument): Axis[] {
  const choices = book.choices(document);
  const several = membersOf(document).length > 1;
  const found = choices.filter(({ slot, mechanism }) =>
    !slot.list && !slot.only && slot.kind !== 'structure' && mechanism !== undefined)
    .map(({ path, slot, mechanism }): Axis => {
    const owner = path.slice(0, path.lastIndexOf('/'));
    const member = membersOf(document).find((one) => path.startsWith(`${one.path}/`))?.name;
    // Those first that have about as much to learn as what is here; what needs inputs of its own has none here.
    const apart = ({ parameters }: Mechanism) => Math.abs(parameters.length - mechanism!.parameters.length);
    const able = book.of(slot.kind)
      .filter(({ roles, id }) => id === mechanism!.id || !roles.some(({ required }) => required));
    const fits = able.toSorted((a, b) => apart(a) - apart(b))
      .filter(({ id }) => id === mechanism!.id || book.refusal(document, slot, id, owner) === undefined);
    return {
      path, kind: slot.kind, name: several && member ? `${slot.title} (${member.replaceAll('-', ' ')})` : slot.title,
      now: mechanism!.id,
      options: fits.map(({ id, title }) =>
        ({ id, label: title, apply: (draft) =>
        void (typeOf(get(draft, path)) !== id && set(draft, path, { type: id })) })),
    };
  }).filter(({ options }) => options.length > 1);
  const seed = Number(document['seed'] ?? 0);
  const seeds = Array.from({ length: SEEDS },
    (_, k): Option => ({ id: String(seed + k), label: words().seedOf(seed + k),
    apply: (draft) => set(draft, '/seed', seed + k) }));
  return [...found, { path: '/seed', kind: '', name: words().seed, now: String(seed), options: seeds }];
}
