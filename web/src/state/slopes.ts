// SPDX-License-Identifier: Apache-2.0
import { computed, effect, signal, untracked } from '@preact/signals-core';
import { cell } from './cells.ts';
import { compute } from '../engine/compute.ts';
import { rootOf } from '../directory/outcome.ts';
import { type Result, slopeName, type Tensor, valueAt } from '../engine/result.ts';
import type { Doc, Feed, Target } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Documents } from './documents.ts';
import type { Explanations } from './explanations.ts';
import type { Selection } from './selection.ts';
import type { Sessions } from './sessions.ts';

const LARGEST_QUESTION = 200_000;
const keyOf = (tensor: Pick<Tensor, 'group' | 'name'>): string => `${tensor.group} ${tensor.name}`;

/** Gradients: beside which matrices they are drawn, and those of the one cell that is locked. */
export class Slopes {
  /** Whether the card shows the slopes of its cell. */
  @cell open = false;
  private readonly shown = signal<ReadonlySet<string>>(new Set());
  private readonly answer = signal<{ target: string; result: Result } | undefined>(undefined);
  private readonly wanted = computed(() => isObject(this.documents.document['gradient']));
  private turn = 0;

  constructor(
    private readonly documents: Documents,
    private readonly sessions: Sessions,
    private readonly selection: Selection,
    explanations: Explanations,
  ) {
    effect(() => {
      if (explanations.depth > 0 && this.open)
        untracked(() => void this.about(selection.lock, sessions.result));
    });
  }

  setOpen(open: boolean): void {
    this.open = open;
  }

  /** The gradient to draw in place of a tensor, if its toggle is on. */
  instead(tensor: Tensor): Tensor | undefined {
    return this.shown.value.has(keyOf(tensor)) ? this.sessions.result?.slope(tensor) : undefined;
  }

  /** The tensors, by group and name, in whose place a gradient is drawn: they go into the link. */
  get drawn(): string[] {
    return this.wanted.value ? [...this.shown.value] : [];
  }

  restore(drawn: readonly string[]): void {
    this.shown.value = new Set(drawn);
  }

  /** What the gradients are gradients of. */
  get of(): string {
    const given = this.sessions.result?.directory.document['gradient'];
    const name = isObject(given) && typeof given['of'] === 'string' ? given['of'] : undefined;
    const { result } = this.sessions;
    return name ?? (result && rootOf(result)?.name) ?? '';
  }

  isOn(tensor: Pick<Tensor, 'group' | 'name'>): boolean {
    return this.shown.value.has(keyOf(tensor)) && this.wanted.value;
  }

  /** Whether a gradient that is shown is 0 everywhere: nothing goes on from that matrix itself. */
  get allZero(): boolean {
    const { result } = this.sessions;
    if (!this.wanted.value || !result) return false;
    return [...result.all('inputs'), ...result.all('outputs')].some((tensor) => this.shown.value.has(keyOf(tensor))
      && result.slope(tensor)?.data.every((slope) => slope === 0) === true);
  }

  /** Whether a gradient to this tensor can be asked for. */
  offers(tensor: Tensor): boolean {
    // What is 0 or 1 by its nature, such as a mask, has no slope to follow.
    if (tensor.kind === '0/1') return false;
    return tensor.group === 'inputs' || tensor.group === 'parameters'
      || (tensor.group === 'outputs' && tensor.name !== this.of);
  }

  /** The document says that gradients are wanted while any is shown. */
  toggle(tensor: Tensor): void {
    const shown = new Set(isObject(this.documents.document['gradient']) ? this.shown.value : []);
    if (!shown.delete(keyOf(tensor))) shown.add(keyOf(tensor));
    this.shown.value = shown;
    // Of several modules the engine has to be told which result; one alone has a context of its own.
    const named = Array.isArray(this.documents.document['model']) && this.of !== '';
    const of: { of: string } | Record<string, never> = named ? { of: this.of } : {};
    this.documents.change((draft) => {
      if (shown.size === 0) delete draft['gradient'];
      else draft['gradient'] = { ...of, ...(isObject(draft['gradient']) ? draft['gradient'] : {}), outputs: true };
    });
  }

  /** Asks how the locked cell depends on everything before it. */
  private async about(target: Target | undefined, result: Result | undefined): Promise<void> {
    const turn = ++this.turn;
    const tensor = target && result?.find(target.tensor, target.group);
    if (!target || target.group !== 'outputs' || !result || !tensor || tensor.row !== undefined
      || tensor.data.length > LARGEST_QUESTION) return;
    const data = new Array<number>(tensor.data.length).fill(0);
    data[tensor.shape.reduce((at, size, k) => at * size + (target.index[k] ?? 0), 0)] = 1;
    const document: Doc = structuredClone(result.directory.document);
    document['gradient'] = { of: target.tensor, cotangent: { shape: tensor.shape, data }, outputs: true };
    const answer = await compute(this.sessions.client, document, 'slopes');
    if (answer?.result && turn === this.turn)
      this.answer.value = { target: JSON.stringify(target), result: answer.result };
  }

  /** How the locked cell changes with each of these cells, where that has been computed. */
  along(feed: Feed): number[] | undefined {
    const answer = this.answer.value;
    if (answer?.target !== JSON.stringify(this.selection.lock)) return undefined;
    const slope = answer.result.find(slopeName({ group: feed.group, name: feed.tensor }), 'gradients');
    return slope && feed.cells.map((index) => valueAt(slope, index));
  }
}
