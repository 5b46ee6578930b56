// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { isSince, sinceYears } from '../src/controls/year-filter.ts';
import type { Coordinate } from '../src/engine/types.ts';
import { absent, apart, counts, FACETS, FAMILIES, entriesLeft, matching, mechanismEntry, foundByName, nearest, partOf,
  sentences, systemEntry, systemsAt } from '../src/gallery/facts.ts';
import knownAs from '../src/controls/known-as.json';
import { worded } from '../src/gallery/in-words.ts';
import { words as ar } from '../src/gallery/words/ar.ts';
import { words as de } from '../src/gallery/words/de.ts';
import { words as en } from '../src/gallery/words/en.ts';
import { speak } from '../src/strings/language.ts';
import { prose } from '../src/strings/prose.ts';
import { records } from '../src/strings/records.ts';
import { book, catalogue, systemFiles } from './runs.ts';

const systems = (catalogue.systems ?? [])
  .flatMap((one) => systemFiles.filter(({ id }) => id === one.id).map(({ document }) => ({ ...one, document })));
const entries = systems.map((one) => systemEntry(book, one, undefined));
const of = (id: string) => entries.find((one) => one.id === id)!;

// What is drawn, as text: pieces of maths and code are told by their tags.
function plain(drawn: unknown): string {
  if (Array.isArray(drawn)) return drawn.map(plain).join('');
  const { strings, values } = Object(drawn) as { strings?: readonly string[]; values?: readonly unknown[] };
  return strings === undefined ? String(drawn) : strings.map((one, k) => one + plain(values?.[k] ?? '')).join('');
}

