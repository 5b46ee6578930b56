// SPDX-License-Identifier: Apache-2.0
// The documents that are open in this worker. Their handles are those of one instance of the engine, and end with it.
import type { Reply } from './answer.ts';
import type { Engine } from './types.ts';
import { weightsOf } from './weights-of.ts';

/** `session`: the page's name for an open document. */
export type SessionRequest =
  | { id: number; kind: 'open'; session: string; document: string }
  /** `document`: given where the changes may need files; `since`: the number of the answer that the page has. */
  | { id: number; kind: 'change'; session: string; changes: string; since: number; document?: string }
  | { id: number; kind: 'explain-open'; session: string; tensor: string; index: string }
  | { id: number; kind: 'close'; session: string };

interface Open {
  module: Engine;
  handle: number;
  /** The files of weights that its document names. */
  weights: readonly string[];
}

/** Has an instance of the engine do something; a new one, where the last one had to be given up. */
type Call = <Answer>(work: (module: Engine) => Answer) => Promise<Answer>;

// Milliseconds of computing between two looks at what else was asked.
const SLICE = 50;
const NONE = new Float64Array();

const refusal = (text: string): string | undefined => {
  const { error } = JSON.parse(text) as { error?: object };
  return error && JSON.stringify({ ok: false, error });
};
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class OpenSessions {
  private readonly open = new Map<string, Open>();

  constructor(private readonly told: (id: number, share: number) => void) {}

  /** The files of weights that the open documents name. */
  get weights(): Set<string> {
    return new Set([...this.open.values()].flatMap(({ weights }) => weights));
  }

  async answer(request: SessionRequest, call: Call): Promise<Reply> {
    const { id, session } = request;
    if (request.kind === 'open' || request.kind === 'change') return this.compute(request, call);
    return call((module) => {
      const there = this.there(session, module);
      if (request.kind === 'explain-open') return there === undefined ? { id, text: '{}', lost: true }
        : { id, text: module.explainOpen(there, request.tensor, request.index) };
      this.open.delete(session);
      return { id, text: there === undefined ? '{}' : module.close(there) };
    });
  }

  private there(session: string, module: Engine): number | undefined {
    const open = this.open.get(session);
    return open?.module === module ? open.handle : undefined;
  }

  // In slices, between which the worker answers what else it is asked.
  private async compute(request: SessionRequest & { kind: 'open' | 'change' }, call: Call): Promise<Reply> {
    const { id } = request;
    let reply = await call((module) => this.take(request, module) ?? this.read(request, module));
    while (typeof reply === 'number') {
      this.told(id, reply);
      await pause();
      reply = await call((module) => this.read(request, module));
    }
    return reply;
  }

  // What was asked becomes the open document; an answer where it does not.
  private take(request: SessionRequest & { kind: 'open' | 'change' }, module: Engine): Reply | undefined {
    const { id, session } = request;
    const there = this.there(session, module);
    if (request.kind === 'change') {
      if (there === undefined) return { id, text: '{}', lost: true };
      const refused = refusal(module.change(there, request.changes, '[]', NONE));
      if (refused !== undefined) return { id, text: refused };
      if (request.document !== undefined) this.open.get(session)!.weights = weightsOf(request.document);
      return undefined;
    }
    const text = module.open(request.document);
    const refused = refusal(text);
    if (refused !== undefined) return { id, text: refused };
    if (there !== undefined) module.close(there);
    this.open.set(session, { module, handle: (JSON.parse(text) as { handle: number }).handle,
      weights: weightsOf(request.document) });
    return undefined;
  }

  // The answer, or how much of it is computed.
  private read(request: SessionRequest & { kind: 'open' | 'change' }, module: Engine): Reply | number {
    const { id, session } = request;
    const there = this.there(session, module);
    if (there === undefined) return { id, text: '{}', lost: true };
    const text = module.step(there, SLICE);
    const refused = refusal(text);
    if (refused !== undefined) return { id, text: refused, taken: true };
    const { share } = JSON.parse(text) as { share: number };
    if (share < 1) return share;
    const { directory, data } = module.readSince(there, request.kind === 'open' ? 0 : request.since);
    return { id, text: directory, data, taken: true };
  }
}
