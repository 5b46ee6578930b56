// SPDX-License-Identifier: Apache-2.0
// Documents with weights of the reader's own leave as links and files, and come back elsewhere.
import '../src/strings/en-later.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readFile, readText } from '../src/bring/read.ts';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { readWeights, type Stored, valuesOf, writeWeights } from '../src/files/weights.ts';
import type { Arrived } from '../src/state/parse.ts';
import type { Store } from '../src/state/store.ts';

// Another browser: modules that have seen nothing.
async function browser() {
  vi.resetModules();
  (await import('../src/engine/weight-files.ts')).offerWeights({ 'translate.safetensors': 'translate.safetensors' });
  const [kept, own, hash, arrive, saved, contents] = await Promise.all([import('../src/engine/kept.ts'),
    import('../src/state/local-weights.ts'), import('../src/state/hash.ts'), import('../src/state/incoming-weights.ts'),
    import('../src/share/saved.ts'), import('../src/share/contents.ts'), import('../src/strings/en-later.ts')]);
  const store = (document: Doc, compare?: unknown, more: object = {}) => ({
    documents: { document }, comparison: { held: compare, on: compare !== undefined },
    view: { place: 'look', view: 'matrix', module: undefined, how: false },
    trainings: { untaken: { value: undefined } },
    selection: { chosen: {}, lock: undefined }, scales: { held: {} }, slopes: { drawn: [] }, ...more,
  }) as unknown as Store;
  return { ...kept, ...own, ...hash, ...arrive, ...saved, ...contents, store };
}
type Browser = Awaited<ReturnType<typeof browser>>;

const folder = '../examples/trained/'; // these tests run in web/
const trained = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'translated.json')
  .map((name) => name.slice(0, -5));
const NAME = 'own-7-100-abc.safetensors';
const of = (name: string): [Doc, Uint8Array] => [
  { ...JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Doc, parameters: { from: NAME } },
  new Uint8Array(readFileSync(`${folder}${name}.safetensors`))];
const plain = (bytes: Uint8Array) => {
  const file = readWeights(bytes);
  return JSON.stringify([...file.tensors.keys()].map((name) => [name, valuesOf(file, name)]));
};
const random = (count: number): Uint8Array => {
  let state = 1;
  const numbers = Float32Array.from({ length: count }, () => ((state = (state * 48271) % 2147483647) / 2 ** 31) - 0.5);
  return writeWeights({ metadata: {}, tensors: new Map<string, Stored>([['w', { dtype: 'F32', shape: [count / 100, 100],
    bytes: new Uint8Array(numbers.buffer) }]]) });
};
const arrived = (found: object): Arrived => {
  expect(found).toHaveProperty('document');
  return found as Arrived;
};

let here: Browser;
beforeEach(async () => {
  here = await browser();
});

