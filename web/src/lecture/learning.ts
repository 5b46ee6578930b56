// SPDX-License-Identifier: Apache-2.0
import { untracked } from '@preact/signals-core';
import { computedOnce } from '../state/cells.ts';
import { strings } from '../strings/en.ts';
import { percent } from '../train/curves.ts';
import { type Desk, deskOf } from '../train/train-state.ts';
import { History } from '../train/history.ts';
import { columnsOf, linksOn, rowNames, rowOf } from '../train/map-words.ts';
import { type Chosen, planeOf } from '../train/maps.ts';
import { marksOf } from '../train/marks.ts';
import type { Picture } from '../train/messages.ts';
import { words as training } from '../train/words.ts';
import type { Store } from '../state/store.ts';
import { carry, type Carried } from './carried.ts';
import type { Course, Moment } from './course.ts';
import { momentOf } from './trained.ts';
import { nameStep, stepsOf } from './memory.ts';
import { type Milestone, milestones, type Reason } from './milestones.ts';
import { type Common, commonOf, type Scene } from './scene.ts';
import { words } from './words.ts';

interface Stop extends Moment {
  step: number;
}

function said(reason: Reason, step: number): string {
  if (!('share' in reason)) return reason.kind === 'checkpoint' ? words().step(step) : words()[reason.kind];
  const share = percent(reason.share);
  return reason.kind === 'accuracy' ? words().rightWords(share) : words().aligned(share);
}

// Before and after say enough; what is right there stands below the name.
function nameOf({ step, reasons }: Milestone): string {
  const end = reasons.find(({ kind }) => kind === 'before' || kind === 'after');
  return (end ? [end] : reasons).map((reason) => said(reason, step)).join(strings.comma);
}

/** The pinned example of a training at one moment. */
export function pinned(picture: Picture, chosen: Chosen, notes: readonly string[], task?: string): Scene | undefined {
  const map = picture.maps[chosen.map];
  if (!map) return undefined;
  const names = rowNames(picture, chosen.map);
  const said = new Map(picture.truth.map((right, k) => [rowOf(picture, chosen.map, k),
    { text: picture.written[k] || '–', right: picture.written[k] === right }]));
  return {
    title: picture.maps.length > 1 ? map.name : training().weights, role: 'weight', notes, rows: names,
    columns: columnsOf(picture, chosen.map),
    cells: planeOf(picture, chosen), mask: undefined, kind: 'weights',
    shares: true, domain: [0, 1],
    written: names.map((_, row) => said.get(row) ?? { text: '', right: true }),
    links: linksOn(picture, chosen.map), marks: marksOf(task),
  };
}

/** A lecture on the training under way: before, when what was reached, checkpoints, after, and the reader's steps. */
export class Learning implements Course {
  private readonly desk: Desk;

  constructor(store: Store) {
    this.desk = deskOf(store);
  }

  private get training() {
    return this.desk.training;
  }

  @computedOnce get moments(): readonly Stop[] {
    const { training } = this;
    void training.turns;
    const { step: now } = training;
    const own = new Map(stepsOf(training.document).filter(({ step }) => step <= now)
      .map(({ step, name }) => [step, name]));
    const found = milestones(training.history, now);
    const all = [...found, ...[...own.keys()].filter((step) => !found.some((one) => one.step === step))
      .map((step): Milestone => ({ step, reasons: [] }))].toSorted((a, b) => a.step - b.step);
    return all.map((one) => {
      const name = own.get(one.step) ?? nameOf(one);
      const where = words().step(one.step);
      return { step: one.step, name, own: own.has(one.step), ...(name === where ? {} : { where }) };
    });
  }

  readonly proposed = false;
  readonly removesAll = false;
  readonly brought = undefined;
  readonly shown = undefined;

  get at(): number | undefined {
    const { looksAt } = this.training;
    const found = this.moments.findIndex(({ step }) => step === looksAt);
    return found < 0 ? undefined : found;
  }

  private notes(): string[] {
    const { training, desk } = this;
    const { measured, looksAt } = training;
    const heads = this.heads;
    return [words().ofSteps(looksAt, Math.max(training.begun?.steps ?? 0, training.step)),
      ...(heads < 2 ? [] : [desk.chosen.head === undefined ? words().allHeads
        : words().headOf(desk.chosen.head + 1, heads)]),
      ...(measured ? [words().rightWords(percent(measured.accuracy))] : []),
      ...(measured?.alignment === undefined ? [] : [words().aligned(percent(measured.alignment))])];
  }

