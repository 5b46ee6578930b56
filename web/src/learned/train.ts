// SPDX-License-Identifier: Apache-2.0
// One press trains a system: its own training document, from its first weights.
import learned, { tried } from 'virtual:learned';
import { bytesAt } from '../engine/bytes.ts';
import { absolute, weightsNamed } from '../engine/weight-files.ts';
import type { Doc, System } from '../engine/types.ts';
import { parse } from '../state/parse.ts';
import type { Store } from '../state/store.ts';
import type { Ahead } from './duration.ts';
import { documentIn } from './open.ts';

/** The training of a system, if it has one that ships. */
export function trainingOf(id: string): Ahead | undefined {
  return learned[id] ?? (tried[id]?.document === undefined ? undefined : tried[id]);
}

async function documentOf(id: string): Promise<Doc> {
  const { weights } = learned[id] ?? {};
  if (weights !== undefined) {
    const file = await weightsNamed(weights);
    if (!file) throw new Error(weights);
    return documentIn(weights, file);
  }
  const address = tried[id]?.document;
  if (address === undefined) throw new Error(id);
  const found = parse(new TextDecoder().decode(await bytesAt(absolute(address))));
  if (!('document' in found)) throw new Error(`${address} cannot be read: ${found.problem}`);
  return found.document as Doc;
}

/** Opens Train with the training document of a system and takes its steps from the first, as fast as possible. */
export async function trainSystem(store: Store, { id }: System, title: string): Promise<boolean> {
  try {
    store.documents.replace(await documentOf(id));
  } catch (problem) {
    store.view.show({ notice: [{ key: 'trainingLost', values: [title, (problem as Error).message], quoted: true }] });
    return false;
  }
  store.trainings.begins.value = { pace: 0 };
  store.view.show({ place: 'train', notice: [], opened: {} });
  return true;
}
