// SPDX-License-Identifier: Apache-2.0
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Client } from './client.ts';
import { load } from './load.ts';

/** What an engine of its own is asked; `goesOn` is false once the work was stopped or began again. */
export type Work = (client: Client, goesOn: () => boolean) => Promise<void>;

// What is dragged rests so long before it is worked on.
const REST = 400;

/** An engine of an element's own, in a worker: the page goes on, and stopping ends the run that is under way. */
export class OwnEngine implements ReactiveController {
  private client: Client | undefined;
  private waits: ReturnType<typeof setTimeout> | undefined;
  private asked: readonly unknown[] | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  get runs(): boolean {
    return this.client !== undefined;
  }

  /** Begins the work when what it depends on is there, and again when that is something else. */
  of(asked: readonly unknown[], work: Work): void {
    const before = this.asked;
    if (before && asked.every((one, k) => one === before[k])) return;
    this.asked = asked;
    clearTimeout(this.waits);
    this.waits = setTimeout(() => void this.begin(work), before ? REST : 0);
  }

  /** Begins with a new engine, in the place of what is under way. */
  async begin(work: Work): Promise<void> {
    this.stop();
    const client = load();
    this.client = client;
    this.host.requestUpdate();
    await work(client, () => this.client === client);
    if (this.client === client) this.stop();
  }

  stop(): void {
    this.client?.close();
    this.client = undefined;
    this.host.requestUpdate();
  }

  /** An element that comes back begins again. */
  hostDisconnected(): void {
    clearTimeout(this.waits);
    this.asked = undefined;
    this.stop();
  }
}
