// SPDX-License-Identifier: Apache-2.0
import type { Json, Mechanism, Slot } from '../engine/types.ts';
import { type Book, typeOf } from '../state/catalogue.ts';
import { added, putInto } from '../state/proposals.ts';
import { membersOf } from '../state/model.ts';
import { get, isObject, set } from '../engine/pointer.ts';
import { moduleCalled } from '../strings/counted.ts';
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
  slot: Slot | undefined;
  options: Option[];
  /** The option that the document has. */
  now: string;
}

/** Seeds are offered from that of the document on: enough for a narrow interval of a difference. */
export const SEEDS = 10;

/** Kinds of slots that vary although they are empty: no heads, and no efficient form. */
const OPTIONAL: readonly string[] = ['heads', 'core'];

/** What an efficient form takes the place of, or mostly refuses. */
const WITHOUT_CORE: readonly string[] = ['core', 'score', 'alignment', 'aggregate', 'mask'];

/** Whether two axes can vary together. */
export const goTogether = (one: Pick<Axis, 'kind'>, other: Pick<Axis, 'kind'>): boolean =>
  !(one.kind === 'core' && WITHOUT_CORE.includes(other.kind))
  && !(other.kind === 'core' && WITHOUT_CORE.includes(one.kind));

/** The alignment of an attention that names none. */
const SOFTMAX = 'softmax';

/** So many heads are offered beside those that there are. */
const HEADS = [1, 2, 4];

/** What says how many heads there are. */
const sizeOf = ({ knobs }: Mechanism) => knobs.find(({ type, name }) => type === 'integer' && name === 'count');

// The option of one mechanism; of heads, one for each number of them.
function optionsOf(one: Mechanism, document: TrainingDocument, path: string, kind: string): Option[] {
  const now = get(document, path);
  const size = kind === 'heads' ? sizeOf(one) : undefined;
  if (!size) return [{ id: one.id, label: one.title,
    apply: (draft) => void (typeOf(get(draft, path)) !== one.id && set(draft, path, { type: one.id })) }];
  const own = typeOf(now) === one.id && isObject(now) ? now : {};
  const count = numberOf(one, now);
  return [...new Set([...HEADS, ...(typeOf(now) === one.id ? [count!] : [])])].toSorted((a, b) => a - b).map((number) =>
    ({ id: `${one.id} ${number}`, label: `${one.title}: ${number}`,
      apply: (draft) => void ((typeOf(now) !== one.id || number !== count)
        && set(draft, path, { ...own, type: one.id, [size.name]: number })) }));
}

function numberOf(one: Mechanism, value: Json | undefined): number | undefined {
  const size = sizeOf(one);
  return size && Number((isObject(value) ? value[size.name] : undefined) ?? size.default);
}

/** Where the score of a map can be another: that of the module that made it, or else the first of the model. */
export function scoreOf(axes: readonly Axis[], members: ReturnType<typeof membersOf>, map: string): Axis | undefined {
  const scores = axes.filter(({ kind }) => kind === 'score');
  const member = members.find(({ name }) => name !== undefined && map.startsWith(`${name}.`));
  return scores.find(({ path }) => member && path.startsWith(`${member.path}/`)) ?? scores[0];
}

// A mask more than the document has, such as a window: one axis for each attention.
function masksOf(book: Book, document: TrainingDocument): Axis[] {
  const members = membersOf(document);
  const owners = [...members.map(({ path, value }) => ({ path, mechanism: book.member(value) })),
    ...book.choices(document).filter(({ slot }) => slot.kind === 'structure')];
  return owners.flatMap(({ path: owner, mechanism }) => {
    const slot = mechanism?.slots.find(({ kind, list }) => kind === 'mask' && list);
    if (!slot) return [];
    const list = `${owner}/${slot.name}`;
    const now = get(document, list);
    const here = (Array.isArray(now) ? now : [now]).map(typeOf);
    const fits = book.of('mask').filter(({ id, roles }) => !here.includes(id) && !roles.some(({ required }) => required)
      && book.refusal(document, slot, id, owner) === undefined);
    const member = members.find(({ path }) => members.length > 1 && `${owner}/`.startsWith(`${path}/`))?.name;
    const name = words().moreMask;
    return [{ path: `${list}/-`, slot, kind: 'mask', now: '',
      name: member ? `${name} (${moduleCalled(member)})` : name,
      options: [{ id: '', label: words().nothing, apply: () => undefined }, ...fits.map(({ id, title }): Option =>
        ({ id, label: title, apply: (draft) => added(book, 'mask', list, id)(draft) }))] }];
  });
}

