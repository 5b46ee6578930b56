// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { PROBE } from '../src/library/relaxed.ts';

/**
 * Writes sw.js, which knows every file of this build by name: after the first visit the page works without a network.
 */
export function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        // What is fetched on demand keeps itself (src/real/download.ts).
        const names = Object.keys(bundle).filter((name) => name !== 'sw.js' && !name.startsWith('real/')).sort();
        const hash = createHash('sha256');
        for (const name of names) {
          const part = bundle[name]!;
          hash.update(name).update(part.type === 'chunk' ? part.code : part.source);
        }
        const files = [...new Set(['./', 'index.html', 'embed.html', 'icon.svg', 'missing.css', ...names])];
        const worker = readFileSync(fileURLToPath(new URL('../src/offline/sw.js', import.meta.url)), 'utf8');
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: worker.replace('__VERSION__', hash.digest('hex').slice(0, 12))
            .replace("['__FILES__']", JSON.stringify(files)).replace("['__PROBE__']", JSON.stringify(PROBE)),
        });
      },
    },
  };
}
