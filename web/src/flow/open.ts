// SPDX-License-Identifier: Apache-2.0
import type { Store } from '../state/store.ts';
import { arrange, type Module } from './modules.ts';

/** Of several modules the one that is drawn large: the one that the reader chose, else the first that has weights. */
export function openModule(store: Store, modules: readonly Module[]): Module | undefined {
  return modules.find(({ name }) => name === store.view.module) ?? modules.find(({ weights }) => weights) ?? modules[0];
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
