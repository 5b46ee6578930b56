// SPDX-License-Identifier: Apache-2.0
// What choosing an entry would come to, asked of the engine before anybody chooses it.
import type { Client } from '../engine/client.ts';
import type { Doc, Failure, Json } from '../engine/types.ts';
import { tensorsGiven } from './given-tensors.ts';
import { otherwise, type Place } from './fitting-choice.ts';
import { reasonOf } from './choice-rescue.ts';
import { sized } from './sized.ts';
import { isTrained } from './writer.ts';

export interface Foreseen {
  /** Why it cannot be chosen, in the engine's words. */
  refusal?: string;
  /** The title of what would be used instead, or around it. */
  instead?: string;
}

// Several parts of the page ask: each of them gets its answer, one after the other.
const asked = new WeakMap<Client, Promise<unknown>>();
function check(client: Client, document: object): ReturnType<Client['send']> {
  const answer = (asked.get(client) ?? Promise.resolve())
    .then(() => client.send({ kind: 'check', document: JSON.stringify(document) }));
  asked.set(client, answer);
  return answer;
}

/** Why the engine refuses a document, whatever weights it comes with; undefined where it computes it. */
export async function refusalOf(client: Client, document: Doc): Promise<string | undefined> {
  const { parameters: given, ...rest } = document;
  // Weights of a file fit the model that was trained: of another one, what is new is drawn.
  const bare = given === undefined ? rest : { ...rest, parameters: tensorsGiven(given as Json) };
  const answer = await check(client, bare);
  const found = answer && JSON.parse(answer.text) as { ok: true } | Failure;
  return found && !found.ok ? reasonOf(found.error.message) : undefined;
}

/** `document`: the page's as it would be with the entry in it; `before`: as it is; `found`: that one with its sizes. */
export async function foresee(client: Client, before: Doc, document: Doc, id: string | undefined,
  place: Place | undefined, found?: Doc): Promise<Foreseen> {
  // Of weights in a file only the document before knows the sizes.
  const refuses = async (one: Doc) => (found && isTrained(one)
    && await refusalOf(client, sized(one, before, found)) === undefined ? undefined : refusalOf(client, one));
  const refusal = await refuses(document);
  if (refusal === undefined) return {};
  for (const { title, document: other } of otherwise(before, document, id, place))
    if (await refuses(other) === undefined) return { instead: title };
  return { refusal };
}
