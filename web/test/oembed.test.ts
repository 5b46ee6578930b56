// @vitest-environment node
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
    const made = presetPage(page, site, 'one', document);
    expect(made).toContain('<link rel="alternate" type="application/json+oembed" '
      + 'href="https://a.test/b/oembed/one.json"');
    expect(made).toContain('<title>A &quot;b&quot; &lt;c> &amp; d – Attention playground</title>');
    expect(decode(/ document="([^"]*)"/.exec(made)?.[1] ?? '')).toEqual({ document });
    expect(() => presetPage('<html></html>', site, 'one', document)).toThrow('one');
  });
});
