// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrame, writeFrame } from '../src/embed/params.ts';
import { type Choices, snippet, WAYS } from '../src/embed/snippets.ts';

const choices: Choices = { site: 'https://a.test/b/', link: '1.abc-_', full: false, hide: ['steps', 'card'],
  fixed: true, theme: 'dark', height: 500, lang: 'de', title: 'A "b" <c>', fallback: 'Open <it>' };

describe('a frame’s address', () => {
  it('comes back as it was written', () => {
    const word = fc.option(fc.constantFrom('header', 'header,steps', 'dark', 'controls,inputs'), { nil: undefined });
    fc.assert(fc.property(fc.option(fc.stringMatching(/^1\.[A-Za-z0-9_-]{1,40}$/), { nil: undefined }), word, word,
      word, fc.boolean(), (document, hide, lock, theme, full) => {
      const given = { document, hide, lock, theme, full };
      const wanted = Object.fromEntries(Object.entries(given)
        .filter(([, value]) => value !== undefined && value !== false));
      expect(readFrame(writeFrame(given))).toEqual(wanted);
    }));
  });

  it('lets nothing in that is no plain word', () => {
    expect(readFrame('#1.a&hide=%3Cscript%3E&theme=x"y&onload=1')).toEqual({ document: '1.a' });
    expect(readFrame('')).toEqual({});
  });
});

describe('the code to paste', () => {
  it('holds the document and what was chosen, escaped', () => {
    for (const way of WAYS) expect(snippet(way, choices)).toContain('1.abc-_');
    const frame = new DOMParser().parseFromString(snippet('frame', choices).replaceAll('iframe', 'x-frame'),
      'text/html').querySelector<HTMLElement>('x-frame')!;
    expect(frame.title).toBe('A "b" <c>');
    expect(frame.getAttribute('src'))
      .toBe('https://a.test/b/embed.html#1.abc-_&hide=steps,card&lock=controls,inputs&theme=dark&lang=de');
    expect(frame.getAttribute('sandbox')).toContain('allow-scripts');
    const element = new DOMParser().parseFromString(snippet('element', choices), 'text/html')
      .querySelector('attention-playground')!;
    expect([...element.attributes].map((a) => a.name).sort())
      .toEqual(['compact', 'document', 'hide', 'lang', 'lock', 'theme']);
    // Where the script cannot load, a reader has a link; a long one would make the code twice as long.
    const fallback = (given: Choices) => new DOMParser().parseFromString(snippet('element', given), 'text/html')
      .querySelector('attention-playground > a')!;
    expect([fallback(choices).textContent, fallback(choices).getAttribute('href')])
      .toEqual(['Open <it>', 'https://a.test/b/#1.abc-_']);
    for (const given of [{ ...choices, src: 'a.json' }, { ...choices, link: 'x'.repeat(2001) }])
      expect(fallback(given).getAttribute('href')).toBe('https://a.test/b/');
    // Code that can read a file beside its page names it; a frame, which cannot, has the link.
    for (const way of WAYS) {
      const code = snippet(way, { ...choices, src: 'my model.json' });
      expect([code.includes('my model.json'), code.includes('1.abc-_')], way)
        .toEqual(way === 'frame' || way === 'link' ? [false, true] : [true, false]);
    }
    const myst = snippet('myst', choices).split('\n').slice(1, -1).join('\n');
    expect(JSON.parse(myst)).toMatchObject({ document: '1.abc-_', hide: 'steps,card', lock: 'controls,inputs' });
    expect(snippet('jupyter', { ...choices, full: true })).toContain('full = traitlets.Bool(True)');
  });
});
