// SPDX-License-Identifier: Apache-2.0
import { batch, signal } from '@preact/signals-core';
import { cell, computedOnce } from '../state/cells.ts';
import type { Ended, Line, OpenLine } from '../engine/line.ts';
import { History } from './history.ts';
import type { Begun, EngineAt, News, Order, Problem, Step, TrainingDocument, Variant } from './messages.ts';
import { Moments } from './training-history.ts';
import { keep } from './kept.ts';
import { paceChosen } from './pace.ts';
import type { FittedMade } from '../files/weights-origin.ts';

/** Hears what comes over a line. */
interface Ear {
  heard: (news: News) => void;
  ended: (how: Ended) => void;
}

/** A training that was left, as long as it may be come back to. */
interface Before {
  line: Line<Order> | undefined;
  ear: Ear | undefined;
  history: History;
  now: number;
  document: string;
  begun: Begun | undefined;
  failure: string | undefined;
  /** What it said meanwhile: the last steps before its pause. */
  missed: News[];
  ended: Ended | undefined;
}

export type Phase = 'beginning' | 'ready' | 'playing' | 'finished' | 'refused';

export type Tried = Extract<News, { kind: 'tried' }>;

/** A training as the page sees it: what it is at and what can be done with it. */
export class Training extends Moments {
  /** The document that is being trained, as a text. */
  @cell document = '';
  @cell phase: Phase = 'beginning';
  @cell begun: Begun | undefined;
  @cell problem: Problem | undefined;
  /** Why it went back to its last good step: it stays there until its settings or its weights are others. */
  @cell failure: string | undefined;
  /** The step at which it stopped, because what it was to reach was reached; until it is played on. */
  @cell reached: number | undefined;
  /** What of the weights that it began with fitted it. */
  @cell fitted: FittedMade | undefined;
  /** How its worker ended, where it did: what it learned until its last checkpoint is kept. */
  @cell ended: Ended | undefined;
  private trying: { told: (one: Tried) => void; done: () => void } | undefined;
  private readonly paceNow = signal<number>(paceChosen());
  perSecond = 0;
  /** How many workers take its steps now. */
  workers = 1;
  /** Of a problem, the title of the document that was refused. */
  refusedTitle: unknown;
  /** When it began, in milliseconds since 1970. */
  begunAt = 0;
  private line: Line<Order> | undefined;
  private ear: Ear | undefined;
  private before: Before | undefined;
  private until: number | undefined;
  private waiting: ((bytes: Uint8Array | undefined) => void)[] = [];
  /** Another worker takes it up from its last checkpoint. */
  private waking = false;
  /** It gives its worker back as soon as it stands still. */
  private tires = false;

  constructor(
    private readonly open: OpenLine<Order, News>,
    private readonly wasmUrl: () => string,
    /** Whether a reload goes on with it. */
    private readonly keeps = true,
    soon?: (work: () => void) => void, private readonly engine?: () => EngineAt,
    private readonly helper?: () => string | undefined,
  ) {
    super(soon);
  }

  get pace(): number {
    return this.paceNow.value;
  }

  set pace(pace: number) {
    this.paceNow.value = pace;
    if (this.phase === 'playing') this.send({ kind: 'play', pace, until: this.until });
  }

  /** The same, read; nobody changes it. */
  @computedOnce get trained(): TrainingDocument {
    return JSON.parse(this.document) as TrainingDocument;
  }

  /**
   * Begins anew from the document's seed, or goes on from a checkpoint. Where that is refused, the training before it
   * stays.
   */
  begin(document: TrainingDocument, from?: { checkpoint: Uint8Array; history: History }, weights?: Uint8Array): void {
    this.before = this.leave();
    this.connect();
    this.history = from?.history ?? new History();
    this.begunAt = Date.now();
    batch(() => {
      this.document = JSON.stringify(document);
      this.phase = 'beginning';
      this.problem = this.failure = this.begun = this.fitted = undefined;
      this.reached = this.ended = undefined;
      this.look(undefined);
      this.now = from?.history.checkpoints.at(-1)?.step ?? 0;
      this.changed();
    });
    this.send({ kind: 'begin', document: JSON.stringify(document), wasmUrl: this.wasmUrl(),
      checkpoint: from?.checkpoint, weights, engine: this.engine?.(),
      helper: this.helper?.() });
  }

  private connect(): void {
    const ear: Ear = { heard: (news) => this.hear(news), ended: (how) => this.end(how) };
    this.ear = ear;
    this.line = this.open((news) => ear.heard(news), (how) => ear.ended(how));
  }

