// SPDX-License-Identifier: Apache-2.0

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

let known: Set<string> | undefined;

/** Puts all that the first picture needs into one file: it packs better than what is shared and what is not apart. */
export function firstFile(id: string, modules: Modules): string | null {
  known ??= closure(id, modules);
  return known?.has(id) ? 'element' : null;
}

// Everything that the element imports before it runs.
function closure(from: string, modules: Modules): Set<string> | undefined {
  const entry = /^(.*\/web\/src\/)/.exec(from)?.[1];
  if (entry === undefined || !modules.getModuleInfo(`${entry}page/element.ts`)) return undefined;
  const found = new Set<string>();
  const open = [`${entry}page/element.ts`];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
