// @vitest-environment node
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fitted } from '../../tools/oembed.mjs';
import { answer, presetPage } from '../plugins/oembed.ts';
import type { Doc } from '../src/engine/types.ts';
import { decode } from '../src/state/hash.ts';

const site = 'https://a.test/b/';
const document: Doc = { schema: 's', title: 'A "b" <c> & d', seed: 1, inputs: { x: { tokens: ['é'] } },
  mechanism: { type: 'm' } };
const page = readFileSync(new URL('../index.html', import.meta.url), 'utf8')
  .replace('</head>', '<link rel="alternate" href="x"></head>');

describe('an oEmbed answer', () => {
  it('has all that type rich asks for, and the same frame as the dialog gives', () => {
    for (const given of [undefined, document]) {
      const found = answer(site, given);
      expect(found).toMatchObject({ version: '1.0', type: 'rich', provider_url: site, width: expect.any(Number),
        height: expect.any(Number) });
      expect(found['html']).toMatch(/^<iframe src="https:\/\/a\.test\/b\/embed\.html#[^"<>]*" title="[^"<]*" [^<>]*>/);
      expect(found['html']).toMatch(/^<iframe .*sandbox="[^"]*allow-scripts[^<>]*><\/iframe>$/);
    }
    const link = /embed\.html(#[^"]*)"/.exec(String(answer(site, document)['html']))?.[1] ?? '';
    expect(decode(link)).toEqual({ document });
  });

  it('is named by a page of its own, that begins with the preset', () => {
    const made = presetPage(page, site, 'models/rnnsearch', document);
    expect(made).toContain('<link rel="alternate" type="application/json+oembed" '
      + 'href="https://a.test/b/oembed/models-rnnsearch.json"');
    expect(made).toContain('<title>A &quot;b&quot; &lt;c> &amp; d – Attention playground</title>');
    expect(decode(/ document="([^"]*)"/.exec(made)?.[1] ?? '')).toEqual({ document });
    expect(() => presetPage('<html></html>', site, 'bahdanau', document)).toThrow('bahdanau');
  });

  it('has the height that was measured for its width, for every preset', () => {
    const names = (JSON.parse(readFileSync(new URL('../presets/gallery.json', import.meta.url), 'utf8')) as
      { presets: string[] }[]).flatMap(({ presets }) => presets);
    for (const name of ['', ...names]) {
      const { width, height, heights, html } = answer(site, document, name);
      expect(heights, name).toContainEqual([width, height]);
      expect(html, name).toContain(` height="${height}"`);
    }
    expect(() => answer(site, document, 'nobody')).toThrow('measure_embeds.mjs nobody');
  });

  it('is never wider or higher than a site allows, and as high as its content is at that width', () => {
    const whole = answer(site, document, 'bahdanau');
    const asked = (query: string) => fitted(whole, new URLSearchParams(query));
    const at = Object.fromEntries(whole.heights);
    expect(asked('')).toMatchObject({ width: 760, height: at[760] });
    expect(asked('maxwidth=2000&maxheight=9000')).toMatchObject({ width: 760, height: at[760] });
    expect(asked('maxwidth=480')).toMatchObject({ width: 480, height: at[480] });
    expect(asked('maxwidth=479')).toMatchObject({ width: 479, height: at[320] });
    expect(asked('maxwidth=200')).toMatchObject({ width: 200, height: at[320] });
    const low = asked('maxwidth=480&maxheight=300');
    expect(low).toMatchObject({ width: 480, height: 300 });
    expect(low.html).toContain('width="100%" height="300" style="border:0;max-width:480px"');
    for (const wrong of ['maxwidth=-1', 'maxwidth=wide', 'maxwidth=', 'maxwidth=0', 'maxheight=1e9'])
      expect(asked(wrong), wrong).toMatchObject({ width: 760, height: at[760] });
  });
});
