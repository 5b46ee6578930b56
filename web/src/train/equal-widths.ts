// SPDX-License-Identifier: Apache-2.0
// A decoder whose queries are as wide as its keys, which most efficient forms need.
import type { Client } from '../engine/client.ts';
import type { Json } from '../engine/types.ts';
import { get, isObject, set } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf } from '../state/model.ts';
import type { Axis, Option } from './axes.ts';
import type { TrainingDocument } from './messages.ts';
import { ableOf } from './trainable-options.ts';

/** Another size of a model's member. */
export interface Widened {
  path: string;
  width: number;
}

// The knobs that say how wide a member's rows are.
const WIDTHS = ['hidden', 'dim'] as const;

/**
 * The size of the decoder with which an option can be trained that it refuses as it is. The engine judges each size
 * that the model has somewhere, or twice that size, as two directions give it.
 */
export async function widthFor(client: Client, book: Book, document: TrainingDocument, axis: Axis,
  option: Option): Promise<Widened | undefined> {
  const members = membersOf(document);
  const owner = members.find(({ path }) => axis.path.startsWith(`${path}/`));
  const path = owner && `${owner.path}/hidden`;
  if (path === undefined || typeof get(document, path) !== 'number') return undefined;
  const sizes = members.flatMap(({ value }) => (isObject(value as Json) ? WIDTHS.map((name) =>
    (value as Record<string, unknown>)[name]) : [])).filter((one): one is number => typeof one === 'number');
  for (const width of new Set(sizes.flatMap((size) => [size, 2 * size]))) {
    const copy = structuredClone(document);
    set(copy, path, width);
    if ((await ableOf(client, book, copy, axis, option)).option) return { path, width };
  }
  return undefined;
}