describe('a link', () => {
  it.each(trained)('carries the own weights of %s into a browser that has seen nothing', async (name) => {
    const [document, bytes] = of(name);
    here.holdWeights(NAME, bytes);
    const link = await here.wholeLink(here.store(document));
    expect(link).toMatch(/^2\.[\w-]+\.[\w-]+$/);
    expect(link.length).toBeLessThan(100_000);
    const there = await browser();
    expect(await there.keptWeights(NAME)).toBeUndefined();
    const landed = await there.land(arrived(there.decode(`#${link}`)), true);
    expect(landed).toEqual({ document, rounded: 0 });
    expect(plain((await there.keptWeights(NAME))!) === plain(bytes)).toBe(true);
    // An embed is told of rounded weights only.
    expect(await (await browser()).land(arrived(there.decode(link)), false)).toEqual({ document });
    // The same link again, and the one that is made there, change nothing.
    expect(await there.land(arrived(there.decode(link)), true)).toEqual({ document });
    expect(await there.wholeLink(there.store(document)) === link).toBe(true);
  });

  it('carries many weights in bytes and says by how much they change, and of more it says that they stay', async () => {
    for (const [count, code] of [[32_000, 'half'], [60_000, 'bytes'], [200_000, undefined]] as const) {
      const there = await browser();
      const document = { ...of('recall')[0], parameters: { from: `own-${count}` } };
      there.holdWeights(`own-${count}`, random(count));
      const store = there.store(document);
      const link = await there.wholeLink(store);
      const { packed, tooMany } = there.carriedBy(document);
      expect([packed[0]?.code, tooMany.length], String(count)).toEqual([code, code ? 0 : 1]);
      expect(link.length).toBeLessThan(100_000);
      const { holds, lacks, file } = there.contentsOf(store);
      expect(file).toBe(code === undefined);
      const said = (code ? holds : lacks).join('\n');
      expect(said).toMatch(code === 'half' ? /32,000 trained weights, rounded to half precision.*at most 0\.000\d+/
        : code ? /60,000 trained weights, rounded to 8 bits with one scale per column.*at most 0\.00\d+/
        : /the 200,000 trained weights: the link would be longer than 100 KB\. Send the file/);
      if (!code) continue;
      const landed = await (await browser()).land(arrived(there.decode(link)), true);
      expect((landed as { rounded: number }).rounded).toBe(packed[0]!.rounding);
    }
  });

  it('brings the sender his own weights, unrounded, and never replaces what somebody trained under the same name',
    async () => {
      const document = { ...of('recall')[0], parameters: { from: NAME } };
      const exact = random(60_000);
      here.holdWeights(NAME, exact);
      const link = await here.wholeLink(here.store(document));
      expect(await here.land(arrived(here.decode(link)), true)).toEqual({ document });
      expect(await here.keptWeights(NAME)).toBe(exact);
      const there = await browser();
      const other = random(100);
      there.holdWeights(NAME, other);
      const landed = await there.land(arrived(there.decode(link)), true) as { document: Doc };
      const { from } = landed.document['parameters'] as { from: string };
      expect(from).toMatch(/^own-\w+\.safetensors$/);
      expect(from).not.toBe(NAME);
      expect(await there.keptWeights(NAME)).toBe(other);
      expect(readWeights((await there.keptWeights(from))!).tensors.get('w')!.shape).toEqual([600, 100]);
      // Those of the page itself are not replaced either.
      const shipped = { ...document, parameters: { from: 'translate.safetensors' } };
      const packet = { document: shipped, weights: { files: { 'translate.safetensors': btoa(
        String.fromCharCode(...other)) } } };
      const moved = await there.land(packet, true) as { document: Doc };
      expect((moved.document['parameters'] as { from: string }).from).toMatch(/^own-/);
    });

  it('carries the weights of both sides of a comparison', async () => {
    const [document, bytes] = of('glyphs');
    const compare = { editing: 'A', mechanism: { type: 'm' }, parameters: { from: 'own-other' } };
    here.holdWeights(NAME, bytes);
    here.holdWeights('own-other', random(1000));
    const link = await here.wholeLink(here.store(document, compare));
    const there = await browser();
    const landed = await there.land(arrived(there.decode(link)), true);
    expect(landed).toMatchObject({ document, compare });
    expect(await there.keptWeights('own-other')).toBeDefined();
  });

  it('carries only the weights that a file of the page does not have, and says which of them are untrained',
    async () => {
      const shippedBytes = new Uint8Array(readFileSync(`${folder}translate.safetensors`));
      vi.stubGlobal('document', { baseURI: 'http://here/' });
      vi.stubGlobal('fetch', async () => new Response(shippedBytes));
      try {
        const shipped = readWeights(shippedBytes);
        const [lost = '', changed = ''] = [...shipped.tensors.keys()];
        const tensors = new Map(shipped.tensors);
        tensors.delete(lost);
        tensors.set(changed, { dtype: 'F32', shape: [2], bytes: new Uint8Array(Float32Array.of(0.5, 2).buffer) });
        const file = writeWeights({ metadata: { base: 'translate.safetensors', untrained: JSON.stringify([changed]) },
          tensors });
        const document = { ...of('translate')[0], parameters: { from: NAME } };
        here.holdWeights(NAME, file);
        const link = await here.wholeLink(here.store(document));
        expect(link.length).toBeLessThan(3000);
        const { holds, lacks } = here.contentsOf(here.store(document));
        expect(holds.join()).toContain('2 trained weights');
        expect(lacks.join()).toContain('“translate.safetensors”: they come with this page');
        const there = await browser();
        const landed = await there.land(arrived(there.decode(link)), true);
        expect(landed).toEqual({ document, untrained: [changed], rounded: 0 });
        const found = readWeights((await there.keptWeights(NAME))!);
        expect([...found.tensors.keys()].toSorted()).toEqual([...tensors.keys()].toSorted());
        for (const [name, { bytes }] of tensors)
          if (name !== changed) expect(found.tensors.get(name)!.bytes, name).toEqual(bytes);
        // The same link again, and the one that is made there, change nothing.
        expect(await there.land(arrived(there.decode(link)), true)).toEqual({ document });
        expect(await there.wholeLink(there.store(document)) === link).toBe(true);
        // With other weights of these names it would be another model.
        const other = new Map(shipped.tensors);
        const last = [...other.keys()].at(-1)!;
        other.set(last, { ...other.get(last)!, bytes: other.get(last)!.bytes.map((byte) => byte ^ 1) });
        vi.stubGlobal('fetch', async () => new Response(writeWeights({ metadata: {}, tensors: other }) as BodyInit));
        const strange = await browser();
        expect(await strange.land(arrived(strange.decode(link)), true)).toMatchObject({ problem: 'weights',
          why: expect.stringContaining('other weights') });
      } finally {
        vi.unstubAllGlobals();
      }
    });

  it('that is damaged anywhere is refused, and one of an earlier release, without a checksum, opens', async () => {
    const [document, bytes] = of('recall');
    here.holdWeights(NAME, bytes);
    const link = await here.wholeLink(here.store(document));
    const bare = link.split('.').map((part, k) => (k === 0 ? part
      : Buffer.from(part, 'base64url').subarray(0, -8).toString('base64url'))).join('.');
    expect(bare.length).toBeLessThan(link.length);
    const there = await browser();
    const landed = await there.land(arrived(there.decode(bare)), true);
    expect(landed).toEqual({ document, rounded: 0 });
    expect(plain((await there.keptWeights(NAME))!) === plain(bytes)).toBe(true);
    // The sender's own weights are found again by such a link, too.
    expect(await here.land(arrived(here.decode(bare)), true)).toEqual({ document });
    // The marks that follow each checksum, and the unused bits of a last letter, are nobody's numbers.
    const parts = link.split('.').slice(1).map((part) => link.indexOf(part) + part.length);
    const free = (at: number) => link[at] === '.' || parts.some((end) => at < end && at >= end - 8);
    for (let at = 2; at < link.length; at += 997) {
      if (free(at)) continue;
      const damaged = link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1);
      const decoded = here.decode(damaged);
      const refused = 'problem' in decoded ? decoded : await here.land(decoded, true);
      expect(refused, String(at)).toHaveProperty('problem');
    }
  }, 60_000);

  it('that brings weights nobody can use, or nobody asked for, is refused in words', async () => {
    const [document] = of('recall');
    const bad = { document, weights: { links: ['AAAA'] } };
    expect(await here.land(bad, true)).toMatchObject({ problem: 'weights',
      why: expect.stringMatching(/damaged|no file/) });
    here.holdWeights('own-other', random(100));
    const other = await here.wholeLink(here.store({ ...document, parameters: { from: 'own-other' } }));
    const { weights } = arrived(here.decode(other));
    expect(await here.land({ document, weights: weights! }, true)).toEqual({ problem: 'weights',
      why: `they are called "own-other", but the document asks for "${NAME}"` });
    // What a text around a link leaves at its end is no part of it.
    for (const end of ['.', ')', ').', '%C2%BB', '”', ' '])
      expect(await here.land(arrived(here.decode(`${other}${end}`)), true), end).toHaveProperty('document');
    for (const text of [other.replace('2.', '1.'), '2.', other.split('.').slice(0, 2).join('.')])
      expect(here.decode(text)).toEqual({ problem: 'damaged' });
  });
});

