// SPDX-License-Identifier: Apache-2.0
// Two workers that train one model, seen from the first: it leads, and takes every step alone where the other is not
// there. Its numbers are the same bit for bit in both cases, because the document states the shares of a batch.
import type { Line, OpenLine } from '../engine/line.ts';
import { FasterWay, type Way } from './faster-way.ts';
import { Meeting, numbersFor, roomOf, type SharesOf } from './meeting.ts';
import type { Begun, Trainer } from './messages.ts';
import type { ShareNews, ShareOrder } from './share-worker.ts';

/** A worker that does not come within so many milliseconds is given up; recording a large model may take a second. */
const PATIENCE = 4000;

interface Opened {
  begun: Begun;
  shares: SharesOf;
  document: string;
  wasmUrl: string;
}

export class Team {
  private line: Line<ShareOrder> | undefined;
  private opened = false;
  private over = false;
  private meeting: Meeting | undefined;
  private joined: ((now: boolean) => void) | undefined;
  private numbers: SharedArrayBuffer | undefined;
  private readonly ways = new FasterWay(() => performance.now());

  constructor(private readonly engine: Trainer, private readonly open: OpenLine<ShareOrder, ShareNews>,
    private readonly of: Opened) {}

  get way(): Way {
    return this.meeting ? 'together' : 'alone';
  }

  /** Before steps at full speed: starts the other worker, and has it join or leave as is faster. */
  async prepare(): Promise<void> {
    if (this.over) return;
    if (!this.line) {
      this.line = this.open((news) => this.hear(news), () => this.end());
      const { document, wasmUrl } = this.of;
      this.line.send({ kind: 'open', document, wasmUrl });
    }
    if (!this.opened) return;
    if (this.ways.next() === 'alone') return this.leave();
    if (!this.meeting) await this.join();
  }

  /** Takes steps as `trainStep` does: together where the other has joined. */
  step(count: number, milliseconds: number): ReturnType<Trainer['trainStep']> {
    const { engine, meeting, way, of: { begun: { session } } } = this;
    const start = performance.now();
    const answer = meeting ? engine.trainStepTogether(session, count, milliseconds, 0, 2, meeting.meet)
      : engine.trainStep(session, count, milliseconds);
    const { taken, failure } = JSON.parse(answer.directory) as { taken?: number; failure?: string };
    // Where it went back after a failure, the other did so on its own.
    if (failure !== undefined || taken === undefined) this.leave();
    else if (meeting?.left) this.end();
    else if (taken > 0) this.ways.took(way, (performance.now() - start) / taken);
    return answer;
  }

  /** The weights or the position in the data change: the other one has to join again. */
  leave(): void {
    this.meeting?.leave();
    this.meeting = undefined;
  }

  close(): void {
    this.end();
  }

  private async join(): Promise<void> {
    const { engine, of: { begun: { session }, shares } } = this;
    const room = roomOf(shares, this.numbers ??= numbersFor(shares));
    const meeting = new Meeting(room, 0, PATIENCE);
    const answered = new Promise<boolean>((done) => {
      this.joined = done;
      setTimeout(() => done(false), PATIENCE);
    });
    const { data } = engine.trainSave(session, 'checkpoint');
    this.line!.send({ kind: 'join', checkpoint: data, room }, [data.buffer as ArrayBuffer]);
    this.meeting = meeting;
    if (await answered) return;
    this.end();
  }

  private hear(news: ShareNews): void {
    if (news.kind === 'opened') this.opened = true;
    else this.joined?.(true);
  }

  private end(): void {
    this.leave();
    this.over = true;
    this.line?.close();
    this.line = undefined;
    this.joined?.(false);
  }
}
