// SPDX-License-Identifier: Apache-2.0
import type { LeftOut, Tensor } from '../engine/result.ts';
import type { TensorRole } from '../engine/types.ts';
import { derived } from '../state/derived.ts';
import type { Store } from '../state/store.ts';
import { type Arranged, tensorsOf } from '../directory/modules.ts';

/**
 * The stages of a computation in their order, each with the roles of the tensors that belong to it; the last has all
 * others.
 */
const STAGES = [
  { id: 'inputs', roles: ['input'] },
  { id: 'qkv', roles: ['query', 'key', 'value'] },
  { id: 'scores', roles: ['scores'] },
  { id: 'mask', roles: ['mask'] },
  { id: 'weights', roles: ['weights'] },
  { id: 'context', roles: ['context'] },
  { id: 'output', roles: [] },
] as const satisfies readonly { id: string; roles: readonly TensorRole[] }[];

export type Stage = (typeof STAGES)[number]['id'];

/** The stage that a tensor belongs to. */
export function stageOf({ group, role }: Pick<Tensor | LeftOut, 'group' | 'role'>): Stage {
  if (group === 'inputs') return 'inputs';
  const found = group === 'outputs'
    ? STAGES.find(({ roles }) => (roles as readonly TensorRole[]).includes(role ?? 'output')) : undefined;
  return found?.id ?? 'output';
}

/** How many stages come before this one. */
export const rank = (stage: Stage): number => STAGES.findIndex(({ id }) => id === stage);

/** The stages that this computation has, in order. */
export function stagesOf({ modules, others }: Arranged): Stage[] {
  const present = new Set<Stage>(
    ['inputs', ...modules.flatMap(tensorsOf).map(stageOf), ...(others.length > 0 ? ['output' as const] : [])]);
  return STAGES.map(({ id }) => id).filter((id) => present.has(id));
}

// A link may name any stage.
const steppedTo = ({ view }: Store): Stage | undefined => STAGES.find(({ id }) => id === view.stage)?.id;

/** Whether the computation, stepped through, has come to this stage. */
export function reached(store: Store, stage: Stage): boolean {
  if (!store.sessions.result) return false;
  const now = steppedTo(store);
  return now === undefined || rank(stage) <= rank(now);
}

/** The stage to underline: the one stepped to, or the one that the chosen cell belongs to. */
export const stageShown = derived((store): Stage | undefined => steppedTo(store) ?? stageUnder(store));

/** The stage that the chosen cell belongs to. */
export function stageUnder({ selection, sessions }: Store): Stage | undefined {
  const target = selection.active;
  const tensor = target && sessions.result?.find(target.tensor, target.group);
  return tensor && (tensor.group === 'inputs' || tensor.group === 'outputs') ? stageOf(tensor) : undefined;
}
