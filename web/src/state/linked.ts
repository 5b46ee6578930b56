// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import { onward } from '../engine/onward.ts';
import type { Result } from '../engine/result.ts';
import type { Explanation, Feed, Target } from '../engine/types.ts';

/** What the locked cell feeds, asked for in a lane of its own so that explanations never wait. */
export class Onward {
  target: Target | undefined;
  feeds: Feed[] = [];
  private turn = 0;

  constructor(
    private readonly client: Client,
    private readonly changed: () => void,
  ) {}

  async about(target: Target | undefined, result: Result | undefined): Promise<void> {
    const turn = ++this.turn;
    const same = JSON.stringify(target) === JSON.stringify(this.target);
    this.target = target;
    if (!same) this.feeds = [];
    if (!target || !result) return;
    const document = JSON.stringify(result.directory.document);
    const asked = new Map<string, Promise<Explanation | undefined>>();
    const ask = async (tensor: string, index: number[]): Promise<Explanation | undefined> => {
      if (turn !== this.turn) return undefined;
      const reply = await this.client.send({ kind: 'trace', document, tensor, index: JSON.stringify(index) });
      const answer = reply && JSON.parse(reply.text);
      return answer?.feeds ? answer : undefined;
    };
    const once = (tensor: string, index: number[]) => {
      const key = `${tensor} ${index.join()}`;
      const before = asked.get(key) ?? ask(tensor, index);
      asked.set(key, before);
      return before;
    };
    const feeds = await onward(result, target, once);
    if (turn !== this.turn) return;
    this.feeds = feeds;
    this.changed();
  }
}
