// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from '@preact/signals-core';
import { History } from './history.ts';
import type { Begun, News, Order, Problem, TrainingDocument } from './messages.ts';
import { keep } from './kept.ts';

export interface TrainerPort {
  postMessage(order: Order): void;
  onmessage: ((event: MessageEvent<News>) => void) | null;
  terminate(): void;
}

export type Phase = 'beginning' | 'ready' | 'playing' | 'finished' | 'refused';

/** Steps a second while one watches; 0 is as fast as it goes. */
export const PACES = [10, 40, 0] as const;

/** A training as the page sees it: what it is at, what it showed, and which moment of it is looked at. */
export class Training {
  history = new History();
  private readonly phaseNow = signal<Phase>('beginning');
  private readonly begunNow = signal<Begun | undefined>(undefined);
  private readonly problemNow = signal<Problem | undefined>(undefined);
  private readonly seen = signal<number | undefined>(undefined);
  private readonly grown = signal(0);
  private readonly paceNow = signal<number>(40);
  private now = 0;
  perSecond = 0;
  private port: TrainerPort | undefined;
  private waitsFor: ((bytes: Uint8Array) => void) | undefined;

  constructor(
    private readonly open: () => TrainerPort,
    private readonly wasmUrl: () => string,
  ) {}

  get phase(): Phase {
    return this.phaseNow.value;
  }

  get begun(): Begun | undefined {
    return this.begunNow.value;
  }

  get problem(): Problem | undefined {
    return this.problemNow.value;
  }

  /** Grows whenever something new came; whoever draws the history reads it. */
  get news(): number {
    return this.grown.value;
  }

  /** The newest step. */
  get step(): number {
    void this.grown.value;
    return this.now;
  }

  /** The step that is looked at. */
  get looksAt(): number {
    return this.seen.value ?? this.step;
  }

  get looksBack(): boolean {
    return this.seen.value !== undefined;
  }

  get pace(): number {
    return this.paceNow.value;
  }

  set pace(pace: number) {
    this.paceNow.value = pace;
    if (this.phase === 'playing') this.send({ kind: 'play', pace });
  }

  /** Begins anew from the document's seed, or goes on from a checkpoint of it. */
  begin(document: TrainingDocument, from?: { checkpoint: Uint8Array; history: History }): void {
    this.port?.terminate();
    this.port = this.open();
    this.port.onmessage = ({ data }) => this.hear(data);
    this.history = from?.history ?? new History();
    batch(() => {
      this.phaseNow.value = 'beginning';
      this.problemNow.value = this.seen.value = this.begunNow.value = undefined;
      this.now = 0;
      this.grown.value++;
    });
    this.send({ kind: 'begin', document: JSON.stringify(document), wasmUrl: this.wasmUrl(), checkpoint: from?.checkpoint });
    keep(document);
  }

  play(): void {
    if (this.phase !== 'ready') return;
    this.phaseNow.value = 'playing';
    this.seen.value = undefined;
    this.send({ kind: 'play', pace: this.pace });
  }

  pause(): void {
    this.send({ kind: 'pause' });
  }

  stepOnce(): void {
    if (this.phase === 'ready') this.send({ kind: 'step' });
  }

  /** Looks at an earlier step; undefined is now. */
  look(step: number | undefined): void {
    this.seen.value = step === undefined || step >= this.now ? undefined : Math.max(0, Math.round(step));
  }

  /** Goes on from the checkpoint before the step that is looked at. */
  goOnFromHere(): void {
    const checkpoint = History.at(this.history.checkpoints, this.looksAt);
    if (!checkpoint) return;
    this.history.cut(checkpoint.step);
    batch(() => {
      this.now = checkpoint.step;
      this.seen.value = undefined;
      this.phaseNow.value = 'beginning';
      this.grown.value++;
    });
    this.send({ kind: 'restore', checkpoint: checkpoint.bytes.slice() });
  }

  /** The bytes of a checkpoint, or of the weights alone. */
  save(weightsOnly: boolean): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.waitsFor = resolve;
      this.send({ kind: 'save', weightsOnly });
    });
  }

  close(): void {
    this.port?.terminate();
    this.port = undefined;
  }

  private send(order: Order): void {
    this.port?.postMessage(order);
  }

  private hear(news: News): void {
    batch(() => {
      switch (news.kind) {
        case 'begun':
          this.begunNow.value = news.begun;
          this.now = news.begun.step;
          this.phaseNow.value = news.begun.step >= news.begun.steps ? 'finished' : 'ready';
          break;
        case 'progress':
          this.now = news.steps.at(-1)?.step ?? this.now;
          this.perSecond = news.perSecond;
          this.history.add(this.now, news);
          if (news.checkpoint) keep(undefined, { checkpoint: news.checkpoint, history: this.history });
          break;
        case 'stopped':
          this.phaseNow.value = news.finished ? 'finished' : 'ready';
          break;
        case 'saved':
          this.waitsFor?.(news.bytes);
          this.waitsFor = undefined;
          break;
        case 'refused':
          this.problemNow.value = news.problem;
          this.phaseNow.value = 'refused';
      }
      this.grown.value++;
    });
  }
}
