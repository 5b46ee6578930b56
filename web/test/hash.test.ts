// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { deflateSync, strToU8 } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { type Compared, decode, encode, parse } from '../src/state/hash.ts';

const link = (text: string): string =>
  `1.${Buffer.from(deflateSync(strToU8(text))).toString('base64url')}`;
const plain = '{"schema":"s","inputs":{},"mechanism":{}}';

const safeKey = fc.string().filter((k) => !['__proto__', 'constructor', 'prototype', ''].includes(k));
const documents = fc.record({
  schema: fc.string({ unit: 'grapheme' }),
  seed: fc.integer(),
  inputs: fc.dictionary(safeKey, fc.record({ tokens: fc.array(fc.string({ unit: 'binary' })) })),
  mechanism: fc.dictionary(safeKey,
    fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
    fc.boolean())),
});

const mechanisms = fc.dictionary(safeKey,
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.integer(), fc.constantFrom(0, '', null, '&')));
const compared = fc.record({ editing: fc.constantFrom('A' as const, 'B' as const), mechanism: mechanisms,
  parameters: mechanisms }, { requiredKeys: ['editing', 'mechanism'] });

describe('links', () => {
  it('bring back every document as it was', () => {
    fc.assert(
      fc.property(documents, (document) => {
        // Half a character pair cannot be written in UTF-8, so the comparison is after one writing.
        const written = JSON.parse(Buffer.from(JSON.stringify(document)).toString()) as Doc;
        expect(decode(`#${encode(written)}`)).toEqual({ document: written });
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('bring back 0, false, "", null, & and every script, however deep they stand', () => {
    const odd = fc.constantFrom(0, false, '', null, '&', '&amp;#?=+/%20', 'ꙮ𝒜🏳️‍🌈', '\u202e', -0.1, 1e-300, true);
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, odd, fc.string({ unit: 'grapheme' }),
        fc.array(tie('any'), { maxLength: 4 }), fc.dictionary(safeKey, tie('any'), { maxKeys: 4 })),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(safeKey, value), fc.dictionary(safeKey, value), (mechanism, parameters) => {
        const written = JSON.parse(Buffer.from(
          JSON.stringify({ schema: '', inputs: {}, mechanism, parameters, seed: 0 })).toString()) as Doc;
        const link = encode(written);
        expect(link).toMatch(/^1\.[\w-]*$/);
        expect(decode(`#${link}`)).toEqual({ document: written });
      }),
      { seed: 11, numRuns: 200 },
    );
  }, 60_000);

  it('bring back what a document is compared with, beside the document', () => {
    fc.assert(
      fc.property(documents, fc.option(compared, { nil: undefined }), (document, other) => {
        const [written, compare] = JSON.parse(Buffer.from(JSON.stringify([document, other ?? null]))
          .toString()) as [Doc, Compared | null];
        const back = decode(`#${encode(written, compare ?? undefined)}`);
        expect(back).toEqual(compare ? { document: written, compare } : { document: written });
        expect('document' in back && 'compare' in back.document).toBe(false);
      }),
      { seed: 13, numRuns: 300 },
    );
  });

  it('are damaged when what they compare with is nothing of the kind', () => {
    const one = JSON.parse(plain) as object;
    for (const compare of [0, '', null, [], {}, { editing: 'C', mechanism: {} }, { editing: 'A' },
      { editing: 'A', mechanism: [] }, { editing: 'A', mechanism: {}, parameters: 1 },
      { editing: 'B', mechanism: {}, more: 1 }]) {
      expect(decode(link(JSON.stringify({ ...one, compare })))).toEqual({ problem: 'damaged' });
    }
  });

  it('never throw, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decode(`#${text}`)).toHaveProperty('problem');
        expect(['damaged', 'hostile']).toContain((decode(`#1.${text}`) as { problem: string }).problem);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('are read in the short forms that the engine takes', () => {
    const id = readFileSync('../tests/experiment/broken/mechanism-as-id.json', 'utf8'); // these tests run in web/
    expect(parse(id)).toEqual({ document: { ...JSON.parse(id) as object, mechanism: { type: 'linear' } } });
    expect(decode(link('{"schema":"s","mechanism":{"type":"m"}}')))
      .toEqual({ document: { schema: 's', inputs: {}, mechanism: { type: 'm' } } });
    expect(parse('{"schema":"s","inputs":{},"model":[{"name":"a","score":"dot"}]}'))
      .toEqual({ document: { schema: 's', inputs: {}, model: [{ name: 'a', type: 'attention', score: 'dot' }] } });
  });

  it('are refused when a key could reach a prototype', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = `{"schema":"s","inputs":{},"mechanism":{"type":"x","score":{"${key}":{"polluted":1}}}}`;
      expect(decode(link(text))).toEqual({ problem: 'hostile' });
      expect(parse(text)).toEqual({ problem: 'hostile' });
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('say when another version made them', () => {
    expect(decode('#3.abc')).toEqual({ problem: 'version' });
  });

  it('are refused when cut off, when they inflate without end, or hold something else', () => {
    const whole = link(plain);
    expect(decode(whole)).toHaveProperty('document');
    expect(decode(whole.slice(0, -6))).toEqual({ problem: 'damaged' });
    expect(decode(link(`"${'a'.repeat(6_000_000)}"`))).toEqual({ problem: 'hostile' });
    expect(decode(link('[1,2]'))).toEqual({ problem: 'damaged' });
    expect(decode(link('{"schema":"s","inputs":{"x":{"tokens":[1]}},"mechanism":{}}'))).toEqual({ problem: 'damaged' });
  });
});
