// SPDX-License-Identifier: Apache-2.0
// What follows from what, as a graph: of several modules the modules, of one module its matrices. The engine says it
// all.
import { isMap } from '../directory/typed.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { ModuleEntry, TensorRole } from '../engine/types.ts';
import { arrange, tensorsOf } from '../flow/modules.ts';

export interface Node {
  id: string;
  kind: 'input' | 'module' | 'tensor';
  /** Of a module its own, in order; of anything else the one tensor. */
  tensors: Tensor[];
  module?: ModuleEntry;
  /** Parameters that have a part in it. */
  parameters: Tensor[];
}

export interface Edge {
  from: string;
  to: string;
  /** What it brings: a module's query, for instance. */
  role: TensorRole | undefined;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
}

const idOf = {
  input: (name: string): string => `input ${name}`,
  module: (name: string): string => `module ${name}`,
  tensor: (name: string): string => `tensor ${name}`,
};

/** The modules that have results, in the order of computation. */
export const telling = (result: Result): ModuleEntry[] =>
  (result.directory.modules ?? []).filter(({ name }) => result.all('outputs').some((tensor) => tensor.within === name));

const sameNumbers = (one: Tensor, other: Tensor): boolean =>
  one.offset === other.offset && one.shape.join() === other.shape.join();
/** What is read, where an attention's query, key and value are one thing. */
const READS: Partial<Record<TensorRole, readonly TensorRole[]>> =
  { scores: ['query', 'key'], weights: ['query', 'key'], context: ['value'] };

/** What a tensor was computed from; numbers that are not here have no part in a picture. */
function sources(result: Result, tensor: Tensor): Tensor[] {
  const found = (tensor.from ?? []).map((at) => result.tensors[at]).filter((one) => one !== undefined);
  const roles = READS[tensor.role ?? 'output'] ?? [];
  return found.flatMap((source) => {
    const stands = result.all('outputs')
      .filter((one) => one.within === tensor.within && roles.includes(one.role ?? 'output')
      && sameNumbers(one, source));
    return stands.length > 0 ? stands : [source];
  });
}

export function graphOf(result: Result): Graph {
  const modules = telling(result);
  return modules.length > 1 ? ofModules(result, modules) : ofTensors(result);
}

function linked(nodes: Node[], edges: Edge[]): Graph {
  const known = new Set(nodes.map(({ id }) => id));
  const kept = new Map<string, Edge>();
  for (const edge of edges) {
    if (edge.from === edge.to || !known.has(edge.from) || !known.has(edge.to)) continue;
    const key = `${edge.from}\n${edge.to}`;
    // Of several things between the same two, one that an attention reads is told.
    const before = kept.get(key);
    if (!before || (!ATTENDED.has(before.role) && ATTENDED.has(edge.role))) kept.set(key, edge);
  }
  const used = new Set([...kept.values()].flatMap(({ from, to }) => [from, to]));
  return { nodes: nodes.filter(({ id, kind }) => kind !== 'input' || used.has(id)), edges: [...kept.values()] };
}

const ATTENDED = new Set<TensorRole | undefined>(['query', 'key', 'value']);

function ofModules(result: Result, modules: ModuleEntry[]): Graph {
  const inputs = result.all('inputs')
    .map((tensor): Node => ({ id: idOf.input(tensor.name), kind: 'input', tensors: [tensor], parameters: [] }));
  const boxes = modules.map((module): Node => ({
    id: idOf.module(module.name), kind: 'module', module,
    tensors: result.all('outputs').filter(({ within }) => within === module.name),
    parameters: result.all('parameters').filter((tensor) => tensor.module === module.name),
  }));
  const placeOf = (tensor: Tensor): string | undefined =>
    tensor.group === 'inputs' ? idOf.input(tensor.name)
      : tensor.group === 'outputs' ? idOf.module(tensor.within ?? '') : undefined;
  const edges = boxes.flatMap(({ id, tensors }) =>
    tensors.flatMap((tensor) => sources(result, tensor).flatMap((source): Edge[] => {
    const from = placeOf(source);
    return from === undefined ? [] : [{ from, to: id, role: tensor.role }];
  })));
  // What the document wires may not show in numbers: tokens, for instance.
  const names = new Set(modules.map(({ name }) => name));
  // What holds others hands on to them what it is given.
  const holds = new Set(modules.filter(({ name }) => name !== '').map(({ parent }) => parent));
  const wires = modules.filter(({ name }) => !holds.has(name))
    .flatMap(({ name, inputs: ports }) => Object.values(ports).map((text): Edge => {
    const module = names.has(text) ? text : text.slice(0, Math.max(0, text.lastIndexOf('.')));
    return { from: names.has(module) && module !== '' ? idOf.module(module) : idOf.input(text), to: idOf.module(name),
      role: undefined };
  }));
  return linked([...inputs, ...boxes], [...edges, ...wires]);
}

function ofTensors(result: Result): Graph {
  const { modules, others } = arrange(result);
  const shown = [...modules.flatMap(tensorsOf), ...others].toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
  const inputs = result.all('inputs');
  const all = [...inputs, ...shown];
  // Two names of the same numbers are one place.
  const placeOf = (tensor: Tensor): string | undefined => {
    const found = all.find((one) => one === tensor) ?? all.find((one) => sameNumbers(one, tensor));
    return found && (found.group === 'inputs' ? idOf.input(found.name) : idOf.tensor(found.name));
  };
  const nodes = all.map((tensor): Node => ({
    id: placeOf(tensor)!, kind: tensor.group === 'inputs' ? 'input' : 'tensor', tensors: [tensor],
    parameters: sources(result, tensor).filter(({ group }) => group === 'parameters'),
  }));
  const edges = shown.flatMap((tensor) => sources(result, tensor).flatMap((source): Edge[] => {
    const from = placeOf(source);
    return from === undefined ? []
      : [{ from, to: placeOf(tensor)!, role: ATTENDED.has(source.role) ? source.role : tensor.role }];
  }));
  return linked(nodes, edges);
}

/** What stands for a node in small: its weights, else what it gives. */
export const pictureOf = ({ tensors }: Node): Tensor | undefined =>
  tensors.find((tensor) => tensor.role === 'weights' && isMap(tensor))
    ?? tensors.findLast(({ role }) => role === 'context' || role === 'output') ?? tensors.at(-1);
