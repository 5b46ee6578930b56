// SPDX-License-Identifier: Apache-2.0
import type { Result, Tensor } from '../engine/result.ts';
import { inGeometry, naming } from './names.ts';

/** One attention of the picture: what stands at each place of its geometry. */
export interface Module {
  name: string;
  query?: Tensor;
  key?: Tensor;
  value?: Tensor;
  scores?: Tensor;
  mask?: Tensor;
  weights?: Tensor;
  context?: Tensor;
}

export interface Arranged {
  modules: Module[];
  /** Outputs that have no place in a geometry, in order. */
  others: Tensor[];
}

export function arrange(result: Result): Arranged {
  const byName = new Map<string, Module>();
  const others: Tensor[] = [];
  const outputs = result.all('outputs');
  for (const tensor of outputs) {
    const { base, module: name } = naming(tensor);
    if (!inGeometry(base)) {
      others.push(tensor);
      continue;
    }
    const module = byName.get(name) ?? { name };
    byName.set(name, module);
    if (base === 'heads') {
      if (module.context) others.push(module.context);
      module.context = tensor;
    } else if (base === 'context' && module.context) {
      others.push(tensor);
    } else {
      module[base as Exclude<keyof Module, 'name'>] = tensor;
    }
  }
  const all = merged([...byName.values()]);
  const modules = all.filter((m) => m.scores ?? m.weights ?? m.context);
  // Queries, keys and a mask that stand alone belong to the first module that lacks them.
  for (const part of all) {
    if (modules.includes(part)) continue;
    const host = modules[0];
    if (!host) others.push(...tensorsOf(part));
    else for (const place of ['query', 'key', 'value', 'mask'] as const) host[place] ??= part[place];
  }
  return { modules, others };
}

// A structure may give one module's results two names, its own and the contract's (`third.weights`,
// `weights1`): the numbers then lie at one place. The contract's names stay, at the first's place.
function merged(modules: Module[]): Module[] {
  const kept: Module[] = [];
  for (const module of modules) {
    const at = (m: Module) => (m.weights ?? m.context)?.offset;
    const twin = kept.find((other) => at(other) !== undefined && at(other) === at(module));
    if (twin) Object.assign(twin, { ...module, name: twin.name });
    else kept.push(module);
  }
  return kept;
}

export function tensorsOf(module: Module): Tensor[] {
  return [module.query, module.key, module.value, module.scores, module.mask, module.weights, module.context].filter(
    (tensor) => tensor !== undefined,
  );
}
