// SPDX-License-Identifier: Apache-2.0
// The page's document with another sentence in one of its inputs, computed beside it.
import type { Client } from '../engine/client.ts';
import { compute, type Computed } from '../engine/compute.ts';
import type { Doc } from '../engine/types.ts';
import { answerOf } from '../inputs/answer.ts';
import { spelled, vocabularyOf } from '../state/vocabulary.ts';
import { modelOf } from '../models/model-metadata.ts';
import { putPieces } from '../models/put-tokens.ts';
import { writing } from '../models/writing.ts';
import type { Store } from '../state/store.ts';
import { tokenise } from '../state/tokens.ts';
import { isTrained } from '../state/writer.ts';

// What a trained model writes after other words; undefined where it cannot.
async function written(client: Client, document: Doc): Promise<{ input: string; tokens: string[] } | undefined> {
  const answer = await client.send({ kind: 'written', document: JSON.stringify(document) });
  const found = answer && JSON.parse(answer.text) as { input: string; tokens: string[] } | { error: unknown };
  return found && 'tokens' in found ? found : undefined;
}

/** The document with these words; undefined where there are none. What it writes is written again. */
export async function withSentence(store: Store, input: string, text: string): Promise<Doc | undefined> {
  const { document } = store.documents;
  const model = modelOf(document);
  if (model?.writes.input === input) {
    store.held.add(writing().follow(store.documents));
    const pieces = await writing().encode(model, text);
    if (!pieces || 'error' in pieces || pieces.ids.length === 0) return undefined;
    return store.documents.drafted((draft) => putPieces(draft, model, pieces));
  }
  const tokens = spelled(tokenise(text), vocabularyOf(store.book, document, input));
  if (tokens.length === 0) return undefined;
  const put = store.documents.drafted((draft) => (draft.inputs[input] = { ...draft.inputs[input], tokens }));
  const answer = answerOf(document, store.sessions.result);
  if (!isTrained(document) || answer === undefined || answer === input) return put;
  const said = await written(store.client, put);
  if (said) put.inputs[said.input] = { ...put.inputs[said.input], tokens: said.tokens };
  return put;
}

/** Computes some results of it; undefined where a newer question takes its place. */
export function computed(client: Client, document: Doc, outputs: readonly string[]): Promise<Computed | undefined> {
  const { gradient: _, ...asked } = document;
  return compute(client, { ...asked, outputs: [...outputs] } as Doc, 'elsewhere');
}
