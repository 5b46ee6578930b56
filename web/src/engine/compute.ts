// SPDX-License-Identifier: Apache-2.0
import type { Client } from './client.ts';
import { Result } from './result.ts';
import type { Directory, Doc, Failure, Located } from './types.ts';

/** The result of a document, or the engine's reason why there is none. */
export interface Computed {
  result?: Result;
  error?: Located;
}

/**
 * Has the engine compute a document. In a lane, a newer document takes the place of one that still waits, which then
 * gets no answer; without a lane nothing does.
 */
export async function compute(client: Pick<Client, 'ask' | 'send'>, document: Doc | string, lane?: string):
  Promise<Computed | undefined> {
  const ask = { kind: 'run', document: typeof document === 'string' ? document : JSON.stringify(document) } as const;
  const answer = await (lane === undefined ? client.ask(ask) : client.send(ask, lane));
  if (!answer) return undefined;
  const directory = JSON.parse(answer.text) as Directory | Failure;
  if (!directory.ok) return { error: directory.error };
  return answer.data ? { result: new Result(directory, answer.data) } : {};
}
