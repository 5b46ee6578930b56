// SPDX-License-Identifier: Apache-2.0
import type { Plugin, Rolldown } from 'vite';

// The faces in which most of the first picture's text is set.
const FACES = /\/source-sans-3-basic-(400|600)-normal-[^/]*\.woff2$/;

/** All files that a file imports before it runs. */
function importsOf(file: string, bundle: Rolldown.OutputBundle, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  for (const one of chunk?.type === 'chunk' ? chunk.imports : []) {
    if (found.has(one)) continue;
    found.add(one);
    importsOf(one, bundle, found);
  }
  return found;
}

/** Names in each page's head what its scripts import and which fonts they declare: all is fetched at once. */
export function firstPreloads(): Plugin {
  return {
    name: 'first-preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {}, chunk }) => {
        const link = (rel: string, file: string, more = {}) => ({ tag: 'link', injectTo: 'head' as const,
          attrs: { rel, crossorigin: '', href: `./${file}`, ...more } });
        return [...[...importsOf(chunk?.fileName ?? '', bundle)].map((file) => link('modulepreload', file)),
          ...Object.keys(bundle).filter((file) => FACES.test(`/${file}`))
            .map((file) => link('preload', file, { as: 'font', type: 'font/woff2' }))];
      },
    },
  };
}
