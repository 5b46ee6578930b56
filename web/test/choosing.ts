// SPDX-License-Identifier: Apache-2.0
// The page's state with the real engine behind it, in the same process: nothing is drawn.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../src/engine/client.ts';
import { lineTo, type LinePort } from '../src/engine/line.ts';
import { Result } from '../src/engine/result.ts';
import type { Directory, Doc, Engine, Failure } from '../src/engine/types.ts';
import type { Reply, Request } from '../src/engine/worker.ts';
import { Book } from '../src/state/catalogue.ts';
import { inWords } from '../src/state/notice.ts';
import type { Proposal } from './every-proposal.ts';
import { Store } from '../src/state/store.ts';
import { catalogue } from './runs.ts';
import { root } from './shipped.ts';
import { wholeDocuments } from './open.ts';
import { giveWeights } from '../plugins/engine-start.ts';

const { default: create } = await import(join(root, 'build/wasm/bin/attention.mjs')) as
  { default: () => Promise<Engine> };

async function started(): Promise<Engine> {
  const engine = await create();
  engine.words(readFileSync(join(root, 'data/words/words-large.bin')) as never);
  giveWeights(engine, 'translate.safetensors', readFileSync(join(root, 'examples/trained/translate.safetensors')));
  return engine;
}
const engine = await started();

/** The engine holds this file of weights. */
export const hold = (name: string, bytes: Uint8Array): void => void giveWeights(engine, name, bytes);

const whole = wholeDocuments();

function answer(asked: Request): Reply {
  const request = whole(asked);
  const { id } = request;
  if (request.kind === 'example') return { id, text: engine.example(request.of) };
  if (request.kind === 'kept') return { id, text: engine.kept(request.document, request.over) };
  if (request.kind === 'written') return { id, text: engine.written(request.document) };
  if (!('document' in request) || request.document === undefined)
    throw new Error(`nobody asks this here: ${request.kind}`);
  const { directory, data } = engine.run(request.document);
  if (request.kind !== 'check') return { id, text: directory, data, taken: true };
  const found = JSON.parse(directory) as Directory | Failure;
  return { id, text: JSON.stringify(found.ok ? { ok: true } : found) };
}

function port(): LinePort<Request> {
  const one: LinePort<Request> = { onmessage: null, onerror: null, onmessageerror: null, terminate: () => undefined,
    postMessage: (request) => setImmediate(() => one.onmessage?.({ data: answer(request) } as MessageEvent<Reply>)) };
  return one;
}

export const book = new Book(catalogue);
export const client = new Client(lineTo(port));

/** What the engine says of a document: why it refuses it, or nothing. */
export function refused(document: Doc): string | undefined {
  const { error } = JSON.parse(engine.run(JSON.stringify(document)).directory) as Partial<Failure>;
  return error && `${error.path}: ${error.message}`;
}

export const exampleOf = (id: string): Doc => JSON.parse(engine.example(id)) as Doc;

const settled = async (store: Store): Promise<void> => {
  do await new Promise((done) => setImmediate(done));
  while (store.sessions.busy);
};

export interface Outcome {
  document: Doc;
  error: string | undefined;
  /** The engine has computed it. */
  computed: boolean;
  /** What is said, and at which control. */
  said: { key: string; at: string | undefined; text: string }[];
}

export function computed(document: Doc): Result {
  const { directory, data } = engine.run(JSON.stringify(document));
  return new Result(JSON.parse(directory) as Directory, data);
}

/** Presses one entry of a menu; `result`: of the document as it is. */
export async function press(document: Doc, result: Result, { path, id, edit, place }: Proposal): Promise<Outcome> {
  const store = new Store(structuredClone(document), document, book, client);
  store.sessions.present(result);
  const before = store.documents.document;
  store.pick(id, id ?? 'nothing', edit, path, place);
  if (store.documents.document !== before) await settled(store);
  const { error } = store.sessions;
  return {
    // A document that nothing was changed in was not asked for again.
    computed: store.documents.document === before || store.sessions.result !== result,
    document: store.documents.document, error: error && `${error.path}: ${error.message}`,
    said: store.view.notice.map((one) => ({ key: one.key, at: one.at, text: inWords(one, store) })),
  };
}
