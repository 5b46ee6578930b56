// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { System } from '../src/engine/types.ts';
import { type Ahead, lastsSaid, pressSaid, secondsOf } from '../src/learned/duration.ts';
import { documentIn } from '../src/learned/open.ts';
import { bySeeds, fails, failures, inShort, mapSentences, percent, verdictOf } from
  '../src/learned/result-sentences.ts';
import type { LearnedMap, OtherSeed, Record as Recorded } from '../src/learned/types.ts';
import { speak } from '../src/strings/language.ts';
import { phrase } from '../src/strings/quote.ts';
import { WHOLE } from './whole.ts';

const root = join(import.meta.dirname, '../..');
const record = JSON.parse(readFileSync(join(root, 'data/learned.json'), 'utf8')) as { [id: string]: Recorded };
const shipped = Object.entries(record).filter(([, { left }]) => !left);
const file = (id: string) => new Uint8Array(readFileSync(join(root, `examples/trained/systems/${id}.safetensors`)));
const map = (share: number, untrained: number): LearnedMap => ({ map: 'm.weights', heads: 1, head: 0, reading: 'only',
  examples: 250, share, untrained });

afterEach(() => speak('en'));

// "There are two layers of four heads": a word says how many.
const NUMBERS = ['zero', 'one', 'two', 'three', 'four'];
const LAYERS = /^There are (\w+) layers? of (\w+)(?: query)? heads?\b/;
// Of the trained document most of what the other one lacks is wrong: it has a task, a loss and learned words.
const CONTRADICTS =
  /one hidden state|\bno loss\b|\buntrained\b|[Nn]o training|predicts no |seeded|from the seed|is left out: a margin/;

describe('what a trained system leaves out of its paper', () => {
  const caveatsOf = (id: string) => {
    const { simplified = [], trained = [] } =
      JSON.parse(readFileSync(join(root, `systems/${id}.json`), 'utf8')) as System;
    return [...simplified, ...trained];
  };
  const documents = shipped.map(([id]) => ({ id, caveats: caveatsOf(id), document: documentIn('it', file(id)) }));

  it('is true of the document that opens, which has a task, a loss and learned words', () => {
    expect(documents.flatMap(({ caveats }) => caveats).length).toBeGreaterThan(100);
    for (const { id, caveats, document } of documents) {
      expect(document['training'], id).toBeDefined();
      for (const input of Object.values(document.inputs)) expect(input['features'], id).toBeUndefined();
      for (const caveat of caveats) expect(caveat, id).not.toMatch(CONTRADICTS);
    }
  });

  it('counts the layers and the heads of that document', () => {
    let counted = 0;
    for (const { id, caveats, document } of documents) {
      const [, layers = '', heads = ''] = caveats.map((one) => LAYERS.exec(one)).find((one) => one) ?? [];
      if (!layers || heads === 'one') continue;
      const counts = JSON.stringify(document['model']).match(/"count":\d+/g) ?? [];
      const [layer, head] = [layers, heads].map((word) => NUMBERS.indexOf(word.toLowerCase()));
      expect([counts.length, ...new Set(counts)], id).toEqual([layer, `"count":${head}`]);
      counted++;
    }
    expect(counted).toBeGreaterThan(10);
  });
});

