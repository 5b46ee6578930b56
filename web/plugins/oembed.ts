// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { heightAt, type Heights } from '../../tools/oembed.mjs';
import type { Doc } from '../src/engine/types.ts';
import { titleOf } from '../src/state/model.ts';
import { snippet } from '../src/embed/snippets.ts';
import { encode } from '../src/state/hash.ts';
import { strings } from '../src/strings/en.ts';

const WIDTH = 760;
const DAY = 86_400;
// Where ./play serves the page; ATTENTION_SITE says where it lies otherwise.
const LOCAL = 'http://127.0.0.1:8080/';

interface Answer {
  version: '1.0';
  type: 'rich';
  title: string;
  provider_name: string;
  provider_url: string;
  cache_age: number;
  width: number;
  height: number;
  heights: Heights;
  html: string;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const list = new URL('../presets/gallery.json', import.meta.url);
// By preset, what tests/web/measure_embeds.mjs measured; without a name it is the page's own example.
const measured = JSON.parse(readFileSync(new URL('../presets/heights.json', import.meta.url), 'utf8')) as
  Record<string, [width: number, height: number][]>;
const preset = (name: string): Doc =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8'));

/**
 * What a site that embeds asks for: https://oembed.com, type rich. Without a document: the page's own example. A server
 * that reads the query of a request answers with another width and height (tools/oembed.mjs), from `heights`.
 */
export function answer(site: string, document?: Doc, name = ''): Answer {
  const title = document && titleOf(document) ? `${titleOf(document)} – ${strings.title}` : strings.title;
  const link = document ? encode(document) : undefined;
  const heights = measured[name];
  if (!heights) throw new Error(`the height of "${name}" was not measured: node tests/web/measure_embeds.mjs ${name}`);
  const height = heightAt(heights, WIDTH);
  return {
    version: '1.0', type: 'rich', title, provider_name: strings.title, provider_url: site, cache_age: DAY, width: WIDTH,
    height, heights,
    html: snippet('frame', { site, link: link ?? '', full: false, hide: [], fixed: false, theme: '', height,
      lang: '', title, fallback: title }),
  };
}

const fileOf = (name: string): string => name.replaceAll('/', '-');
const alternate = (site: string, file: string, title: string) =>
  `<link rel="alternate" type="application/json+oembed" href="${escaped(site + file)}" title="${escaped(title)}" />`;

/** The page with a preset to begin with, and its own answer: no server ever sees what stands behind the #. */
export function presetPage(page: string, site: string, name: string, document: Doc): string {
  const { title } = answer(site, document, name);
  // One that lies in a folder of the examples has one name here.
  const file = fileOf(name);
  const swapped = page
    .replace(/<link rel="alternate"[^>]*>/, () => alternate(site, `oembed/${file}.json`, title))
    .replace(/<title>[^<]*<\/title>/,
    () => `<title>${escaped(title)}</title>\n    <meta property="og:title" content="${escaped(title)}" />`)
    .replace('<attention-playground address>', () => `<attention-playground address document="${encode(document)}">`);
  if (!swapped.includes(`oembed/${file}.json`) || !swapped.includes(' document="1.'))
    throw new Error(`the page of ${name} could not be made`);
  return swapped;
}

/** Static oEmbed: one answer for the page, one page and one answer a preset. */
export function oembed(site = process.env['ATTENTION_SITE'] ?? LOCAL): Plugin {
  const base = new URL(site.endsWith('/') ? site : `${site}/`).href;
  const names = (JSON.parse(readFileSync(list, 'utf8')) as { presets: string[] }[]).flatMap(({ presets }) => presets);
  return {
    name: 'oembed',
    apply: 'build',
    transformIndexHtml: (html, { path }) =>
      (path === '/index.html' ? html.replace('</head>', `  ${alternate(base, 'oembed.json', strings.title)}\n  </head>`)
      : html),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('there is no page yet');
        emit('oembed.json', JSON.stringify(answer(base)));
        for (const name of names) {
          const document = preset(name);
          const file = fileOf(name);
          emit(`oembed/${file}.json`, JSON.stringify(answer(base, document, name)));
          emit(`preset-${file}.html`, presetPage(String(page.source), base, name, document));
        }
      },
    },
  };
}
