// SPDX-License-Identifier: Apache-2.0
import { batch, computed, signal } from '@preact/signals-core';
import { History } from './history.ts';
import type { Begun, News, Order, Problem, Step, TrainingDocument, Variant } from './messages.ts';
import { Moments } from './moments.ts';
import { keep } from './kept.ts';
import type { Fitted } from '../files/weights.ts';

export interface TrainerPort {
  postMessage(order: Order): void;
  onmessage: ((event: MessageEvent<News>) => void) | null;
  terminate(): void;
}

export type Phase = 'beginning' | 'ready' | 'playing' | 'finished' | 'refused';

/** Steps a second while one watches; 0 is as fast as it goes. */
export const PACES = [10, 40, 120, 0] as const;

export type Tried = Extract<News, { kind: 'tried' }>;

/** A training that was left, as long as it may be come back to. */
interface Before {
  port: TrainerPort;
  history: History;
  now: number;
  document: string;
  begun: Begun | undefined;
  failure: string | undefined;
  /** What it said meanwhile: the last steps before its pause. */
  missed: News[];
}

/** A training as the page sees it: what it is at and what can be done with it. */
export class Training extends Moments {
  private readonly documentNow = signal('');
  private readonly phaseNow = signal<Phase>('beginning');
  private readonly begunNow = signal<Begun | undefined>(undefined);
  private readonly problemNow = signal<Problem | undefined>(undefined);
  private readonly failureNow = signal<string | undefined>(undefined);
  private readonly reachedNow = signal<number | undefined>(undefined);
  private readonly fittedNow = signal<Fitted | undefined>(undefined);
  private trying: { told: (one: Tried) => void; done: () => void } | undefined;
  private readonly trainedNow = computed(() => JSON.parse(this.documentNow.value) as TrainingDocument);
  private readonly paceNow = signal<number>(120);
  perSecond = 0;
  /** When it began, in milliseconds since 1970. */
  begunAt = 0;
  private port: TrainerPort | undefined;
  private before: Before | undefined;
  private until: number | undefined;
  private waiting: ((bytes: Uint8Array) => void)[] = [];

  constructor(
    private readonly open: () => TrainerPort,
    private readonly wasmUrl: () => string,
    /** Whether a reload goes on with it. */
    private readonly keeps = true,
    soon?: (work: () => void) => void,
  ) {
    super(soon);
  }

  get phase(): Phase {
    return this.phaseNow.value;
  }

  get begun(): Begun | undefined {
    return this.begunNow.value;
  }

  get problem(): Problem | undefined {
    return this.problemNow.value;
  }

  /** Why it went back to its last good step: it stays there until its settings or its weights are others. */
  get failure(): string | undefined {
    return this.failureNow.value;
  }

  /** The step at which it stopped, because what it was to reach was reached; until it is played on. */
  get reached(): number | undefined {
    return this.reachedNow.value;
  }

  /** What of the weights that it began with fitted it. */
  get fitted(): Fitted | undefined {
    return this.fittedNow.value;
  }

  get pace(): number {
    return this.paceNow.value;
  }

  set pace(pace: number) {
    this.paceNow.value = pace;
    if (this.phase === 'playing') this.send({ kind: 'play', pace, until: this.until });
  }

  /** The document that is being trained, as a text. */
  get document(): string {
    return this.documentNow.value;
  }

  /** The same, read; nobody changes it. */
  get trained(): TrainingDocument {
    return this.trainedNow.value;
  }

  /**
   * Begins anew from the document's seed, or goes on from a checkpoint. Where that is refused, the training before it
   * stays.
   */
  begin(document: TrainingDocument, from?: { checkpoint: Uint8Array; history: History }, weights?: Uint8Array): void {
    this.before = this.leave();
    const port = (this.port = this.started());
    if (!port) return;
    port.onmessage = ({ data }) => this.hear(data);
    this.history = from?.history ?? new History();
    this.begunAt = Date.now();
    batch(() => {
      this.documentNow.value = JSON.stringify(document);
      this.phaseNow.value = 'beginning';
      this.problemNow.value = this.failureNow.value = this.begunNow.value = this.fittedNow.value = undefined;
      this.reachedNow.value = undefined;
      this.look(undefined);
      this.now = from?.history.checkpoints.at(-1)?.step ?? 0;
      this.changed();
    });
    this.send({ kind: 'begin', document: JSON.stringify(document), wasmUrl: this.wasmUrl(),
      checkpoint: from?.checkpoint, weights });
  }

  // In a frame without an origin there can be no worker, and a training would stop the page.
  private started(): TrainerPort | undefined {
    try {
      return this.open();
    } catch (problem) {
      this.stop({ path: '', message: problem instanceof Error ? problem.message : String(problem) });
      return undefined;
    }
  }