  // Whoever asked for something hears that it does not come.
  private giveUp(): void {
    const { waiting, trying } = this;
    this.waiting = [];
    this.trying = undefined;
    trying?.done();
    for (const done of waiting) done(undefined);
  }

  // What was being trained waits until it is known that the next can be.
  private leave(): Before | undefined {
    this.giveUp();
    this.waking = this.tires = false;
    if (!this.begun || this.phase === 'refused') {
      this.line?.close();
      return this.before;
    }
    this.send({ kind: 'pause' });
    const { line, ear, history, now } = this;
    const before: Before = { line, ear, history, now, document: this.document, begun: this.begun,
      failure: this.failure, missed: [], ended: this.ended };
    if (ear) {
      ear.heard = (news) => void before.missed.push(news);
      ear.ended = (how) => {
        before.ended = how;
        before.line = undefined;
      };
    }
    return before;
  }

  // The next cannot be trained: the one before it is back, with all that it said meanwhile.
  private comeBack(): void {
    this.giveUp();
    this.line?.close();
    const { before } = this;
    this.before = undefined;
    this.line = before?.line;
    this.ear = before?.ear;
    if (!before) return void (this.phase = 'refused');
    const { history, now, document, begun, failure } = before;
    Object.assign(this, { history, now, document, begun, failure });
    this.phase = this.now >= (before.begun?.steps ?? 0) ? 'finished' : 'ready';
    if (before.ear) Object.assign(before.ear, { heard: (news: News) => this.hear(news),
      ended: (how: Ended) => this.end(how) });
    for (const news of before.missed) this.hear(news);
    if (before.ended) this.end(before.ended);
  }

  // A training without a worker gets one, which takes it up from its last checkpoint.
  private wake(): void {
    if (this.line || !this.begun) return;
    this.waking = true;
    this.connect();
    this.send({ kind: 'begin', document: this.document, wasmUrl: this.wasmUrl(),
      checkpoint: this.history.checkpoints.at(-1)?.bytes.slice(), engine: this.engine?.(),
      helper: this.helper?.() });
  }

  /** Gives its worker back as soon as it stands still: what it learned stays, and whoever plays on gets another. */
  rest(): void {
    this.tires = true;
    if (this.phase === 'playing') this.pause();
    else if (this.phase !== 'beginning') void this.sleep();
  }

  private async sleep(): Promise<void> {
    const { line } = this;
    if (line && this.begun && this.history.checkpoints.at(-1)?.step !== this.now) {
      const bytes = await this.save(false);
      if (bytes && line === this.line) this.history.add({ checkpoints: [{ step: this.now, bytes }] });
    }
    if (line !== this.line || !this.tires || this.phase === 'playing') return;
    this.giveUp();
    line?.close();
    this.line = undefined;
    this.waking = this.tires = false;
  }

  /** Up to a step, where it is given; `pace` is for this once. */
  play(until?: number, pace = this.pace): void {
    if (this.phase !== 'ready' || this.failure !== undefined) return;
    this.tires = false;
    this.wake();
    this.phase = 'playing';
    this.forgive();
    this.reached = undefined;
    this.until = until;
    this.look(undefined);
    this.send({ kind: 'play', pace, until });
  }

  /** What was said of a document that could not be trained is no longer of interest. */
  forgive(): void {
    this.problem = this.ended = undefined;
  }

  pause(): void {
    this.send({ kind: 'pause' });
  }

  stepOnce(): void {
    if (this.phase !== 'ready' || this.failure !== undefined) return;
    this.wake();
    this.forgive();
    this.send({ kind: 'step' });
  }

  /** Goes on from the checkpoint before the step that is looked at. */
  goOnFromHere(): void {
    const checkpoint = History.at(this.history.checkpoints, this.looksAt);
    if (!checkpoint) return;
    this.history.cut(checkpoint.step);
    batch(() => {
      this.now = checkpoint.step;
      this.failure = this.reached = undefined;
      this.look(undefined);
      this.phase = this.line ? 'beginning' : 'ready';
      this.changed();
    });
    this.send({ kind: 'restore', checkpoint: checkpoint.bytes.slice() });
  }

