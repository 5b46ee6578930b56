// SPDX-License-Identifier: Apache-2.0
// How far a knob goes whose range follows from the inputs.
import type { Knob, Mechanism } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { membersOf } from '../state/model.ts';

// A matrix that makes so many rows out of all keys, as Linformer's do.
const projection = ({ kind, parameters }: Mechanism, { symbol }: Knob) =>
  (kind === 'core' && symbol !== undefined ? parameters.find(({ shape }) => shape === `${symbol} n`) : undefined);

/** Whether a knob counts rows that all keys are mapped to: with as many rows as keys nothing is left out. */
export const countsRows = (mechanism: Mechanism, knob: Knob): boolean => projection(mechanism, knob) !== undefined;

/** How many keys there are for a knob that counts rows they are mapped to, by the last result. */
export function keysOf({ documents, sessions }: Store, path: string, mechanism: Mechanism | undefined,
  knob: Knob): number | undefined {
  const maps = mechanism && projection(mechanism, knob);
  if (!maps) return undefined;
  const member = membersOf(documents.document).find((one) => path.startsWith(`${one.path}/`));
  const found = sessions.result?.tensors.find(({ group, name }) => group === 'parameters'
    && name.endsWith(`.${maps.name}`) && (!member?.name || name.startsWith(`${member.name}.`)));
  return found?.shape.at(-1);
}

/** The knob with a range up to this many, or up to what is set where that is more. */
export const upToKeys = (knob: Knob, keys: number | undefined, value: number | undefined): Knob =>
  (keys === undefined || typeof knob.maximum !== 'number' ? knob
    : { ...knob, maximum: Math.max(Math.min(knob.maximum, keys), value ?? 0, (knob.minimum ?? 0) + 1) });
