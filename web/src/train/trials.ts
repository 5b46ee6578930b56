// SPDX-License-Identifier: Apache-2.0
// What can stand in the place of a part of a trained model without anything being learned anew: found in the
// catalogue's records.
import type { Mechanism } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { get, isObject, join, set } from '../engine/pointer.ts';
import type { TrainingDocument } from './messages.ts';
import { words } from './words.ts';

export interface Trial {
  /** Empty for the model as it is. */
  id: string;
  name: string;
  document: TrainingDocument;
  patch?: Record<string, number[]>;
}

const shapes = ({ parameters }: Mechanism): Map<string, string> =>
  new Map(parameters.map(({ name, shape }) => [name, shape]));

// A record with all parameters of another, and beside them a gate for each of the parts that the others have an axis
// for.
function gateIn(one: Mechanism, other: Mechanism): string | undefined {
  const [mine, theirs] = [shapes(one), shapes(other)];
  if (mine.size === 0 || ![...mine].every(([name, shape]) => theirs.get(name) === shape)) return undefined;
  const more = other.parameters.filter(({ name }) => !mine.has(name));
  const [gate] = more;
  return more.length === 1 && gate?.distribution === 'one'
    && [...mine.values()].some((shape) => shape.split(' ')[0] === gate.shape) ? gate.name : undefined;
}

/**
 * The model itself, then each alignment that has nothing to learn in the place of its own, then each head switched off.
 */
export function trialsOf(book: Book, document: TrainingDocument): Trial[] {
  const found: Trial[] = [{ id: '', name: words().asItIs, document }];
  const choices = book.choices(document);
  for (const { path, slot, mechanism } of choices) {
    if (!mechanism) continue;
    const owner = path.slice(0, path.lastIndexOf('/'));
    const at = (id: string, value: object): TrainingDocument => {
      const copy = structuredClone(document);
      set(copy, path, { type: id, ...value });
      return copy;
    };
    if (slot.kind === 'alignment') {
      for (const other of book.of(slot.kind)) {
        if (other.id === mechanism.id || other.parameters.length > 0 || other.slots.length > 0
          || book.refusal(document, slot, other.id, owner) !== undefined) continue;
        found.push({ id: `${path} ${other.id}`, name: other.title, document: at(other.id, {}) });
      }
    }
    if (slot.kind === 'heads') {
      const gated = book.of(slot.kind).map((other) => ({ other, gate: gateIn(mechanism, other) }))
        .find(({ gate }) => gate !== undefined);
      const knobs = get(document, path);
      const { type: _type, ...own } = isObject(knobs) ? knobs : {};
      const count = Number(own['count'] ?? mechanism.knobs.find(({ name }) => name === 'count')?.default ?? 0);
      if (!gated) continue;
      for (let head = 0; head < count; head++) {
        const name = parameterAt(document, path, gated.gate!);
        found.push({ id: `${path} ${head}`, name: words().without(head + 1), document: at(gated.other.id, own),
          patch: { [name]: Array.from({ length: count }, (_, k) => (k === head ? 0 : 1)) } });
      }
    }
  }
  return found;
}

// Parameters are called by the module's name, the way of slots to their owner, and their own.
function parameterAt(document: TrainingDocument, path: string, parameter: string): string {
  const parts = path.split('/').slice(1);
  if (parts[0] !== 'model') return [...parts.slice(1), parameter].join('.');
  const module = String(get(document, join('model', parts[1]!, 'name')));
  return [module, ...parts.slice(2), parameter].join('.');
}
