// SPDX-License-Identifier: Apache-2.0
// Many trainings in few workers: each worker has one engine, in which the trainings of its lane share the time.
import { type Ended, type Line, type LinePort, type OpenLine, WorkerLine } from '../engine/line.ts';
import type { News, Order, Shared } from './messages.ts';

interface User {
  heard: (news: News) => void;
  ended: (how: Ended) => void;
}

/** A worker with all who use it: it ends with the last of them. */
class Lane {
  private readonly users = new Map<number, User>();
  private line: WorkerLine<Shared<Order>, Shared<News>> | undefined;

  constructor(private readonly open: () => LinePort<Shared<Order>>) {}

  take(id: number, user: User): Line<Order> {
    this.line ??= new WorkerLine(this.open,
      ({ of, ...news }: Shared<News>) => this.users.get(of!)?.heard(news as News), (how) => this.end(how));
    this.users.set(id, user);
    const { line } = this;
    return { send: (order) => line.send({ ...order, of: id }), close: () => this.leave(id, line) };
  }

  private leave(id: number, line: WorkerLine<Shared<Order>, Shared<News>>): void {
    // One of a worker that is gone already has nothing to give back.
    if (line !== this.line || !this.users.delete(id)) return;
    if (this.users.size > 0) return line.send({ kind: 'close', of: id });
    line.close();
    this.line = undefined;
  }

  private end(how: Ended): void {
    const users = [...this.users.values()];
    this.users.clear();
    this.line = undefined;
    for (const { ended } of users) ended(how);
  }
}

export class Pool {
  private readonly lanes: readonly Lane[];
  private users = 0;

  /** At most so many workers, however many lines are opened. */
  constructor(open: () => LinePort<Shared<Order>>, most: number) {
    this.lanes = Array.from({ length: most }, () => new Lane(open));
  }

  get size(): number {
    return this.lanes.length;
  }

  /** Opens a line to the worker of a lane, together with all others of that lane. */
  lane(k: number): OpenLine<Order, News> {
    const lane = this.lanes[k % this.lanes.length]!;
    return (heard, ended) => lane.take(++this.users, { heard, ended });
  }
}
