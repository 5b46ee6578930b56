// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compare, equal, ok } from '../check.mjs';
import { frameIn, heightIn } from '../frames.mjs';

const built = fileURLToPath(new URL('../../../build/web/', import.meta.url));
const examples = new URL('../../../examples/', import.meta.url);
const names = JSON.parse(readFileSync(new URL('../../../web/presets/gallery.json', import.meta.url), 'utf8'))
  .flatMap((g) => g.presets);

export const oembeds = [
  {
    name: 'oEmbed: every preset has a page and an answer, and both show the preset',
    async run(page, origin) {
      equal(readdirSync(`${built}oembed`).map((file) => file.replace('.json', '')).sort(),
        names.map((name) => name.replaceAll('/', '-')).toSorted(), 'an answer a preset');
      const named = await page.run(`return `
        + `document.querySelector('link[rel="alternate"][type="application/json+oembed"]').href`);
      equal(new URL(named).pathname, '/oembed.json', 'the page names its own');
      for (const name of ['bahdanau', names.at(-1)]) {
        const document = JSON.parse(readFileSync(new URL(`${name}.json`, examples), 'utf8'));
        await page.leave();
        await page.go(`${origin}/preset-${name}.html`);
        equal(await page.document(), document, `the page of ${name}`);
        await compare(page, name);
        ok((await page.run('return window.document.title')).startsWith(document.title), 'its title');
        const address = await page.run(
          `return document.querySelector('link[rel="alternate"][type="application/json+oembed"]').href`);
        // What a consumer does: fetch the answer, put its HTML on a page.
        const answer = await page.run(`return (await fetch(values[0])).json()`, new URL(address).pathname);
        equal([answer.version, answer.type, Number.isInteger(answer.width), Number.isInteger(answer.height)],
          ['1.0', 'rich', true, true], 'its shape');
        const frame = /src="([^"]*)"/.exec(answer.html)[1].replaceAll('&amp;', '&');
        await page.leave();
        await page.driver.goto(origin + new URL(frame).pathname + new URL(frame).hash);
        await page.settled();
        equal(await page.document(), document, `the frame of ${name}`);
      }
    },
  },
  {
    name: 'oEmbed: an answer is as high as its content in the width that a site allows, and no higher than it allows',
    async run(page, origin) {
      const asked = (name, query) => page.run(`return (await fetch(values[0])).json()`,
        `${name === '' ? '/oembed' : `/oembed/${name}`}.json?${query}`);
      const seen = [];
      for (const [name, width] of [['', 760], ['bahdanau', 480], ['stacked-hops', 320], ['hard-sample', 640]]) {
        const answer = await asked(name, `maxwidth=${width}&url=anything`);
        equal(answer.width, width, 'its width');
        seen.push([name, width, answer]);
      }
      const low = await asked('bahdanau', 'maxheight=200');
      ok(low.height === 200 && low.html.includes(' height="200"'), `no higher than 200: ${low.height}`);
      for (const [name, width, answer] of seen) {
        await page.leave();
        await page.driver.goto(origin + frameIn(answer));
        const height = await heightIn(page, width);
        // Fonts differ a little between machines.
        ok(Math.abs(height - answer.height) <= 12, `${name || 'the example'} at ${width}: ${height}, the answer has ${
          answer.height}. Measure again: node tests/web/measure_embeds.mjs`);
      }
    },
  },
];
