// SPDX-License-Identifier: Apache-2.0
// A file on its way from the worker that makes it to one that computes with it, part by part in order.
import { release, type FilePart } from './slices.ts';

/** Part of a file of `size` bytes. */
export type PassedPart = FilePart & { size: number };

// What is on its way takes memory until it is taken.
const UNDER_WAY = 4;
// Milliseconds after which a receiver that is busy with something else is sent no more.
const PATIENCE = 2000;

/** Hands over a file that is still being made. A receiver that refuses a part, or takes none for long, gets no more. */
export class PartSender {
  private at = 0;
  private under = 0;
  private over = false;
  private wake: () => void = () => undefined;

  constructor(private readonly port: MessagePort, private readonly size: number) {
    port.onmessage = ({ data: taken }: MessageEvent<boolean>) => {
      this.under--;
      this.over ||= !taken;
      this.wake();
    };
  }

  /** Gives these bytes away: they are empty afterwards. */
  async send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { at, size } = this;
    this.at += bytes.length;
    if (this.under >= UNDER_WAY) await this.taken();
    if (this.over) return;
    this.under++;
    this.port.postMessage({ at, size, bytes } satisfies PassedPart, [bytes.buffer]);
  }

  private async taken(): Promise<void> {
    const late = setTimeout(() => {
      this.over = true;
      this.wake();
    }, PATIENCE);
    while (!this.over && this.under >= UNDER_WAY) await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(late);
  }
}

/** Takes nothing of what a sender has. */
export function refuse(port: MessagePort): void {
  port.postMessage(false);
  port.close();
}

/** Takes a file in that a sender hands over; `take` throws where a part is refused. */
export class PartReceiver {
  /** Whether the file came whole, once that is known. */
  readonly whole: Promise<boolean>;
  /** No part of it is taken any more. */
  readonly end: (whole?: boolean) => void;
  private over = false;
  private heard = performance.now();
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly port: MessagePort, private readonly take: (part: PassedPart) => Promise<void>) {
    let settle: (whole: boolean) => void = () => undefined;
    this.whole = new Promise((resolve) => (settle = resolve));
    this.end = (whole = false) => {
      if (this.over) return;
      this.over = true;
      port.postMessage(whole);
      port.close();
      settle(whole);
    };
    port.onmessage = ({ data: part }: MessageEvent<PassedPart>) => {
      this.turn = this.turn.then(() => this.taken(part));
    };
  }

  /** Whether it comes whole, for whoever needs it now: a sender that has gone sends nothing for long. */
  async soon(): Promise<boolean> {
    const watch = setInterval(() => {
      if (performance.now() - this.heard > PATIENCE) this.end();
    }, PATIENCE / 4);
    return this.whole.finally(() => clearInterval(watch));
  }

  private async taken(part: PassedPart): Promise<void> {
    if (this.over) return;
    try {
      await this.take(part);
    } catch {
      return this.end();
    }
    this.heard = performance.now();
    const to = part.at + part.bytes.length;
    release(part.bytes);
    if (to === part.size) this.end(true);
    else this.port.postMessage(true);
  }
}
