// SPDX-License-Identifier: Apache-2.0
import type { Tensor } from '../engine/result.ts';
import type { Store } from '../state/store.ts';
import { arrange, type Module } from '../directory/modules.ts';

/**
 * Of several modules the one that is drawn large: the one of this name, or else an attention inside it, as blocks have
 * one. Without either it is the first one that has weights.
 */
export function moduleFor(modules: readonly Module[], chosen: string | undefined): Module | undefined {
  const having = modules.filter(({ weights }) => weights);
  return modules.find(({ name }) => name === chosen)
    ?? having.find(({ name }) => chosen !== undefined && name.startsWith(`${chosen}.`)) ?? having[0] ?? modules[0];
}

/** The same, as the reader chose. */
export const openModule = (store: Store, modules: readonly Module[]): Module | undefined =>
  moduleFor(modules, store.view.module);

/** The attention map that is shown large: on the page, in the embed, in the lecture, and first in Train. */
export function mapShown(store: Store, result = store.sessions.result): Tensor | undefined {
  const modules = (result ? arrange(result).modules : []).filter(({ weights }) => weights);
  return openModule(store, modules)?.weights;
}

export function moduleShown(store: Store): string | undefined {
  const { result } = store.sessions;
  return result && openModule(store, arrange(result).modules)?.name;
}

/** What stands large in the diagram: the module that the reader chose, attention or not, else the attention shown. */
export function largeShown(store: Store): string | undefined {
  const { module } = store.view;
  const known = module !== undefined && store.sessions.result?.all('outputs').some(({ within }) => within === module);
  return known ? module : moduleShown(store);
}
