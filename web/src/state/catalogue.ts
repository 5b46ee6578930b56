// SPDX-License-Identifier: Apache-2.0
import type { Catalogue, Doc, Json, JsonObject, Mechanism, Slot } from '../engine/types.ts';
import { type EngineWords, translate } from '../strings/engine.ts';
import { isModel, membersOf } from './model.ts';
import { isObject, join } from '../engine/pointer.ts';

/** One place of the document where a mechanism is chosen, with what is chosen there now. */
export interface Choice {
  path: string;
  slot: Slot;
  mechanism: Mechanism | undefined;
  value: Json;
}

export const typeOf = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    const type = value['type'];
    return typeof type === 'string' ? type : undefined;
  }
  return undefined;
};

/** The catalogue's data, looked up by id or alias within a kind. */
export class Book {
  private known = new Map<string, Mechanism | undefined>();
  private found: Mechanism[] | undefined;
  private words: EngineWords | undefined;

  /** `rest`: fetches the whole catalogue, where this is only a part of it. */
  constructor(
    public catalogue: Catalogue,
    private rest?: () => Promise<Catalogue>,
  ) {}

  get whole(): boolean {
    return this.rest === undefined;
  }

  /** Takes over the whole catalogue, where it can be fetched. */
  async learn(): Promise<void> {
    const catalogue = await this.rest?.();
    if (!catalogue || this.whole) return;
    // Its own: another element on the page may speak another language.
    this.catalogue = structuredClone(catalogue);
    this.rest = undefined;
    this.known.clear();
    this.found = undefined;
    this.speak(this.words);
  }

  /** Says what the engine says in these words; undefined: in its own. */
  speak(words: EngineWords | undefined): void {
    if (words || this.words) translate(this.catalogue, words);
    this.words = words;
  }

  find(kind: string | undefined, id: string | undefined): Mechanism | undefined {
    if (id === undefined) return undefined;
    const key = `${kind ?? ''} ${id}`;
    if (!this.known.has(key)) this.known.set(key, this.search(kind, id));
    return this.known.get(key);
  }

  private search(kind: string | undefined, id: string): Mechanism | undefined {
    const inKind = this.catalogue.mechanisms.filter((m) => !kind || m.kind === kind);
    return inKind.find((m) => m.id === id) ?? inKind.find((m) => m.aliases.includes(id));
  }

  /** The module of this id. */
  named(id: string): Mechanism | undefined {
    return this.modules().find((mechanism) => mechanism.id === id);
  }

  of(kind: string): Mechanism[] {
    return this.catalogue.mechanisms.filter((m) => m.kind === kind);
  }

  /** Every mechanism that can stand at `mechanism.type`: the kind of those that have slots, and the cores. */
  modules(): Mechanism[] {
    return (this.found ??= this.findModules());
  }

  private findModules(): Mechanism[] {
    // Others may hold a slot too, for one of their own kind: the whole module is what offers the most.
    const [widest] = this.catalogue.mechanisms.toSorted((a, b) => b.slots.length - a.slots.length);
    // A core's id is short for the general module with that core.
    return this.catalogue.mechanisms.filter((m) => m.kind === widest?.kind || m.kind === 'core');
  }

  module(document: Doc): Mechanism | undefined {
    return isModel(document) ? undefined : this.member(document.mechanism);
  }

  /** The module that this part of a document chooses. */
  member(value: JsonObject): Mechanism | undefined {
    const id = typeOf(value) ?? undefined;
    const modules = this.modules();
    // Without a type the engine takes the general module: the one that offers the most.
    if (id === undefined) return modules.toSorted((a, b) => b.slots.length - a.slots.length)[0];
    return modules.find((m) => m.id === id) ?? modules.find((m) => m.aliases.includes(id));
  }