  // What was being trained waits until it is known that the next can be.
  private leave(): Before | undefined {
    // Nobody answers any more what it was asked.
    this.waiting = [];
    this.trying?.done();
    this.trying = undefined;
    if (!this.port || this.phase === 'beginning' || this.phase === 'refused') {
      this.port?.terminate();
      return this.before;
    }
    this.send({ kind: 'pause' });
    const { port, history, now } = this;
    const missed: News[] = [];
    port.onmessage = ({ data }) => void missed.push(data);
    return { port, history, now, document: this.document, begun: this.begun, failure: this.failure, missed };
  }

  private comeBack(problem: Problem): void {
    this.problemNow.value = problem;
    const { before } = this;
    this.before = undefined;
    if (!before) return void (this.phaseNow.value = 'refused');
    this.port?.terminate();
    this.port = before.port;
    this.port.onmessage = ({ data }) => this.hear(data);
    this.history = before.history;
    this.now = before.now;
    this.documentNow.value = before.document;
    this.begunNow.value = before.begun;
    this.failureNow.value = before.failure;
    this.phaseNow.value = this.now >= (before.begun?.steps ?? 0) ? 'finished' : 'ready';
    for (const news of before.missed) this.hear(news);
  }

  /** Up to a step, where it is given; `pace` is for this once. */
  play(until?: number, pace = this.pace): void {
    if (this.phase !== 'ready' || this.failure !== undefined) return;
    this.phaseNow.value = 'playing';
    this.reachedNow.value = undefined;
    this.until = until;
    this.look(undefined);
    this.send({ kind: 'play', pace, until });
  }

  pause(): void {
    this.send({ kind: 'pause' });
  }

  stepOnce(): void {
    if (this.phase === 'ready' && this.failure === undefined) this.send({ kind: 'step' });
  }

  /** Goes on from the checkpoint before the step that is looked at. */
  goOnFromHere(): void {
    const checkpoint = History.at(this.history.checkpoints, this.looksAt);
    if (!checkpoint) return;
    this.history.cut(checkpoint.step);
    batch(() => {
      this.now = checkpoint.step;
      this.failureNow.value = this.reachedNow.value = undefined;
      this.look(undefined);
      this.phaseNow.value = 'beginning';
      this.changed();
    });
    this.send({ kind: 'restore', checkpoint: checkpoint.bytes.slice() });
  }

  /** The bytes of a checkpoint, or of the weights alone. */
  save(weightsOnly: boolean): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.send({ kind: 'save', weightsOnly });
    });
  }

  /** Measures the model with something else in one place, one variant after another. */
  tryOut(variants: Variant[], told: (one: Tried) => void): Promise<void> {
    return new Promise((done) => {
      this.trying = { told, done };
      this.send({ kind: 'try', variants });
    });
  }

  close(): void {
    for (const port of [this.port, this.before?.port]) port?.terminate();
    this.port = this.before = undefined;
  }

  private stop(problem: Problem): void {
    this.problemNow.value = problem;
    this.phaseNow.value = 'refused';
  }

  // What came after the good step is no history of it.
  private fail(why: string, steps: Step[]): void {
    this.failureNow.value = why;
    this.history.add({ steps });
    this.history.cut(this.now);
  }

  // A document without an example to watch has the engine's.
  private fill({ document }: Begun): void {
    const { trained } = this;
    if (Object.keys(trained.inputs ?? {}).length > 0 || !document) return;
    this.documentNow.value = JSON.stringify({ ...trained, inputs: document.inputs });
  }

  private send(order: Order): void {
    this.port?.postMessage(order);
  }

  private hear(news: News): void {
    batch(() => {
      switch (news.kind) {
        case 'begun':
          this.before?.port.terminate();
          this.before = undefined;
          this.fittedNow.value = news.fitted;
          this.fill(news.begun);
          if (this.keeps) keep(this.trained);
          this.begunNow.value = news.begun;
          this.now = news.begun.step;
          this.phaseNow.value = news.begun.step >= news.begun.steps ? 'finished' : 'ready';
          break;
        case 'progress':
          // It was sent before the training went back: what it tells is history no more.
          if (this.phase === 'beginning') return;
          this.now = news.at;
          this.perSecond = news.perSecond;
          if (news.reached) this.reachedNow.value = news.at;
          if (news.failure === undefined) this.history.add(news);
          else this.fail(news.failure, news.steps);
          if (this.keeps) {
            const checkpoint = news.checkpoints.at(-1);
            if (checkpoint) keep(undefined, { checkpoint, history: this.history });
          }
          if (news.failure === undefined && news.measured.length === 0) return this.showSoon();
          break;
        case 'stopped':
          this.phaseNow.value = news.finished ? 'finished' : 'ready';
          break;
        case 'tried':
          this.trying?.told(news);
          if (news.last) this.trying?.done();
          break;
        case 'saved':
          this.waiting.shift()?.(news.bytes);
          break;
        case 'refused':
          if (this.phase === 'beginning') this.comeBack(news.problem);
          else this.stop(news.problem);
          break;
        // A worker of its own measures, and train/judge.ts hears it.
        case 'judging':
        case 'judged':
          break;
      }
      this.changed();
    });
  }
}
