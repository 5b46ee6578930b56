// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import type { Size } from './pixels.ts';
import type { Origin } from './source.ts';
import { parse } from '../state/parse.ts';

/** What the picture of a document comes from that nobody drew or loaded here. */
export async function foundOrigin(store: Store, input: string,
  numbers: { data: ArrayLike<number>; size: Size; shape: number[] }): Promise<Origin> {
  const random = await isExample(store, input);
  return { size: numbers.size,
    source: random ? { kind: 'drawn', motif: 'random', seed: 1 } : { kind: 'given', numbers } };
}

/** Whether an input has the random numbers with which the engine's example of its mechanism comes. */
async function isExample(store: Store, input: string): Promise<boolean> {
  const { documents: { document }, book, client } = store;
  const id = book.module(document)?.id;
  const reply = id === undefined ? undefined : await client.send({ kind: 'example', of: id });
  const found = reply && parse(reply.text);
  return !!found && 'document' in found
    && JSON.stringify(found.document.inputs[input]?.['data']) === JSON.stringify(document.inputs[input]?.['data']);
}
