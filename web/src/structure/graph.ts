// SPDX-License-Identifier: Apache-2.0
// What follows from what, as a graph: of several modules the modules, of one module its matrices. The engine says it
// all.
import { append } from '../lists.ts';
import { isMap, timeOf, typed } from '../directory/typed.ts';
import { distinct, numbersOf, type Result, type Tensor } from '../engine/result.ts';
import type { ModuleEntry, TensorRole } from '../engine/types.ts';
import { arrange, tensorsOf } from '../directory/modules.ts';
import { grouped } from '../lists.ts';
import { boxesOf, idOf, insiders, telling } from './module-boxes.ts';

export interface Node {
  id: string;
  kind: 'input' | 'module' | 'tensor';
  /** Of a module its own, in order; of anything else the one tensor. */
  tensors: Tensor[];
  module?: ModuleEntry;
  /** Parameters that have a part in it. */
  parameters: Tensor[];
  /** Modules inside it that show no results of their own. */
  holds: ModuleEntry[];
  /** The module in whose frame it stands. */
  frame: string | undefined;
  /** It is one of several parts of its module. */
  split?: true;
}

/** A module that stands around others. */
export interface Frame {
  id: string;
  module: ModuleEntry;
  /** The module in whose frame this one stands. */
  inside: string | undefined;
}

export interface Edge {
  from: string;
  to: string;
  /** What it brings: a module's query, its keys and values, for instance. */
  roles: TensorRole[];
  /** The numbers that go along it. */
  tensors: Tensor[];
  /** It is said in the box that it leads to, in place of a wire. */
  said?: boolean;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  frames: Frame[];
}

// From so many on.
const ASKED_OFTEN = 3;
/** What is read, where an attention's query, key and value are one thing. */
const READS: Partial<Record<TensorRole, readonly TensorRole[]>> =
  { scores: ['query', 'key'], weights: ['query', 'key'], context: ['value'] };

/** What a tensor was computed from; numbers that are not here have no part in a picture. */
class Sources {
  // Of a module's results those that are read, by their numbers.
  private readonly read = new Map<string, Tensor[]>();

  constructor(private readonly result: Result) {
    for (const tensor of result.all('outputs')) {
      if (attended(tensor.role).length === 0) continue;
      const key = `${tensor.within ?? ''} ${numbersOf(tensor)}`;
      const known = this.read.get(key);
      if (known) known.push(tensor);
      else this.read.set(key, [tensor]);
    }
  }

  of(tensor: Tensor): Tensor[] {
    const found = (tensor.from ?? []).map((at) => this.result.tensors[at]).filter((one) => one !== undefined);
    const roles = READS[tensor.role ?? 'output'];
    if (!roles) return found;
    return found.flatMap((source) => {
      const stands = (this.read.get(`${tensor.within ?? ''} ${numbersOf(source)}`) ?? [])
        .filter(({ role }) => roles.includes(role ?? 'output'));
      return stands.length > 0 ? stands : [source];
    });
  }

  /** What comes into a module under a name there, a query for instance, was made where it comes from. */
  makers(tensor: Tensor): Tensor[] {
    return this.of(tensor).flatMap((source) => {
      const { module = '', within = '', role } = source;
      const came = source.group === 'outputs' && attended(role).length > 0 && within !== tensor.within
        && module !== within && !module.startsWith(`${within}.`);
      const before = came ? this.makers(source) : [];
      return before.length > 0 ? before : [source];
    });
  }
}

export function graphOf(result: Result): Graph {
  const modules = telling(result);
  return modules.length > 1 ? ofModules(result, modules) : ofTensors(result);
}

function linked(nodes: Node[], edges: Edge[], frames: Frame[] = []): Graph {
  const known = new Set(nodes.map(({ id }) => id));
  const kept = new Map<string, Edge>();
  for (const edge of edges) {
    if (edge.from === edge.to || !known.has(edge.from) || !known.has(edge.to)) continue;
    const key = `${edge.from}\n${edge.to}`;
    const before = kept.get(key);
    if (!before) {
      kept.set(key, edge);
      continue;
    }
    // One wire between two: everything that goes along it is told, each of it once.
    append(before.roles, edge.roles.filter((role) => !before.roles.includes(role)));
    append(before.tensors, distinct(edge.tensors, new Set(before.tensors.map(numbersOf))));
  }
  for (const { roles } of kept.values()) roles.sort((a, b) => ATTENDED.indexOf(a) - ATTENDED.indexOf(b));
  const used = new Set([...kept.values()].flatMap(({ from, to }) => [from, to]));
  const left = nodes.filter(({ id, kind }) => kind !== 'input' || used.has(id));
  return { nodes: left, edges: spared(left, [...kept.values()]), frames };
}

// What is asked again and again, hop after hop, has a wire to who asks first; the wires to the others would cross all
// that stands between, and are said in their boxes.
function spared(nodes: Node[], edges: Edge[]): Edge[] {
  const order = new Map(nodes.map(({ id }, at) => [id, at]));
  const asked = edges.filter(({ roles }) =>
    roles.length > 0 && roles.every((role) => role === 'key' || role === 'value'));
  for (const all of grouped(asked, ({ from }) => from).values()) {
    if (all.length < ASKED_OFTEN) continue;
    const [, ...others] = all.toSorted((a, b) => order.get(a.to)! - order.get(b.to)!);
    for (const edge of others) edge.said = true;
  }
  return edges;
}

/** The wires that are drawn. */
export const withDrawnWires = (graph: Graph): Graph => ({ ...graph, edges: graph.edges.filter(({ said }) => !said) });

