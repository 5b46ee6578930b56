// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import type { JsonObject } from '../engine/types.ts';
import { imagePorts } from '../image/ports.ts';
import { whilePending } from '../later.ts';
import { land } from '../state/arrive.ts';
import { rolesOf } from '../state/roles.ts';
import type { Store } from '../state/store.ts';
import { NATURAL } from '../state/tokens.ts';
import type { Found } from './found.ts';
import { putNamed } from './named.ts';

/** How many axes the input of this name is read with: 3 for an image. */
export function rankOf(store: Store, name: string): number {
  const image = imagePorts(store.book, store.documents.document).find(({ input }) => input === name);
  if (image) return maximum(image.ranks);
  const role = rolesOf(store.book, store.documents.document).find((r) => r.name === name);
  return role ? role.shape.trim().split(/\s+/).length : 2;
}

/** The input that these numbers or words make in place of another. */
export function inputFrom(found: Found, before: JsonObject): JsonObject | undefined {
  switch (found.kind) {
    case 'words': {
      const features = before['features'];
      const plain = typeof features === 'object' && features !== null && !Array.isArray(features)
        && features['type'] !== 'matrix';
      return { tokens: found.tokens, features: plain ? features : { ...NATURAL } };
    }
    case 'matrix': {
      const old = before['tokens'];
      // Named rows are words; without names the words that are there stay, one a row.
      const tokens = found.labels ?? (Array.isArray(old) && old.length === found.rows.length ? old : undefined);
      return tokens ? { tokens, features: { type: 'matrix', matrix: found.rows } } : { matrix: found.rows };
    }
    case 'tensor':
      return { shape: found.shape, data: found.data };
    default:
      return undefined;
  }
}

/** Uses what was found; what is wrong with a document's weights, where they cannot be used. */
export async function put(store: Store, found: Found, name: string): Promise<string | undefined> {
  if (found.kind === 'inputs') {
    const why = putNamed(store.book, structuredClone(store.documents.document), found, {});
    if (why === undefined) store.documents.change((draft) => void putNamed(store.book, draft, found, store.shelf));
    return why;
  }
  if (found.kind !== 'document') return void putInput(store, found, name);
  const { kind: _, ...arrived } = found;
  const opened = await whilePending(land(arrived, true));
  if ('document' in opened) return void store.arrive(opened);
  return opened.why;
}

function putInput(store: Store, found: Found, name: string): void {
  const before = store.documents.document.inputs[name] ?? {};
  const input = inputFrom(found, before);
  if (!input) return;
  const features = before['features'];
  if (typeof features === 'object' && features !== null && !Array.isArray(features) && features['type'] !== 'matrix')
    store.shelf[`${name} features`] = features;
  store.documents.change((draft) => void (draft.inputs[name] = input));
}
