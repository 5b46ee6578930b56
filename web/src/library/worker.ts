// SPDX-License-Identifier: Apache-2.0
import { load } from './index.ts';
import { ExperimentError, type LoadOptions, type Playground } from './types.ts';

interface Request {
  id: number;
  method: 'load' | Exclude<keyof Playground, 'close'>;
  args: unknown[];
}

let playground: Playground | undefined;

async function answer({ method, args }: Request): Promise<unknown> {
  if (method === 'load') {
    playground = await load(args[0] as LoadOptions);
    return true;
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
