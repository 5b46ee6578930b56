// SPDX-License-Identifier: Apache-2.0
import { Result, slopeName, type Tensor, valueAt } from '../engine/result.ts';
import type { Doc, Feed, Target } from '../engine/types.ts';
import { isObject } from './catalogue.ts';
import type { Store } from './store.ts';

const LARGEST_QUESTION = 200_000;
const keyOf = (tensor: Pick<Tensor, 'group' | 'name'>): string => `${tensor.group} ${tensor.name}`;

const masks = new WeakMap<Float32Array, boolean>();

// Asked at every change of the page, answered once for the same numbers.
function isMask(data: Float32Array): boolean {
  let known = masks.get(data);
  if (known === undefined) masks.set(data, (known = data.every((x) => x === 0 || x === 1)));
  return known;
}

/** Gradients: beside which matrices they are drawn, and those of the one cell that is locked. */
export class Slopes {
  /** Whether the card shows the slopes of its cell. */
  open = false;
  private readonly shown = new Set<string>();
  private answer: { target: string; result: Result } | undefined;
  private turn = 0;

  constructor(private readonly store: Store) {}

  /** The gradient to draw in place of a tensor, if its toggle is on. */
  instead(tensor: Tensor): Tensor | undefined {
    return this.shown.has(keyOf(tensor)) ? this.store.result?.slope(tensor) : undefined;
  }

  /** What the gradients are gradients of. */
  get of(): string {
    const given = this.store.document['gradient'];
    const name = isObject(given) && typeof given['of'] === 'string' ? given['of'] : undefined;
    const outputs = this.store.result?.all('outputs') ?? [];
    return name ?? (outputs.find((t) => t.name === 'context') ?? outputs.find((t) => t.name === 'output'))?.name ?? 'context';
  }

  isOn(tensor: Pick<Tensor, 'group' | 'name'>): boolean {
    return this.shown.has(keyOf(tensor)) && isObject(this.store.document['gradient']);
  }

  /** Whether a gradient to this tensor can be asked for. */
  offers(tensor: Tensor): boolean {
    // A mask of 0 and 1 has no slope to follow.
    if (tensor.group === 'outputs' && isMask(tensor.data)) return false;
    return tensor.group === 'inputs' || tensor.group === 'parameters' || (tensor.group === 'outputs' && tensor.name !== this.of);
  }

  /** The document says that gradients are wanted while any is shown. */
  toggle(tensor: Tensor): void {
    const on = this.isOn(tensor);
    if (!isObject(this.store.document['gradient'])) this.shown.clear();
    if (on) this.shown.delete(keyOf(tensor));
    else this.shown.add(keyOf(tensor));
    this.store.change((draft) => {
      if (this.shown.size === 0) delete draft['gradient'];
      else draft['gradient'] = { ...(isObject(draft['gradient']) ? draft['gradient'] : {}), outputs: true };
    });
    this.store.tell();
  }

  setOpen(open: boolean): void {
    this.open = open;
    void this.about(this.store.lock, this.store.result);
    this.store.tell();
  }

  /** Asks how the locked cell depends on everything before it. */
  async about(target: Target | undefined, result: Result | undefined): Promise<void> {
    const turn = ++this.turn;
    const tensor = target && result?.find(target.tensor, target.group);
    if (!this.open || !target || target.group !== 'outputs' || !result || !tensor || tensor.row !== undefined || tensor.data.length > LARGEST_QUESTION) return;
    const data = new Array<number>(tensor.data.length).fill(0);
    data[tensor.shape.reduce((at, size, k) => at * size + (target.index[k] ?? 0), 0)] = 1;
    const document: Doc = structuredClone(result.directory.document);
    document['gradient'] = { of: target.tensor, cotangent: { shape: tensor.shape, data }, outputs: true };
    const reply = await this.store.client.send({ kind: 'slope', document: JSON.stringify(document) });
    if (!reply?.data || turn !== this.turn) return;
    const directory = JSON.parse(reply.text);
    if (!directory.ok) return;
    this.answer = { target: JSON.stringify(target), result: new Result(directory, reply.data) };
    this.store.tell();
  }

  /** How the locked cell changes with each of these cells, where that has been computed. */
  along(feed: Feed): number[] | undefined {
    if (this.answer?.target !== JSON.stringify(this.store.lock)) return undefined;
    const slope = this.answer.result.find(slopeName({ group: feed.group, name: feed.tensor }), 'gradients');
    return slope && feed.cells.map((index) => valueAt(slope, index));
  }
}