const files = (path: string) => readdirSync(path).filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(path + name, 'utf8')) as Doc] as const);

describe('a saved file', () => {
  it('of every system, example and lesson opens as the same document', async () => {
    const lessons = files('src/lessons/data/').flatMap(([name, lesson]) =>
      [lesson['document'], ...(lesson['steps'] as JsonObject[]).map((step) => step['document'])]
        .filter((one) => one !== undefined).map((one) => [name, one as Doc] as const));
    const systems = files('../systems/').map(([name, { document }]) => [name, document as Doc] as const);
    expect(systems.length).toBeGreaterThan(100);
    const all = [...systems, ...files('../examples/'), ...files('../examples/models/'), ...lessons,
      ['the first page', (JSON.parse(readFileSync('src/state/example.json', 'utf8')) as { document: Doc }).document]] as
      const;
    expect(all.length).toBeGreaterThan(systems.length + 60);
    for (const [name, document] of all) {
      const text = await here.savedText(here.store(document));
      const found = readText(text);
      expect(found.kind, `${name}: ${JSON.stringify(found).slice(0, 200)}`).toBe('document');
      const { kind: _, ...given } = found as { kind: 'document' } & Arrived;
      const landed = await here.land(given, true);
      expect(landed, name).toEqual({ document });
    }
  });

  it.each(trained)('of %s holds its weights, every bit of them, and a file that is named so opens',
    async (name) => {
    const [document, bytes] = of(name);
    here.holdWeights(NAME, bytes);
    const text = await here.savedText(here.store(document));
    const there = await browser();
    const found = await readFile(new File([text], 'x.json'));
    expect(found.kind).toBe('document');
    const { kind: _, ...given } = found as { kind: 'document' } & Arrived;
    expect(await there.land(given, true)).toEqual({ document, rounded: 0 });
    expect((await there.keptWeights(NAME))!).toEqual(bytes);
    // What the place where one trains saves has the document in it.
    const weights = await readFile(new File([bytes as BlobPart], 'mine.safetensors'));
    expect(weights).toMatchObject({ kind: 'document', document: { model: document['model'],
      parameters: { from: 'own-mine.safetensors' } } });
    const { kind: __, ...other } = weights as { kind: 'document' } & Arrived;
    expect(await there.land(other, true)).toHaveProperty('document');
    expect(plain((await there.keptWeights('own-mine.safetensors'))!) === plain(bytes)).toBe(true);
  });

  it('of a comparison holds its other side, and what cannot be read says why', async () => {
    const document = files('../examples/').find(([name]) => name === 'bahdanau.json')![1];
    const compare = { editing: 'B', mechanism: { type: 'attention', query: 'self-attention' } };
    const found = readText(await here.savedText(here.store(document, compare)));
    expect(found).toMatchObject({ kind: 'document', document, compare });
    const [, bytes] = of('recall');
    const why = async (name: string, part: BlobPart) => {
      const one = await readFile(new File([part], name));
      return one.kind === 'wrong' ? one.why : one.kind;
    };
    expect(await why('w.safetensors', random(100) as BlobPart)).toContain('without their document');
    expect(await why('w.safetensors', bytes.slice(0, 9000) as BlobPart)).toContain('lie outside the file');
    const many = { schema: 's', inputs: {}, model: Array.from({ length: 65 },
      (_, k) => ({ name: `m${k}`, type: 'a' })) };
    expect(await why('x.json', JSON.stringify(many))).toContain('at most 64');
  });
});