  /** The choices of a document, in the catalogue's order; list slots give one per item. */
  choices(document: Doc): Choice[] {
    const found: Choice[] = [];
    const visit = (slots: Slot[], at: JsonObject, path: string, depth: number) => {
      const chosen = slots.map((slot) => this.find(slot.kind, typeOf(at[slot.name]) ?? undefined));
      for (const slot of slots) {
        const value = at[slot.name];
        const items = slot.list && Array.isArray(value) ? value : [value];
        items.forEach((item, k) => {
          if (slot.list && item === undefined) return;
          const empty = item === undefined && emptied(chosen, slot) !== undefined;
          // The engine takes the default also for an object that says of no type.
          const id = typeOf(item) ?? slot.only
            ?? ((item === undefined && !empty) || isObject(item) ? slot.default : undefined);
          const mechanism = this.find(slot.kind, id ?? undefined);
          const here = path + join(slot.name) + (Array.isArray(value) ? join(k) : '');
          found.push({ path: here, slot, mechanism, value: item ?? null });
          if (mechanism && mechanism.slots.length > 0 && depth < 4) {
            visit(slotsOf(mechanism, slot), isObject(item) ? item : {}, here, depth + 1);
          }
        });
      }
    };
    for (const { path, value } of membersOf(document)) {
      const module = this.member(value);
      if (module) visit(module.slots, value, path, 0);
    }
    return found;
  }

  /** Why an id cannot be chosen in the slot of `owner` now; undefined when it can. */
  refusal(document: Doc, slot: Slot, id: string, owner = '/mechanism'): string | undefined {
    const self = this.find(slot.kind, id);
    // In a list, what else is in it counts, too: of two rotations one is refused.
    const beside = (choice: Choice) => parentOf(choice) === owner
      && (choice.slot.name !== slot.name || (slot.list && choice.mechanism?.id !== id));
    const others = this.choices(document).filter(beside);
    for (const { mechanism } of others) {
      for (const rule of mechanism?.excludes ?? []) {
        if (rule.slot !== slot.name) continue;
        if (rule.only ? !rule.ids.includes(id) : rule.ids.includes(id)) return rule.reason;
      }
    }
    for (const rule of self?.excludes ?? []) {
      // Where another slot has to be empty, choosing this one empties it.
      if (rule.only && rule.ids.length === 0) continue;
      for (const { slot: other, mechanism } of others) {
        if (rule.slot !== other.name || !mechanism) continue;
        const listed = rule.ids.includes(mechanism.id);
        if (rule.only ? !listed : listed) return rule.reason;
      }
    }
    return undefined;
  }
}

const parentOf = ({ path, slot }: Choice): string => path.slice(0, path.lastIndexOf(`/${slot.name}`));

/** The slots of a mechanism as they are where it stands. */
export function slotsOf(mechanism: Mechanism, place?: Slot): Slot[] {
  return mechanism.slots
    .filter((slot) => !place?.without?.includes(slot.name))
    .map((slot) => ({ ...slot, default: place?.defaults?.[slot.name] ?? slot.default }));
}

/** The reason why a slot stays empty beside what is chosen in the others. */
export function emptied(chosen: (Mechanism | undefined)[], slot: Slot): string | undefined {
  for (const mechanism of chosen) {
    for (const rule of mechanism?.excludes ?? []) {
      if (rule.slot === slot.name && rule.only && rule.ids.length === 0) return rule.reason;
    }
  }
  return undefined;
}

/** The JSON paths that a control of the page answers for. */
export function controlPaths(book: Book, document: Doc): string[] {
  const paths = ['/seed', '/mechanism/type', '/inputs'];
  for (const name of Object.keys(document.inputs)) {
    paths.push(join('inputs', name), join('inputs', name, 'features', 'dim'), join('inputs', name, 'features', 'type'));
  }
  for (const { path, value } of membersOf(document)) {
    const { knobs = [], slots = [] } = book.member(value) ?? {};
    for (const { name } of [...knobs, ...slots]) paths.push(path + join(name));
  }
  for (const { path, mechanism } of book.choices(document)) {
    paths.push(path);
    for (const knob of mechanism?.knobs ?? []) paths.push(path + join(knob.name));
  }
  return paths;
}