describe('a search that nothing has as a whole', () => {
  it('is cut down to words that something has together, the rarest first', () => {
    const part = partOf(entries, 'Which system translates with local attention, please?')!;
    expect(matching(entries, part, {}).length).toBeGreaterThan(0);
    expect(part.split(' ')).toContain('translates');
    expect(part).not.toMatch(/which|please/);
  });

  it('stays as it is where all of it is found, where nothing is, and where the name is known to be absent', () => {
    expect(['transformer', 'xyzzy', 'the', knownAs.absent[0]!.names[0]!].map((text) => partOf(entries, text)))
      .toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('systems by families and facets', () => {
  it('systems with the same coordinates have the same facets of structure', () => {
    const places = (id: string) => systems.find((one) => one.id === id)!.computed
      .map(({ name, value, id: own }) => `${name} ${value ?? own}`).toSorted().join('|');
    const byPlace = new Map<string, typeof entries>();
    for (const one of entries) byPlace.set(places(one.id), [...(byPlace.get(places(one.id)) ?? []), one]);
    expect([...byPlace.values()].some((list) => list.length > 4)).toBe(true);
    for (const [place, list] of byPlace) {
      const own = list.map(({ facets }) => facets.structure.filter((word) => !/modules?$/.test(word)).join());
      expect(new Set(own).size, place).toBe(1);
    }
  });

  it('names that papers and people use lead to a system, and those of what is not here to what is nearest', () => {
    const known = new Set(entries.map(({ id }) => id));
    for (const id of Object.keys(knownAs.systems)) expect(known, id).toContain(id);
    const all = [...entries, ...catalogue.mechanisms.map(mechanismEntry)];
    for (const [search, id] of [['attention is all you need', 'transformer'], ['seq2seq', 'rnnsearch'],
      ['jointly learning to align', 'rnnsearch'], ['chatgpt', 'gpt'],
      ['grouped-query attention', 'grouped-query'], ['MQA', 'multi-query']] as const)
      expect(matching(all, search, {}).map((one) => one.id), search).toContain(id);
    const found = (search: string) => matching(entries, search, {}).map(({ id }) => id);
    expect(found('RoPE').length).toBeGreaterThan(5);
    for (const search of ['rotary', 'rotary positions', 'rotary embeddings'])
      expect(found(search), search).toEqual(found('RoPE'));
    expect(foundByName(matching(all, 'ViT', {}), 'ViT')[0]?.kind).toBe('system');
    expect(foundByName(matching(all, 'ViT', {}), 'ViT')[0]?.id).toBe('vit');
    for (const search of ['clicks', 'session', 'recommender']) expect(found(search), search).toContain('bert4rec');
    // "DIN" is inside of "embedding".
    for (const search of ['SASRec', 'DIN'])
      expect(entriesLeft(entries, search, {}).map(({ id }) => id)[0], search).toBe('bert4rec');
    for (const { names, near } of knownAs.absent) for (const name of names) {
      expect(absent(` ${name.toLowerCase()} `)).toEqual({ name, near });
      for (const id of near) expect(all.map((one) => one.id), name).toContain(id);
      // What has come into the catalogue is no longer absent.
      expect(all.filter((one) => [one.id, one.title, ...(one.mechanism?.aliases ?? [])].map((own) => own.toLowerCase())
        .includes(name.toLowerCase())), name).toEqual([]);
    }
  });

  it('every system has a family, facets, two sentences and a link', () => {
    expect(entries.length).toBeGreaterThan(70);
    for (const { id, family, facets, system } of entries) {
      expect(FAMILIES, id).toContain(family);
      expect(facets.year, id).toEqual([String(system!.paper.year)]);
      expect(facets.task.length, id).toBeGreaterThan(0);
      const { know, tryIt } = sentences(system!);
      expect(know.length, id).toBeGreaterThan(15);
      expect(tryIt.length, id).toBeGreaterThan(5);
      expect(`${know} ${tryIt}`, id).not.toMatch(/What to notice:|Try this:/);
      expect(system!.paper.link, id).toMatch(/^https:/);
    }
  });

  it('every system is told in German and Arabic as in English, and caveats that came later stay English', async () => {
    expect(systems.flatMap(({ simplified = [] }) => simplified).length).toBeGreaterThan(100);
    for (const code of ['de', 'ar'] as const) {
      await speak(code);
      const own = await records[code]!();
      const labels = [{ de, ar }[code].what, { de, ar }[code].tryIt];
      for (const system of systems) {
        const told = worded(system, own);
        expect([told.title, told.lang], system.id).toEqual([own.systems[system.id]!.title, undefined]);
        for (const part of [told.know, told.tryIt]) {
          expect(plain(part), system.id).not.toMatch(/lang=|undefined/);
          for (const label of labels) expect(plain(part), system.id).not.toContain(label);
        }
        expect(`${labels[0]}: ${plain(told.know)} ${labels[1]}: ${plain(told.tryIt)}`.toLowerCase())
          .toBe(plain(prose(own.systems[system.id]!.says)).toLowerCase());
        for (const form of ['untrained', 'trained'] as const) {
          const { simplified = [], [form]: alone = [] } = own.systems[system.id]!;
          expect(told.simplified[form].map(plain), system.id)
            .toEqual([...simplified, ...alone].map((text) => plain(prose(text))));
        }
        const differs = (all: readonly (readonly [string, unknown])[]) =>
          Object.fromEntries(all.map(([name, why]) => [name, plain(why)]));
        expect(differs(told.differs), system.id)
          .toEqual(differs(Object.entries(own.systems[system.id]!.differs ?? {})
            .map(([name, why]) => [name, prose(why!)])));
        const later = worded({ ...system, simplified: [...system.simplified ?? [], 'Something new.'] }, own);
        expect(later.simplified.trained.slice(0, later.simplified.trained.length - (system.trained ?? []).length)
          .map(plain).every((one) => one.includes('lang="en"')), system.id).toBe(true);
      }
    }
    await speak('en');
    const [first] = systems;
    expect(worded(first!, undefined)).toMatchObject({ title: first!.title, lang: undefined });
  });

  it('no filter shows more than there is without it, and the list of years counts what each leaves', () => {
    const all = [...entries, ...catalogue.mechanisms.map(mechanismEntry)];
    const facets = [{}, ...FACETS.map((facet) => ({ [facet]: of('han').facets[facet][0] }))];
    for (const search of ['', 'attention', 'rope', 'KV cache']) for (const choice of facets)
      for (const only of [undefined, new Set(['han', 'gpt'])]) {
        const found = entriesLeft(all, search, choice, only);
        const without = [entriesLeft(all, '', choice, only), entriesLeft(all, search, {}, only),
          entriesLeft(all, search, choice)];
        // Where a search finds nothing, what is nearest to the name is shown instead.
        for (const wider of matching(found, search, {}).length > 0 ? without : [])
          for (const { id } of found) expect(wider.map((one) => one.id), `${search} ${id}`).toContain(id);
        for (const [year, count] of sinceYears(found.map((one) => one.year)))
          expect(found.filter((one) => isSince(one.year, year)).length, `${search} ${year}`).toBe(count);
      }
    expect(entriesLeft(all, '', {}).length).toBe(all.length);
  });

  it('families come from the documents', () => {
    const families = { rnnsearch: 'writing', transformer: 'self', han: 'levels', memn2n: 'hops',
      'show-attend-tell': 'pictures', vit: 'pictures', bidaf: 'several', 'linformer-lm': 'cheaper' };
    for (const [id, family] of Object.entries(families)) expect(of(id).family, id).toBe(family);
    // All families are there, and none swallows the rest.
    for (const family of FAMILIES) {
      const some = entries.filter((one) => one.family === family).length;
      expect(some, family).toBeGreaterThan(1);
      expect(some, family).toBeLessThan(entries.length / 2);
    }
  });

  it('what is counted is what is left', () => {
    for (const facet of FACETS) {
      for (const [value, count] of counts(entries, '', {}, facet))
        expect(matching(entries, '', { [facet]: value }).length, `${facet} ${value}`).toBe(count);
    }
    const chosen = { score: 'additive' };
    for (const [value, count] of counts(entries, 'attention', chosen, 'year'))
      expect(matching(entries, 'attention', { ...chosen, year: value }).length, value).toBe(count);
    expect(counts(entries, '', { score: 'additive' }, 'query').length).toBe(counts(entries, '', {}, 'query').length);
  });

  it('where nothing is left, it says which choice to give up', () => {
    const choice = { year: '2014', score: 'trilinear' };
    expect(matching(entries, '', choice)).toEqual([]);
    const given = nearest(entries, '', choice)!;
    const { [given.facet]: _, ...others } = choice as Record<string, string>;
    expect(matching(entries, '', others).length).toBe(given.count);
    expect(given.count).toBeGreaterThan(0);
    expect(nearest(entries, 'no such thing', choice)).toBeUndefined();
  });

  it('every facet and family has words in every language', () => {
    for (const say of [en, de, ar]) {
      for (const facet of FACETS) expect(say.facet[facet]).toBeTruthy();
      for (const family of FAMILIES) expect(say.families[family]).toHaveLength(2);
      for (const task of new Set(entries.flatMap(({ facets }) => facets.task)))
        expect(say.tasks[task], task).toBeTruthy();
    }
  });
});

describe('what is at these coordinates', () => {
  it('every system is at its own', () => {
    for (const { id, computed } of systems) {
      const found = systemsAt(systems, computed);
      expect(found.apart, id).toEqual([]);
      expect(found.systems.map((one) => one.id), id).toContain(id);
    }
  });

  it('else the nearest, with the dimensions in which they differ', () => {
    const place = (value: string, id: string | null): Coordinate => ({ group: 'g', name: 'scoring', value, id });
    expect(apart([place('a', null)], [place('a', 'x')])).toEqual([]);
    expect(apart([place('a', null), place('b', null)], [place('b', null), place('a', null)])).toEqual([]);
    expect(apart([place('a', null)], [])).toEqual(['scoring']);
    const han = systems.find(({ id }) => id === 'han')!;
    const elsewhere = han.computed.map((one) => (one.name === 'scoring' ? { ...one, value: 'unheard of' } : one));
    expect(systemsAt(systems, elsewhere).apart).toEqual(['scoring']);
  });
});

it('a search goes through mechanisms and systems alike', () => {
  const all = [...entries, ...catalogue.mechanisms.map(mechanismEntry)];
  expect(all.length).toBeGreaterThan(300);
  expect(matching(all, 'bahdanau additive', {}).map(({ id }) => id)).toContain('rnnsearch');
  expect(matching(all, 'sinkhorn', {}).some(({ kind }) => kind === 'mechanism')).toBe(true);
});

it('the kernel regression of statistics and the network of physics lead to their mechanism', () => {
  const entries = [...book.catalogue.mechanisms.map(mechanismEntry)];
  for (const search of ['Nadaraya', 'watson', 'kernel regression'])
    expect(entriesLeft(entries, search, {}).map(({ id }) => id), search)
      .toEqual(expect.arrayContaining(['similarity-rbf', 'gaussian-attention-softmax']));
  expect(entriesLeft(entries, 'Hopfield', {}).map(({ id }) => id)).toEqual(['scaled-dot', 'softmax']);
});

it('what bears the name that was searched for is found by it, the shortest name first', () => {
  const found = matching([...entries, ...catalogue.mechanisms.map(mechanismEntry)], 'linear attention', {});
  expect(found[0]!.id).not.toBe('linear');
  expect(foundByName(found, 'Linear  attention')[0]!.id).toBe('linear');
  // The own name comes before a system that is known as it, too.
  const all = [...entries, ...catalogue.mechanisms.map(mechanismEntry)];
  expect(foundByName(matching(all, 'Gated DeltaNet', {}), 'Gated DeltaNet')[0]!.id).toBe('gated-deltanet');
  expect(foundByName(found, ' ')).toEqual([]);
});
