// SPDX-License-Identifier: Apache-2.0
import type { Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import type { Arranged } from './modules.ts';
import { naming } from './names.ts';

export type Stage = keyof typeof strings.stageNames;

const STAGE_OF: Record<string, Stage> = {
  x: 'inputs', query: 'qkv', key: 'qkv', value: 'qkv', scores: 'scores', mask: 'mask',
  weights: 'weights', heads: 'context', context: 'context', output: 'output',
};
const ORDER = Object.keys(strings.stageNames) as Stage[];

/** The stage that a tensor belongs to. */
export function stageOf(tensor: Pick<Tensor, 'name' | 'group'>): Stage {
  return tensor.group === 'inputs' ? 'inputs' : (STAGE_OF[naming(tensor).base] ?? 'output');
}

/** The stages that this computation has, in order. */
export function stagesOf({ modules, others }: Arranged): Stage[] {
  const has = (test: (m: (typeof modules)[number]) => unknown): boolean => modules.some(test);
  const present: Record<Stage, boolean> = {
    inputs: true,
    qkv: has((m) => m.query ?? m.key ?? m.value),
    scores: has((m) => m.scores),
    mask: has((m) => m.mask),
    weights: has((m) => m.weights),
    context: has((m) => m.context),
    output: others.length > 0,
  };
  return ORDER.filter((stage) => present[stage]);
}

/** Whether the computation, stepped through, has come to this place of the picture. */
export function reached(store: Store, place: string): boolean {
  if (!store.sessions.result) return false;
  if (store.view.stage === undefined) return true;
  const stage = STAGE_OF[place] ?? 'output';
  return ORDER.indexOf(stage) <= ORDER.indexOf(store.view.stage as Stage);
}

/** The stage to underline: the one stepped to, or the one that the chosen cell belongs to. */
export function stageShown(store: Store): Stage | undefined {
  if (store.view.stage !== undefined) return store.view.stage as Stage;
  const target = store.selection.active;
  if (!target) return undefined;
  if (target.group === 'inputs') return 'inputs';
  if (target.group !== 'outputs') return undefined;
  return STAGE_OF[naming({ name: target.tensor, group: target.group }).base] ?? 'output';
}
