// SPDX-License-Identifier: Apache-2.0
// In the worker: one measure after another, so that whoever waits sees each as it comes.
import type { Judged, News, Order, Picture, Problem, Trainer } from './messages.ts';

type Answer = { measures?: Judged[]; error?: Problem };

export async function judge(
  module: Trainer, session: number, { ids, examples }: Extract<Order, { kind: 'judge' }>, picture: Picture,
    tell: (news: News) => void, wait: (ms: number) => Promise<void>,
): Promise<void> {
  const ask = (request: object): Answer => JSON.parse(module.trainEvaluate(session, JSON.stringify(request))) as Answer;
  // Which measures read what such a model gives, the engine knows: of one example it says so at once.
  const chosen = ids ?? (ask({ examples: 1 }).measures ?? []).map(({ measure }) => measure);
  tell({ kind: 'judging', picture, count: chosen.length });
  for (const [k, id] of chosen.entries()) {
    await wait(0);
    const { measures, error } = ask({ examples, measures: [id] });
    const [found] = measures ?? [];
    tell({ kind: 'judged', id, ...(found ? { found } : {}), ...(error ? { problem: error } : {}),
      last: k === chosen.length - 1 });
  }
  module.trainClose(session);
}