  get scene(): Scene | undefined {
    const { picture } = this.training;
    return picture && pinned(picture, this.desk.chosen, this.notes(), this.training.begun?.task);
  }

  get problem(): string | undefined {
    const { picture } = this.training;
    if (!picture) return words().waiting;
    return picture.maps[this.desk.chosen.map] ? undefined : words().nothing;
  }

  get common(): Common {
    const { pictures } = this.training.history;
    const all = this.moments.flatMap(({ step }) => History.at(pictures, step) ?? []);
    const { picture } = this.training;
    return commonOf([...new Set([...all, ...(picture ? [picture] : [])])].flatMap((one) =>
      pinned(one, this.desk.chosen, []) ?? []));
  }

  get name(): string {
    const { at } = this;
    return at === undefined ? words().between(this.training.looksAt) : (this.moments[at]?.name ?? '');
  }

  get heads(): number {
    return this.training.picture?.maps[this.desk.chosen.map]?.shape[0] ?? 0;
  }

  get modules(): number {
    return this.training.picture?.maps.length ?? 0;
  }

  go(at: number): void {
    const all = untracked(() => this.moments);
    const stop = all[Math.min(Math.max(0, at), all.length - 1)];
    if (stop) this.training.look(stop.step);
  }

  step(by: number): void {
    const all = untracked(() => this.moments);
    const { at } = this;
    if (at !== undefined) return this.go(at + by);
    const { looksAt } = this.training;
    const next = all.findIndex(({ step }) => step > looksAt);
    this.go(by > 0 ? (next < 0 ? all.length - 1 : next) : (next < 0 ? all.length : next) - 1);
  }

  turnHead(by: number): void {
    const { desk, heads } = this;
    if (heads < 2) return;
    // The mean of all heads comes before the first one.
    const next = ((desk.chosen.head ?? -1) + 1 + by + heads + 1) % (heads + 1);
    desk.chosen = { ...desk.chosen, head: next === 0 ? undefined : next - 1 };
  }

  turnModule(): void {
    const { desk, modules } = this;
    if (modules > 1) desk.chosen = { map: (desk.chosen.map + 1) % modules, head: undefined };
  }

  add(): string {
    const { training, at } = this;
    const { looksAt } = training;
    const name = (at === undefined ? undefined : untracked(() => this.moments)[at]?.name) ?? words().step(looksAt);
    nameStep(training.document, looksAt, name);
    return name;
  }

  rename(at: number, name: string): void {
    const stop = untracked(() => this.moments)[at];
    if (stop) nameStep(this.training.document, stop.step, name);
  }

  remove(at: number): void {
    const stop = untracked(() => this.moments)[at];
    if (stop?.own) nameStep(this.training.document, stop.step, undefined);
  }

  /** As documents with the weights of their checkpoints: of other steps the training keeps no weights. */
  async carried(): Promise<Carried> {
    const { training, desk, at } = this;
    const document = training.begun?.document;
    const files = new Map<string, Uint8Array>();
    const now = await training.save(true);
    const moments = untracked(() => this.moments).flatMap(({ name, step }, k) => {
      const bytes = step === training.step ? now
        : training.history.checkpoints.find((one) => one.step === step)?.bytes;
      const moment = document && momentOf(document, step, name, bytes);
      if (moment?.file) files.set(...moment.file);
      return moment ? [{ k, name: moment.name, document: moment.document }] : [];
    });
    const map = training.picture?.maps[desk.chosen.map]?.name;
    const found = await carry({ at: Math.max(0, moments.findLastIndex(({ k }) => k <= (at ?? 0))),
      moments: moments.map(({ name, document: one }) => ({ name, document: one })),
      ...(map === undefined ? {} : { map }), ...(desk.chosen.head ? { head: desk.chosen.head } : {}) }, files);
    const left = untracked(() => this.moments).filter((_, k) => !moments.some((one) => one.k === k))
      .map(({ name }) => name);
    return { ...found, lacks: [...left, ...found.lacks] };
  }

  close(): void {
    // The training goes on, and the page shows the moment that was shown last.
  }
}