describe('what Share says', () => {
  it('is told from what is there', async () => {
    const document = files('../examples/').find(([name]) => name === 'bahdanau.json')![1];
    const says = (store: Store) => {
      const { holds, lacks } = here.contentsOf(store);
      return [holds.join(' | '), lacks.join(' | ')];
    };
    const page = 'the language and colours of the page, and your undo steps';
    expect(says(here.store(document))).toEqual(['your document: words, numbers, choices and seed', page]);
    const more = { view: { place: 'train', view: 'matrix', how: true, lesson: 'tour' },
      selection: { chosen: { head: 2 }, lock: undefined },
      trainings: { untaken: { value: { step: 120 } } } };
    expect(says(here.store({ ...document, parameters: { from: 'translate.safetensors' } },
      { editing: 'A', mechanism: {} }, more))).toEqual([
      'your document: words, numbers, choices and seed | the other side of the comparison | your view: '
      + 'the part of the page, the expanded computation, and the chosen head',
      'the trained weights “translate.safetensors”: they come with this page | what the model under “Train” has '
      + `learned by step 120 | the lesson and your progress in it | ${page}`]);
    const lost = here.store({ ...document, parameters: { from: 'own-lost' } });
    await here.wholeLink(lost);
    expect(says(lost)[1]).toContain('the trained weights “own-lost”: they are not in this browser');
  });
});
