// SPDX-License-Identifier: Apache-2.0
import create from 'attention-engine';
import { timed } from './timed.ts';
import type { Engine } from './types.ts';
import firstWords from './first-words.json';
import { bytesAt, WordFiles } from './words.ts';

// What asks the same in another lane does not push the newer request of the first one aside.
export type Request =
  | { id: number; kind: 'run' | 'other' | 'slope' | 'row'; document: string }
  | { id: number; kind: 'explain' | 'trace'; document: string; tensor: string; index: string }
  | { id: number; kind: 'export'; document: string; format: string; heading: string }
  | { id: number; kind: 'time'; documents: string[] }
  | { id: number; kind: 'example'; of: string };

export type Reply = { id: number; text: string; data?: Float32Array };

const failure = (message: string, refused: boolean) => JSON.stringify({ ok: false, error: { path: '', message, ...(refused ? { refused } : {}) } });
const words = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));

/** Where the engine's files lie. */
export interface Where {
  wasmUrl: string;
  /** The files of word vectors, the smaller one first. */
  wordsUrls: string[];
}

const ofFirst = () => Promise.resolve(Uint8Array.from(atob(firstWords.file), (c) => c.charCodeAt(0)));

/** Starts the engine; what it gives answers one request after another, and never throws. */
export function engine(where?: Where): (request: Request) => Promise<Reply> {
  const ready: Promise<Engine | string> = create(where === undefined ? {} : { locateFile: () => where.wasmUrl }).catch(words);
  const vectors = new WordFiles([ofFirst, ...(where?.wordsUrls ?? []).map((url) => () => bytesAt(url))]);
  return async (request) => {
    const { id } = request;
    const started = await ready;
    // No WebAssembly here, or it could not be fetched: nothing will ever be computed.
    if (typeof started === 'string') return { id, text: failure(started, true) };
    try {
      if (request.kind !== 'example') await vectors.prepare(started, ...(request.kind === 'time' ? request.documents : [request.document]));
      if (request.kind === 'time') return { id, text: JSON.stringify(timed(started, request.documents)) };
      if (request.kind === 'example') return { id, text: started.example(request.of) };
      if (request.kind === 'export') return { id, text: started.exportCode(request.document, request.format, request.heading) };
      if (request.kind === 'explain' || request.kind === 'trace') return { id, text: started.explain(request.document, request.tensor, request.index) };
      const { directory, data } = started.run(request.document);
      return { id, text: directory, data };
    } catch (problem) {
      return { id, text: failure(words(problem), false) };
    }
  };
}