const ATTENDED: readonly TensorRole[] = ['query', 'key', 'value'];
const attended = (role: TensorRole | undefined): TensorRole[] => (role && ATTENDED.includes(role) ? [role] : []);

// What runs in time asks with a state of its own, step after step: whatever it began with is not the query.
const brought = (tensor: Tensor): TensorRole[] =>
  (tensor.role === 'query' && timeOf(typed(tensor)) >= 0 ? [] : attended(tensor.role));

function ofModules(result: Result, modules: ModuleEntry[]): Graph {
  const inputs = result.all('inputs').map((tensor): Node => ({ id: idOf.input(tensor.name), kind: 'input',
    tensors: [tensor], parameters: [], holds: [], frame: undefined }));
  const { boxes, frames } = boxesOf(result, modules);
  const sources = new Sources(result);
  const own = new Map(boxes.flatMap(({ id, tensors }) => tensors.map((tensor) => [tensor, id] as const)));
  // Of second names of the same numbers the first box that has them stands for all.
  const same = new Map([...own].toReversed().map(([tensor, id]) => [numbersOf(tensor), id] as const));
  const placeOf = (tensor: Tensor): string | undefined =>
    (tensor.group === 'inputs' ? idOf.input(tensor.name)
      : tensor.group === 'outputs' ? own.get(tensor) ?? same.get(numbersOf(tensor)) : undefined);
  const edges = boxes.flatMap(({ id, tensors }) =>
    tensors.flatMap((tensor) => sources.makers(tensor).flatMap((source): Edge[] => {
    const from = placeOf(source);
    return from === undefined ? [] : [{ from, to: id, roles: brought(tensor), tensors: [source] }];
  })));
  // What the document wires may not show in numbers: tokens, for instance. What holds others hands on to them what it
  // is given.
  const names = new Set((result.directory.modules ?? []).map(({ name }) => name));
  const holders = new Set(frames.map(({ module }) => module.name));
  const within = insiders(result.directory.modules ?? []);
  const numbered = grouped(boxes.map(({ id, module }, at) => ({ id, at, name: module!.name })), ({ name }) => name);
  const idsOf = (name: string): string[] => [name, ...within(name).map((one) => one.name)]
    .flatMap((one) => numbered.get(one) ?? []).toSorted((a, b) => a.at - b.at).map(({ id }) => id);
  const wired = new Set(edges.map(({ from, to }) => `${from}\n${to}`));
  const wires = modules.filter(({ name }) => name !== '' && !holders.has(name))
    .flatMap(({ name, inputs: ports }) => Object.values(ports).flatMap((text): Edge[] => {
    const module = names.has(text) ? text : text.slice(0, Math.max(0, text.lastIndexOf('.')));
    const ids = module !== '' && names.has(module) ? idsOf(module) : [idOf.input(text)];
    const to = idOf.module(name);
    const from = ids.at(-1);
    return from === undefined || ids.some((id) => wired.has(`${id}\n${to}`)) ? []
      : [{ from, to, roles: [], tensors: [] }];
  }));
  return linked([...inputs, ...boxes], [...edges, ...wires], frames);
}

function ofTensors(result: Result): Graph {
  const { modules, others } = arrange(result);
  const shown = [...modules.flatMap(tensorsOf), ...others].toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
  const inputs = result.all('inputs');
  const all = [...inputs, ...shown];
  // Two names of the same numbers are one place.
  const [here, same] = [new Set(all), new Map(all.toReversed().map((one) => [numbersOf(one), one]))];
  const placeOf = (tensor: Tensor): string | undefined => {
    const found = here.has(tensor) ? tensor : same.get(numbersOf(tensor));
    return found && (found.group === 'inputs' ? idOf.input(found.name) : idOf.tensor(found.name));
  };
  const sources = new Sources(result);
  const nodes = all.map((tensor): Node => ({
    id: placeOf(tensor)!, kind: tensor.group === 'inputs' ? 'input' : 'tensor', tensors: [tensor], holds: [],
    parameters: sources.of(tensor).filter(({ group }) => group === 'parameters'), frame: undefined,
  }));
  const edges = shown.flatMap((tensor) => sources.of(tensor).flatMap((source): Edge[] => {
    const from = placeOf(source);
    return from === undefined ? []
      : [{ from, to: placeOf(tensor)!, roles: attended(attended(source.role)[0] ?? tensor.role), tensors: [source] }];
  }));
  return linked(nodes, edges);
}

/** The first so many parts, with the wires between them and the frames around them. */
export function cut({ nodes, edges, frames }: Graph, most: number): Graph {
  const kept = nodes.slice(0, most);
  const ids = new Set(kept.map(({ id }) => id));
  const byName = new Map(frames.map((frame) => [frame.module.name, frame]));
  const around = new Set<Frame>();
  for (const { frame } of kept)
    for (let at = byName.get(frame ?? ''); at && !around.has(at); at = byName.get(at.inside ?? '')) around.add(at);
  return { nodes: kept, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
    frames: frames.filter((frame) => around.has(frame)) };
}

/** What stands for a node in small: its weights, else the most of what it gives. */
export function pictureOf({ tensors }: Node): Tensor | undefined {
  const map = tensors.find((tensor) => tensor.role === 'weights' && isMap(tensor));
  const given = tensors.filter(({ role }) => role === 'context' || role === 'output');
  return map ?? given.toSorted((a, b) => b.data.length - a.data.length)[0] ?? tensors.at(-1);
}