describe('what is said of a trained system', () => {
  it('is a verdict by the measured share, against the untrained one too', () => {
    expect(verdictOf(map(0.95, 0.1))).toBe('shows');
    expect(verdictOf(map(0.6, 0.1))).toBe('often');
    expect(verdictOf(map(0.3, 0.1))).toBe('not');
    expect(verdictOf(map(0.85, 0.8))).toBe('not');
  });

  it('has its numbers in it, good or bad', () => {
    for (const [id, one] of shipped) {
      const said = mapSentences(one).join(' ');
      // Where answers need two facts, hops are described in place of one map.
      if (!one.map || one.hops) continue;
      for (const share of [one.map.share, one.map.untrained]) expect(said, id).toContain(percent(share));
      expect(said.includes('does not show'), id).toBe(verdictOf(one.map) === 'not');
      expect(said.includes('Its largest weight'), id).toBe(one.map.pinned?.right === false);
    }
    // Both kinds are among them, so that neither sentence goes unseen.
    const verdicts = shipped.flatMap(([, one]) => (one.map ? [verdictOf(one.map)] : []));
    expect(verdicts).toContain('shows');
    expect(verdicts).toContain('not');
  });

  it('of words that are compared says so, and names both', () => {
    const compared = shipped.filter(([, { map: one }]) => one?.reading === 'compared');
    expect(compared.length).toBeGreaterThan(0);
    for (const [id, one] of compared) {
      const said = mapSentences(one).join(' ');
      expect(said, id).toMatch(/^The map (often shows|shows|does not show) which words are compared\./);
      expect(said, id).toContain(`the row of the word in the second sentence, “${one.map?.pinned?.word}”`);
    }
  });

  it('counts for each hop how often it reads which of two facts', () => {
    const { hops } = record['memn2n']!;
    const said = mapSentences(record['memn2n']!);
    expect(said[0]).toBe('The map of hop 2 shows where the answer comes from.');
    const blind = { examples: 9, each: [{ map: 'm.weights.0', first: 1, second: 0.2 }] };
    expect(mapSentences({ ...record['memn2n']!, hops: blind })[0]).toBe('No hop shows where the answer comes from.');
    expect(said).toContain(`${hops!.examples} of the held-out questions need two facts: ${
      ''}the first leads to the second, which has the answer.`);
    for (const [hop, { first, second }] of hops!.each.entries()) {
      expect(said).toContain(`The largest weight of hop ${hop + 1} is on the first fact for ${
        ''}${percent(first)} of these questions, ${
        ''}and on the second fact for ${percent(second)}.`);
    }
    expect(mapSentences(record['llama']!).join(' ')).not.toContain('two facts');
  });

  it('says whether it holds for other seeds, or that none was tried', () => {
    const told = { measured: { heldOut: 500, accuracy: 0.9, exact: 0.9, heldOutLoss: 1 }, map: map(0.9, 0.1) };
    const same: OtherSeed = { seed: 2, accuracy: 0.86, share: 0.85, untrained: 0.2 };
    const worse = { ...same, accuracy: 0.84 }, elsewhere = { ...same, share: 0.7 }, blind = { seed: 3, accuracy: 0.9 };
    expect(bySeeds(told)).toContain('Other seeds were not tried');
    expect(bySeeds({ ...told, seeds: [same, same, same, worse] })).toBe('In 3 of 4 training runs with different '
      + 'seeds, about as many tokens are right, and the verdict on the map is the same.');
    for (const odd of [worse, elsewhere, blind])
      expect(bySeeds({ ...told, seeds: [same, same, odd, odd] }))
        .toMatch(/^Other seeds.* of 4 more training runs, only 2/);
    expect(bySeeds({ ...told, map: undefined, seeds: [blind] })).toBe(
      'In 1 of 1 training runs with different seeds, about as many tokens are right.');
    const hops = (first: number, second: number) => ({ examples: 9, each: [{ map: 'm.weights.0', first, second }] });
    const read = { ...told, hops: hops(0.9, 0), seeds: [hops(0.85, 0), hops(0.7, 0.1), hops(0, 0.9), undefined]
      .map((one, k) => ({ ...same, seed: k, hops: one })) };
    // What is told of hops is asked of them, so that one sentence never speaks against another.
    expect(bySeeds(read)).toBe('Other seeds give different results: of 4 more training runs, only 1 got about as many '
      + 'tokens right, with each hop reading the same fact.');
    expect(bySeeds(shipped.find(([id]) => id === 'memn2n')![1])).toContain('In 4 of 4 training runs');
  });

  it('never rounds to all what is not all', () => {
    expect(percent(1)).toBe('100%');
    expect(percent(0.998)).toBe('99.8%');
    expect(percent(0.9999)).toBe('99.9%');
    expect(percent(0.42)).toBe('42%');
  });

  it('tells a mistake where there is one, and says so where none was found', () => {
    for (const [id, { measured, wrong, longer }] of shipped) {
      const said = fails({ measured, wrong, longer } as Recorded).join(' ');
      if (measured.exact === 1) expect(said, id).toMatch(/No failure was found|It fails on sizes/);
      else expect(said, id).toContain(`${Math.round(measured.heldOut * (1 - measured.exact))} of ${measured.heldOut}`);
    }
  });

  it('names at what it fails as the sentence does', () => {
    const kinds = new Set<string>();
    for (const [id, one] of shipped) {
      const at = failures(one as Recorded), said = fails(one as Recorded).join(' ');
      expect(at.includes('examples'), id).toBe(said.includes('examples wrong'));
      expect(at.includes('beyond'), id).toBe(said.includes('It fails on sizes'));
      kinds.add(at.join() || 'nothing');
    }
    expect(kinds.size).toBeGreaterThan(2);
  });

  it('is whole in every language', async () => {
    for (const language of WHOLE) {
      await speak(language);
      const own = mapSentences(record['llama']!)[0];
      expect(own, language).toMatch({ en: /^The map/, de: /^Die Attention-Karte/, ar: /^تُظهر/ }[language]);
      for (const [id, one] of shipped) {
        const said = [...mapSentences(one), ...fails(one), inShort(one), bySeeds(one)];
        for (const sentence of said) expect(sentence, `${language} ${id}`).not.toMatch(/[{}]|undefined|NaN/);
      }
    }
  });
});

