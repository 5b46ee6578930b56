// SPDX-License-Identifier: Apache-2.0
// A document's modules as boxes: one each, or, where one works before and after those that stand inside it, one for
// each of these parts, with a frame around them all.
import { numbersOf, type Result, type Tensor } from '../engine/result.ts';
import type { ModuleEntry } from '../engine/types.ts';
import { grouped } from '../lists.ts';
import type { Frame, Node } from './graph.ts';

export const idOf = {
  input: (name: string): string => `input ${name}`,
  module: (name: string, part = 0): string => (part === 0 ? `module ${name}` : `module ${name} ${part + 1}`),
  frame: (name: string): string => `frame ${name}`,
  tensor: (name: string): string => `tensor ${name}`,
};

/** The modules that have results, in the order of computation. */
export function telling(result: Result): ModuleEntry[] {
  const tell = new Set(result.all('outputs').map(({ within }) => within));
  return (result.directory.modules ?? []).filter(({ name }) => tell.has(name));
}

/** What tells who stands inside a module, at any depth. */
export function insiders(modules: readonly ModuleEntry[]): (name: string) => ModuleEntry[] {
  const direct = grouped(modules.filter(({ name }) => name !== ''), ({ parent }) => parent);
  const all = (name: string): ModuleEntry[] => (direct.get(name) ?? []).flatMap((one) => [one, ...all(one.name)]);
  return all;
}

const byStep = (one: Tensor, other: Tensor): number => (one.step ?? 0) - (other.step ?? 0);

// What it gives itself, cut where modules inside it have their turn; second names of theirs are theirs.
function turns(own: Tensor[], theirs: Tensor[]): Tensor[][] {
  // What they are handed was there before: their turn is what they make of it.
  const made = theirs.filter(({ role }) => role !== 'query' && role !== 'key' && role !== 'value');
  const second = new Set(made.map(numbersOf));
  const rest = new Set(own.filter((tensor) => !second.has(numbersOf(tensor))));
  const found: Tensor[][] = [];
  let theirTurn = true;
  for (const tensor of [...rest, ...made].toSorted(byStep)) {
    const mine = rest.has(tensor);
    if (mine && theirTurn) found.push([]);
    if (mine) found.at(-1)!.push(tensor);
    theirTurn = !mine;
  }
  return found;
}

/** The first box that a tensor has a part in. */
function usersOf(result: Result, boxes: readonly Node[]): Map<Tensor, Node> {
  const users = new Map<Tensor, Node>();
  for (const box of boxes) {
    for (const at of box.tensors.flatMap(({ from }) => from ?? [])) {
      const source = result.tensors[at];
      if (source && !users.has(source)) users.set(source, box);
    }
  }
  return users;
}

export function boxesOf(result: Result, modules: ModuleEntry[]): { boxes: Node[]; frames: Frame[] } {
  const every = result.directory.modules ?? [];
  const inside = insiders(every);
  const outputs = grouped(result.all('outputs'), ({ within }) => within ?? '');
  const parameters = grouped(result.all('parameters'), ({ module }) => module ?? '');
  const shown = new Set(modules.map(({ name }) => name));
  const frames = every.filter(({ name }) => name !== '' && inside(name).some((one) => shown.has(one.name)));
  const framed = new Set(frames.map(({ name }) => name));
  const frameOf = (name: string): string | undefined => (framed.has(name) ? name : undefined);
  const boxes = modules.flatMap((module): Node[] => {
    const own = outputs.get(module.name) ?? [];
    const theirs = inside(module.name).flatMap(({ name }) => outputs.get(name) ?? []);
    const all = theirs.length > 0 ? turns(own, theirs) : [own];
    return all.map((tensors, part): Node => ({
      ...(all.length > 1 ? { split: true as const } : {}),
      id: idOf.module(module.name, part), kind: 'module', module, tensors, holds: [],
      frame: frameOf(module.name) ?? frameOf(module.parent),
      // Its parameters are said once.
      parameters: part === 0 ? (parameters.get(module.name) ?? []) : [],
    }));
  });
  // What stands inside and shows no results of its own is said in the box that its parameters have a part in.
  const users = usersOf(result, boxes);
  const first = new Map(boxes.toReversed().map((box) => [box.module!.name, box]));
  const order = new Map(boxes.map((box, at) => [box, at]));
  for (const silent of every.filter(({ name }) => !shown.has(name) && !framed.has(name))) {
    const own = parameters.get(silent.name) ?? [];
    const using = own.map((parameter) => users.get(parameter)).filter((box) => box !== undefined)
      .toSorted((a, b) => order.get(a)! - order.get(b)!);
    const box = own.length > 0 ? using[0] : first.get(silent.parent);
    box?.holds.push(silent);
  }
  return { boxes, frames: frames.map((module): Frame =>
    ({ id: idOf.frame(module.name), module, inside: frameOf(module.parent) })) };
}
