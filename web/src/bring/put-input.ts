// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import type { Json, JsonObject } from '../engine/types.ts';
import { imagePorts } from '../state/image-ports.ts';
import { vocabularyOf } from '../state/vocabulary.ts';
import { whilePending } from '../lazy-fetch.ts';
import { land } from '../state/incoming-weights.ts';
import { missingOf } from '../state/local-weights.ts';
import { rolesOf } from '../state/roles.ts';
import type { Store } from '../state/store.ts';
import { NATURAL } from '../state/tokens.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import type { Found } from './input-data.ts';
import { putNamed } from './several-inputs.ts';
import { words } from './words.ts';

/** How many axes the input of this name is read with: 3 for an image. */
export function rankOf(store: Store, name: string): number {
  const image = imagePorts(store.book, store.documents.document).find(({ input }) => input === name);
  if (image) return maximum(image.ranks);
  const role = rolesOf(store.book, store.documents.document).find((r) => r.name === name);
  return role ? role.shape.trim().split(/\s+/).length : 2;
}

/** What an input keeps of data: where its reader looks words up, only those; nothing where the data have none. */
export function readable(found: Found, vocabulary: readonly string[] | undefined): Found | undefined {
  if (!vocabulary || found.kind === 'words' || ['document', 'lesson', 'wrong'].includes(found.kind)) return found;
  return found.kind === 'matrix' && found.labels ? { kind: 'words', tokens: found.labels } : undefined;
}

/** The input that these numbers or words make in place of another. `looksUp`: its reader knows words by a list. */
export function inputFrom(found: Found, before: JsonObject, looksUp = false): JsonObject | undefined {
  if (looksUp && found.kind === 'words') {
    const { matrix: _rows, shape: _shape, data: _data, ...rest } = before;
    return { ...rest, tokens: found.tokens };
  }
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

/** Why a document's weights cannot be used, as a sentence; or the lecture that came with a document. */
export interface Used {
  why?: string | undefined;
  lecture?: Json | undefined;
}

/** Uses what was found. */
export async function put(store: Store, found: Found, name: string): Promise<Used> {
  if (found.kind === 'inputs') {
    const why = putNamed(store.book, structuredClone(store.documents.document), found, {});
    if (why === undefined) store.documents.change((draft) => void putNamed(store.book, draft, found, store.shelf));
    return { why };
  }
  if (found.kind !== 'document') {
    putInput(store, found, name);
    return {};
  }
  const { kind: _, ...arrived } = found;
  const opened = await whilePending(land(arrived, true));
  if (!('document' in opened)) return { why: strings.weightsRefused(quote(opened.why)) };
  const lost = await whilePending(missingOf(opened.document, opened.compare));
  if (lost.length > 0) return { why: words().weightsMissing(lost.map(quote)) };
  store.arrive(opened);
  return { lecture: opened.lecture };
}

function putInput(store: Store, found: Found, name: string): void {
  const { document } = store.documents;
  const before = document.inputs[name] ?? {};
  const vocabulary = vocabularyOf(store.book, document, name);
  const used = readable(found, vocabulary);
  const input = used && inputFrom(used, before, vocabulary !== undefined);
  if (!input) return;
  const features = before['features'];
  if (!vocabulary && typeof features === 'object' && features !== null && !Array.isArray(features)
    && features['type'] !== 'matrix')
    store.shelf[`${name} features`] = features;
  store.documents.change((draft) => void (draft.inputs[name] = input));
}
