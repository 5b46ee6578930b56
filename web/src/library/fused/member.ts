// SPDX-License-Identifier: Apache-2.0
import { Carry } from './carry.ts';
import { open, type Method, type Port, type Reply } from './port.ts';
import type { PoolOptions } from './pool.ts';

/** One worker and what it has been asked. */
export class Member {
  private port: Port | undefined;
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  private next = 0;
  readonly carry = new Carry();
  dead = false;

  async start(options: PoolOptions): Promise<void> {
    this.port = await open(options, { reply: (reply) => this.settle(reply), failed: (problem) => this.end(problem) });
    const { wasmUrl, relaxedWasmUrl, build } = options;
    await this.ask('start', { wasmUrl, relaxedWasmUrl, build });
  }

  ask(method: Method | 'start', input: unknown, carry?: ArrayBuffer): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.dead) return reject(new Error('the worker has ended'));
      this.waiting.set(++this.next, { resolve, reject });
      this.port!.post({ id: this.next, method, input, carry }, carry ? [carry] : []);
    });
  }

  end(problem: Error): void {
    if (this.dead) return;
    this.dead = true;
    this.port?.end();
    for (const { reject } of this.waiting.values()) reject(problem);
    this.waiting.clear();
  }

  private settle({ id, value, problem, carry }: Reply): void {
    if (carry) this.carry.back(carry);
    const { resolve, reject } = this.waiting.get(id)!;
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.port!.rest();
    if (problem === undefined) resolve(value);
    else reject(new Error(problem));
  }
}