// What an empty slot is called in a table: without a core, an attention keeps its score and its alignment.
function absentCalled({ kind, list }: Slot, document: TrainingDocument, owner: string): string {
  if (kind === 'position' && list) return words().withoutPosition;
  if (kind !== 'core') return words().nothing;
  const softmax = (typeOf(get(document, `${owner}/alignment`)) ?? SOFTMAX) === SOFTMAX;
  return softmax ? words().noCore : words().noCoreOther;
}

/** What of a document can vary: its mechanisms, by the catalogue, and where it starts. */
export function axesOf(book: Book, document: TrainingDocument): Axis[] {
  const choices = book.choices(document);
  const several = membersOf(document).length > 1;
  const found = choices.filter(({ slot, mechanism }) => !slot.only && slot.kind !== 'structure'
    && (slot.list ? slot.kind === 'position' : OPTIONAL.includes(slot.kind) || mechanism !== undefined))
    .map(({ path, slot, mechanism }): Axis => {
    const owner = path.slice(0, path.lastIndexOf(`/${slot.name}`));
    const member = membersOf(document).find((one) => path.startsWith(`${one.path}/`))?.name;
    // Those first that have about as much to learn as what is here; what needs inputs of its own has none here.
    const apart = ({ parameters }: Mechanism) => Math.abs(parameters.length - (mechanism?.parameters.length ?? 0));
    const among = slot.among ?? [];
    const able = book.of(slot.kind).filter(({ id }) => among.length === 0 || among.includes(id))
      .filter(({ roles, id }) => slot.kind === 'core' || id === mechanism?.id || !roles.some((one) => one.required));
    const fits = able.toSorted((a, b) => apart(a) - apart(b))
      .filter(({ id }) => id === mechanism?.id || book.refusal(document, slot, id, owner) === undefined);
    // What may be left out can be none: heads, and one of several positions.
    const none: Option[] = mechanism && !slot.list ? [] : [{ id: '', label: absentCalled(slot, document, owner),
      apply: (draft) => set(draft, path, undefined) }];
    const number = mechanism && slot.kind === 'heads' ? numberOf(mechanism, get(document, path)) : undefined;
    return {
      path, slot, kind: slot.kind,
      name: several && member ? `${slot.title} (${moduleCalled(member)})` : slot.title,
      now: mechanism ? `${mechanism.id}${number === undefined ? '' : ` ${number}`}` : '',
      // An efficient form takes the place of the score, the alignment and what else it excludes.
      options: [...none, ...slot.kind === 'core' ? fits.map((one): Option => ({ id: one.id, label: one.title,
        apply: (draft) => void (typeOf(get(draft, path)) !== one.id && putInto(book, slot, path, one.id)(draft)) }))
        : fits.flatMap((one) => optionsOf(one, document, path, slot.kind))],
    };
  });
  const seed = Number(document['seed'] ?? 0);
  const seeds = Array.from({ length: SEEDS },
    (_, k): Option => ({ id: String(seed + k), label: words().seedOf(seed + k),
    apply: (draft) => set(draft, '/seed', seed + k) }));
  return [...[...found, ...masksOf(book, document)].filter(({ options }) => options.length > 1),
    { path: '/seed', slot: undefined, kind: '', name: words().seed, now: String(seed), options: seeds }];
}

/** Options with these at their head, in the order that they have. */
export const firstOf = (options: readonly Option[], ids: readonly string[]): Option[] =>
  options.toSorted((a, b) => Number(ids.includes(b.id)) - Number(ids.includes(a.id)));