it('names the sizes outside of a training in the language of its sentence', async () => {
  const far = shipped.filter(([, one]) => one.longer?.accuracy !== undefined);
  expect(far.length).toBeGreaterThan(5);
  for (const language of WHOLE) {
    await speak(language);
    for (const [id, one] of far) {
      const { title } = one.longer!, said = fails(one).join(' ');
      if (!said.includes(phrase(title!))) expect(failures(one), id).toEqual(['examples']);
      if (language !== 'en') expect(said, `${language} ${id}`).not.toContain(title);
    }
    const bert = { en: 'Maximum number of nouns before the verb', de: 'Höchstzahl der Substantive vor dem Verb',
      ar: 'أكبر عدد للأسماء قبل الفعل' }[language];
    expect(fails(record['bert']!).join(' '), language).toContain(bert);
  }
});

describe('what is said of a training before it runs', () => {
  const paces = JSON.parse(readFileSync(join(root, 'data/learned-pace.json'), 'utf8')) as { [id: string]: number };

  it('is the time that its steps take at the speed that was measured', () => {
    expect(secondsOf({ steps: 900, perSecond: 45 })).toBe(20);
    expect(secondsOf({ steps: 900 })).toBeUndefined();
    expect(pressSaid({ steps: 900, perSecond: 45 }, false)).toBe('Train it here (about 20 seconds)');
    expect(pressSaid({ steps: 900, perSecond: 45 }, true)).toBe('Train it from the start (about 20 seconds)');
    expect(pressSaid({ steps: 3, perSecond: 45 }, false)).toContain('(about 1 second)');
    expect(pressSaid({ steps: 900 }, false)).toBe('Train it here');
    expect(lastsSaid({ steps: 900, perSecond: 45 })).toContain('takes 900 steps. We measured 45 steps per second');
    expect(lastsSaid({ steps: 900 })).not.toContain('measured');
  });

  it('is more than a minute from the first second beyond it, and then in minutes', () => {
    expect(pressSaid({ steps: 60, perSecond: 1 }, false)).toContain('(about 60 seconds)');
    expect(pressSaid({ steps: 61, perSecond: 1 }, false)).toContain('(about 2 minutes)');
    expect(pressSaid({ steps: 300, perSecond: 1 }, false)).toContain('(about 5 minutes)');
    expect(lastsSaid({ steps: 60, perSecond: 1 })).not.toContain('more than a minute');
    expect(lastsSaid({ steps: 61, perSecond: 1 })).toContain('more than a minute');
  });

  it('is known of systems with a training alone, and whole in every language', async () => {
    expect(Object.keys(paces).filter((id) => !record[id])).toEqual([]);
    for (const language of WHOLE) {
      await speak(language);
      for (const [id, { steps }] of Object.entries(record)) {
        const ahead = { steps, perSecond: paces[id] } as Ahead;
        for (const one of [pressSaid(ahead, true), pressSaid(ahead, false), lastsSaid(ahead)])
          expect(one, `${language} ${id}`).not.toMatch(/[{}]|undefined|NaN/);
        expect(lastsSaid(ahead), `${language} ${id}`).toMatch(/\d/);
      }
      const minutes = pressSaid({ steps: 120, perSecond: 1 }, false).replace(/[\u2068\u2069]/g, '');
      expect(minutes).toBe({ en: 'Train it here (about 2 minutes)', de: 'Hier trainieren (etwa 2 Minuten)',
        ar: 'درّبه هنا (نحو دقيقتين)' }[language]);
    }
  });
});

describe('the file of a trained system', () => {
  it('holds the document, which asks for the weights by its name', () => {
    const document = documentIn('systems/llama.safetensors', file('llama'));
    expect(document['title']).toBe('Llama');
    expect(document['parameters']).toEqual({ from: 'systems/llama.safetensors' });
  });

  it('is refused where it is cut short, is no such file, or has no document', () => {
    expect(() => documentIn('w', file('llama').subarray(0, 100))).toThrow(/not a file of weights/);
    expect(() => documentIn('w', file('llama').subarray(0, -9))).toThrow(/outside the file/);
    expect(() => documentIn('w', new TextEncoder().encode('<!doctype html>'))).toThrow(/not a file of weights/);
    const empty = new Uint8Array(10);
    empty.set([2, 0, 0, 0, 0, 0, 0, 0, 123, 125]);
    expect(() => documentIn('w', empty)).toThrow(/no document/);
  });
});
