// SPDX-License-Identifier: Apache-2.0
import { load } from './index.ts';
import { ExperimentError, type Experiment, type LoadOptions, type Playground, type Session } from './types.ts';

interface Request {
  id: number;
  method: 'load' | 'session' | Exclude<keyof Playground, 'close'>;
  args: unknown[];
}

let playground: Playground | undefined;
const sessions: Session[] = [];

async function answer({ method, args }: Request): Promise<unknown> {
  if (method === 'load') {
    playground = await load(args[0] as LoadOptions);
    return true;
  }
  // A session stays here, and the page has its place in the list.
  if (method === 'open') return sessions.push(await playground!.open(args[0] as Experiment)) - 1;
  if (method === 'session') {
    const session = sessions[args[0] as number]!;
    const act = session[args[1] as keyof Session] as (...args: unknown[]) => Promise<unknown>;
    return act.apply(session, args.slice(2));
  }
  const call = playground![method] as (...args: unknown[]) => Promise<unknown>;
  return call.apply(playground, args);
}

self.onmessage = async ({ data: request }: MessageEvent<Request>) => {
  try {
    self.postMessage({ id: request.id, value: await answer(request) });
  } catch (problem) {
    const path = problem instanceof ExperimentError ? problem.path : undefined;
    self.postMessage({ id: request.id, path, message: problem instanceof Error ? problem.message : String(problem) });
  }
};
