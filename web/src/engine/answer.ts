// SPDX-License-Identifier: Apache-2.0
import type { WeightsData } from '../files/data.ts';
import create from 'attention-engine';
import { Instance, Stopped } from '../library/instance.ts';
import { bytesAt } from './bytes.ts';
import { SecondPart } from './second-part.ts';
import { documentsOf } from './needs.ts';
import { OpenSessions, type SessionRequest } from './sessions.ts';
import { timed } from './timing.ts';
import type { Directory, Engine, Failure } from './types.ts';
import firstWords from './first-words.json';
import { GRACE } from './grace.ts';
import type { Calling } from './hand-over.ts';
import { WeightFiles } from './weights.ts';
import { WordFiles } from './words.ts';

export type Request =
  | { id: number; kind: 'run' | 'written' | 'check'; document: string }
  | { id: number; kind: 'kept'; document: string; over: string }
  | { id: number; kind: 'explain' | 'trace'; document: string; tensor: string; index: string }
  | { id: number; kind: 'export'; document: string; format: string; heading: string }
  | { id: number; kind: 'time'; documents: string[] }
  | { id: number; kind: 'example'; of: string }
  | SessionRequest;

export type Reply = { id: number; text: string; data?: Float32Array;
  /** Of an open document: it is the one that was asked for, whether or not its numbers could be computed. */
  taken?: true;
  /** The document is not open in this engine: it was started again. */
  lost?: true };
/** How far a long request is, between 0 and 1: its answer is still to come. */
export type Share = { id: number; share: number };
/** The engine's memory grew for weights that no open document needs: a new worker would take far less. */
export type TooLarge = { tooLarge: true };

/** A file of weights that the page holds, handed over before a document asks for it. */
export interface Held {
  weights: string;
  bytes: WeightsData;
}

/** A file of weights that another worker is making, with the port through which it comes; without one it is dropped. */
export interface Coming {
  coming: string;
  port?: MessagePort;
}

const failure = (message: string, how?: 'refused' | 'crashed') =>
  JSON.stringify({ ok: false, error: { path: '', message, ...(how ? { [how]: true } : {}) } });
const words = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));

/** Where the engine's files lie. */
export interface Where {
  wasmUrl: string;
  /** The part of the engine that its first answers do without, where it comes in two. */
  deferredUrl?: string;
  /** The files of word vectors, the smaller one first. */
  wordsUrls: string[];
  /** The files of weights that documents may name. */
  weightsUrls?: Record<string, string>;
}

const ofFirst = () => Promise.resolve(Uint8Array.from(atob(firstWords.file), (c) => c.charCodeAt(0)));

const checked = (directory: Directory | Failure): { ok: true } | Failure => (directory.ok ? { ok: true } : directory);

// Asks the WebAssembly module, whose functions are those of bindings/embind.cpp. There the session
// (src/experiment/session.h) decides what a changed document costs: new numbers in a held program, or a new one.
function answered(module: Engine, request: Exclude<Request, SessionRequest>): Reply {
  const { id } = request;
  if (request.kind === 'time') return { id, text: JSON.stringify(timed(module, request.documents)) };
  if (request.kind === 'example') return { id, text: module.example(request.of) };
  if (request.kind === 'kept') return { id, text: module.kept(request.document, request.over) };
  if (request.kind === 'written') return { id, text: module.written(request.document) };
  if (request.kind === 'export')
    return { id, text: module.exportCode(request.document, request.format, request.heading) };
  if (request.kind === 'explain' || request.kind === 'trace')
    return { id, text: module.explain(request.document, request.tensor, request.index) };
  const { directory, data } = module.run(request.document);
  // Only whether it can be computed, and why not.
  if (request.kind === 'check')
    return { id, text: JSON.stringify(checked(JSON.parse(directory) as Directory | Failure)) };
  return { id, text: directory, data };
}

/** What a started engine does: it answers one request after another, and never throws. */
export interface Started {
  answer(request: Request): Promise<Reply>;
  /** Takes weights in before a document asks for them, as far as it can: whoever asks reads what did not come. */
  bring(file: Coming): Promise<void>;
}

/** Starts the engine. `told`: hears how far a long request is, and when the engine's memory is too large. */
export function engine(where?: Where, told?: (news: Share | TooLarge) => void): Started {
  let now = 0;
  const sessions = new OpenSessions((id, share) => told?.({ id, share }));
  const vectors = new WordFiles([ofFirst, ...(where?.wordsUrls ?? []).map((url) => () => bytesAt(url))]);
  const weights = new WeightFiles(where?.weightsUrls ?? {});
  const second = where?.deferredUrl === undefined ? undefined : new SecondPart(where.deferredUrl);
  const start = async (): Promise<Engine> => {
    // A new instance has been given nothing.
    vectors.forget();
    weights.forget();
    const module = await (create(where === undefined ? {} : { locateFile: () => where.wasmUrl,
      ...(second ? { loadSplitModule: second.link } : {}) }) as Promise<Engine>);
    if (told) module.watch((share) => told({ id: now, share }));
    return module;
  };
  const ready = Instance.start(start).catch(words);
  let rests: ReturnType<typeof setTimeout> | undefined;
  // While requests come, the weights that they need are in use, whether or not a document is open.
  const rest = (): void => {
    clearTimeout(rests);
    rests = setTimeout(() => weights.isTooLarge(sessions.weights) && told?.({ tooLarge: true }), GRACE);
  };
  const bring = async ({ coming, port }: Coming): Promise<void> => {
    const instance = await ready;
    if (typeof instance === 'string') return;
    await second?.ready();
    const call: Calling = (work) => instance.call(work);
    await (port ? weights.take(coming, port, call) : weights.drop(coming, call));
    rest();
  };
  const answer = async (request: Request): Promise<Reply> => {
    const { id } = request;
    const instance = await ready;
    // No WebAssembly here, or it could not be fetched: nothing will ever be computed.
    if (typeof instance === 'string') return { id, text: failure(instance, 'refused') };
    try {
      const needed = documentsOf(request);
      const parts = second?.ready(...needed);
      const [hand] = await Promise.all([vectors.ready(...needed), parts, weights.ready(async (work) => {
        await parts;
        return instance.call(work);
      }, ...needed)]);
      const prepared = (module: Engine): Engine => {
        hand(module);
        now = id;
        return module;
      };
      if ('session' in request) return await sessions.answer(request, (work) =>
        instance.call((module) => work(prepared(module))));
      return await instance.call((module) => answered(prepared(module), request));
    } catch (problem) {
      return { id, text: failure(words(problem), problem instanceof Stopped ? 'crashed' : undefined) };
    } finally {
      rest();
    }
  };
  return { answer, bring };
}