  /**
   * The bytes of a checkpoint, or of the weights alone. Nothing comes where the training was left meanwhile, or where
   * its worker ended or refused, which it says itself.
   */
  save(weightsOnly: boolean): Promise<Uint8Array | undefined> {
    const last = this.history.checkpoints.at(-1);
    if (!this.line && !weightsOnly && last?.step === this.now) return Promise.resolve(last.bytes.slice());
    this.wake();
    if (!this.line) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.send({ kind: 'save', weightsOnly });
    });
  }

  /** Measures the model with something else in one place, one variant after another, as far as its worker comes. */
  tryOut(variants: Variant[], told: (one: Tried) => void, whole = false): Promise<void> {
    this.wake();
    this.trying?.done();
    if (!this.line || variants.length === 0) return Promise.resolve();
    return new Promise((done) => {
      this.trying = { told, done };
      this.send({ kind: 'try', variants, ...(whole ? { whole } : {}) });
    });
  }

  close(): void {
    this.giveUp();
    for (const line of [this.line, this.before?.line]) line?.close();
    this.line = this.ear = this.before = undefined;
    // Whoever waits for its next word waits in vain.
    this.phase = 'refused';
  }

  // Its worker is gone: it goes on from its last checkpoint, if there is one.
  private end(how: Ended): void {
    batch(() => {
      this.line = this.ear = undefined;
      this.waking = this.tires = false;
      if (!this.begun) this.comeBack();
      else {
        this.giveUp();
        const last = this.history.checkpoints.at(-1);
        this.look(undefined);
        if (last) this.now = last.step;
        if (last) this.history.cut(last.step);
        this.phase = !last ? 'refused' : this.now >= this.begun.steps ? 'finished' : 'ready';
      }
      this.ended = how;
      this.changed();
    });
  }

  private refuse({ by, problem }: Extract<News, { kind: 'refused' }>): void {
    this.refusedTitle = this.trained.title;
    if (by === 'begin' && !this.waking) this.comeBack();
    else if (by === 'save') this.waiting.shift()?.(undefined);
    else if (by === 'try') this.trying?.done();
    else {
      this.line?.close();
      this.line = undefined;
      this.giveUp();
      this.phase = 'refused';
    }
    this.problem = problem;
  }

  // What came after the good step is no history of it.
  private fail(why: string, steps: Step[]): void {
    this.failure = why;
    this.history.add({ steps });
    this.history.cut(this.now);
  }

  // A document without an example to watch has the engine's.
  private fill({ document }: Begun): void {
    const { trained } = this;
    if (Object.keys(trained.inputs ?? {}).length > 0 || !document) return;
    this.document = JSON.stringify({ ...trained, inputs: document.inputs });
  }

  private send(order: Order): void {
    this.line?.send(order);
  }

  private hear(news: News): void {
    batch(() => {
      switch (news.kind) {
        case 'begun':
          if (this.waking) return void (this.begun = news.begun);
          this.before?.line?.close();
          this.before = undefined;
          this.fitted = news.fitted;
          this.fill(news.begun);
          if (this.keeps) keep(this.trained);
          this.begun = news.begun;
          this.now = news.begun.step;
          this.phase = news.begun.step >= news.begun.steps ? 'finished' : 'ready';
          break;
        case 'progress':
          // It was sent before the training went back: what it tells is history no more.
          if (this.phase === 'beginning') return;
          // Whoever took it up says first where it stands, which is known.
          if (this.waking) return void (this.waking = false);
          this.now = news.at;
          this.perSecond = news.perSecond;
          this.workers = news.workers ?? 1;
          if (news.reached) this.reached = news.at;
          if (news.failure === undefined) this.history.add(news);
          else this.fail(news.failure, news.steps);
          if (this.keeps) {
            const checkpoint = news.checkpoints.at(-1);
            if (checkpoint) keep(undefined, { checkpoint, history: this.history });
          }
          if (this.tires && this.phase === 'ready') void this.sleep();
          if (news.failure === undefined && news.measured.length === 0) return this.showSoon();
          break;
        case 'stopped':
          this.phase = news.finished ? 'finished' : 'ready';
          if (this.tires) void this.sleep();
          break;
        case 'tried':
          this.trying?.told(news);
          if (news.last) this.trying?.done();
          break;
        case 'saved':
          this.waiting.shift()?.(news.bytes);
          break;
        case 'refused':
          this.refuse(news);
          break;
        // Workers of their own measure and write modules: train/measure-runs.ts and take/module.ts hear them.
        case 'judging':
        case 'judged':
        case 'module':
        case 'fits':
          break;
      }
      this.changed();
    });
  }
}
