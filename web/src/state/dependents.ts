// SPDX-License-Identifier: Apache-2.0
import { effect, untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import type { Result } from '../engine/result.ts';
import type { Explanation, Feed, Target } from '../engine/types.ts';
import type { Explanations } from './explanations.ts';
import type { Selection } from './selection.ts';
import type { Sessions } from './sessions.ts';
import { tracing } from './tracing.ts';

/** What the locked cell feeds, asked for in a lane of its own so that explanations never wait. */
export class Onward {
  @cell feeds: readonly Feed[] = [];
  private target: Target | undefined;
  private turn = 0;

  constructor(
    private readonly sessions: Sessions,
    selection: Selection,
    explanations: Explanations,
  ) {
    effect(() => {
      if (explanations.depth > 0) untracked(() => void this.about(selection.lock, sessions.result));
    });
  }

  private async about(target: Target | undefined, result: Result | undefined): Promise<void> {
    const turn = ++this.turn;
    const same = JSON.stringify(target) === JSON.stringify(this.target);
    this.target = target;
    if (!same) this.feeds = [];
    if (!target || !result) return;
    const document = result.text;
    const part = await tracing.wanted();
    if (!part) return;
    const asked = new Map<string, Promise<Explanation | undefined>>();
    const ask = async (tensor: string, index: number[]): Promise<Explanation | undefined> => {
      if (turn !== this.turn) return undefined;
      const reply = await this.sessions.client.send({ kind: 'trace', document, tensor, index: JSON.stringify(index) });
      const answer = reply && (JSON.parse(reply.text) as Partial<Explanation>);
      const { feeds: all } = answer ?? {};
      return all ? { ...answer as Explanation, feeds: part.apart(result, { tensor, index, feeds: all }) } : undefined;
    };
    const once = (tensor: string, index: number[]) => {
      const key = `${tensor} ${index.join()}`;
      const before = asked.get(key) ?? ask(tensor, index);
      asked.set(key, before);
      return before;
    };
    const feeds = await part.onward(result, target, once);
    if (turn !== this.turn) return;
    this.feeds = feeds;
  }
}
