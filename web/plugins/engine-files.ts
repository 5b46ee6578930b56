// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * The addresses of the engine's files: in two parts for the page, whose visitors wait for the first, or whole for hosts
 * that move files.
 */
export function engineFiles(whole = false): Plugin {
  const name = 'virtual:engine-files';
  const bin = fileURLToPath(new URL('../../build/wasm/bin/', import.meta.url));
  const files = (build: string): [string, string][] => (whole ? [['wasm', build]]
    : [['wasm', `${build}-first`], ['deferred', `${build}-first.deferred`]]);
  return {
    name: 'engine-files',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const builds = [['plain', 'attention'], ['relaxed', 'attention-relaxed']] as const;
      const all = builds.flatMap(([build, file]) => files(file).map(([part, own]) => ({ build, part, own })));
      const addresses = all.map(({ build, part, own }) =>
        `import ${build}_${part} from ${JSON.stringify(`${bin}${own}.wasm?url`)};`);
      const objects = builds.map(([build]) => `${build}: { ${all.filter((one) => one.build === build)
        .map(({ part }) => `${part}: ${build}_${part}`).join(', ')} }`);
      return `${addresses.join('\n')}\nexport default { ${objects.join(', ')} };`;
    },
  };
}
