// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// The real model: its conversion against a forward pass that shares nothing with the engine, and its way to the page.
import { beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, readPackage } from '../../tools/real/package.mjs';
import { parametersOf } from '../../tools/real/parameters.mjs';
import { converted, documentOf } from '../../tools/real/convert.mjs';
import { forward } from '../../tools/real/forward.mjs';
import { bytesByColumn } from '../../tools/real/store.mjs';
import { piecesOf } from '../../tools/real/tokenizer.mjs';
import { Result } from '../src/engine/result.ts';
import type { Engine } from '../src/engine/types.ts';
import { Delivery, isWhole, Lost } from '../src/real/download.ts';
import { goesOn, inSplinters, isForeign, Pieces, textOf } from '../src/real/pieces.ts';
import { giveWeights, startEngine } from '../plugins/engine-start.ts';

const SENTENCES = ['The bank of the river', 'The bank lent him money', "It wasn't good at all"];

describe('int8 by column', () => {
  it('no number is off by more than half a step of its own column', () => {
    const data = Float32Array.from([1, -0.01, 0.5, 0.02, -0.25, 0.005]);
    const { bytes, scale } = bytesByColumn({ shape: [3, 2], data });
    expect(scale.shape).toEqual([1, 2]);
    data.forEach((x, k) => expect(Math.abs(bytes[k]! * scale.data[k % 2]! - x))
      .toBeLessThanOrEqual(scale.data[k % 2]! * 0.5001));
  });

  it('each head of a matrix has its own columns', () => {
    const { scale } = bytesByColumn({ shape: [2, 2, 1], data: Float32Array.from([1, 0, 0.1, -0.2]) });
    expect(scale.shape).toEqual([2, 1, 1]);
    expect([...scale.data].map((x) => x * 127)).toEqual([expect.closeTo(1, 6), expect.closeTo(0.2, 6)]);
  });
});

describe.skipIf(!isInstalled())('Universal Sentence Encoder Lite', () => {
  let engine: Engine;
  let model: ReturnType<typeof readPackage>;
  let files: NonNullable<ReturnType<typeof converted>>;
  const run = (text: string): Result => {
    const document = documentOf();
    const path = piecesOf(model.pieces, text);
    document.inputs = { text: { shape: [path.length, 1], data: path.map(({ id }) => id),
      labels: path.map(({ piece }) => piece) } };
    const { directory, data } = engine.run(JSON.stringify(document));
    const parsed = JSON.parse(directory);
    expect(parsed.ok, JSON.stringify(parsed.error)).toBe(true);
    return new Result(parsed, data);
  };
  // The largest difference of a weight, and of a number of the sentence's vector.
  const apart = (text: string): [number, number] => {
    const result = run(text);
    const golden = forward(parametersOf(model), piecesOf(model.pieces, text).map(({ id }) => id));
    const weights = golden.weights.flatMap((layer, l) => {
      const { data } = result.whole(`attention-${l + 1}.weights`)!;
      return layer.flat(2).map((x, k) => Math.abs(x - data[k]!));
    });
    const vector = golden.vector.map((x, k) => Math.abs(x - result.whole('sentence.output')!.data[k]!));
    return [Math.max(...weights), Math.max(...vector)];
  };

  beforeAll(async () => {
    [engine, model, files] = [await startEngine(), readPackage(), converted()!];
  }, 120_000);

  it('fits into 7.2 MB', () => expect(files.weights.length).toBeLessThan(7.2e6));

  it('float32: the document equals the forward pass to 1e-5', () => {
    giveWeights(engine, 'use-lite.safetensors', files.single());
    for (const text of SENTENCES) for (const gap of apart(text)) expect(gap, text).toBeLessThan(1e-5);
  }, 120_000);

  it('int8: weights to .015', () => {
    giveWeights(engine, 'use-lite.safetensors', files.weights);
    for (const text of SENTENCES) expect(apart(text)[0], text).toBeLessThan(0.015);
  }, 120_000);

  it('“bank” finds the river in one head and the money in another, and no head does both', () => {
    // Facts of the published weights, to two places.
    const weight = (text: string, layer: number, head: number, row: number, col: number) =>
      forward(parametersOf(model), piecesOf(model.pieces, text).map(({ id }) => id)).weights[layer]![head]![row]![col]!;
    expect(weight(SENTENCES[0]!, 1, 1, 1, 4)).toBeCloseTo(0.2, 2);
    expect(weight(SENTENCES[1]!, 1, 1, 1, 5)).toBeCloseTo(0.49, 2);
    expect(weight(SENTENCES[0]!, 1, 2, 1, 4)).toBeCloseTo(0.42, 2);
    expect(weight(SENTENCES[1]!, 1, 2, 1, 5)).toBeCloseTo(0.13, 2);
  });

  it('the page’s tokenizer gives the pieces of a search for the best ones', async () => {
    const pieces = await Pieces.read(files.tokenizer);
    for (const text of [...SENTENCES, 'naïve café №5', 'ﬁne', 'المصرف النهر', 'a😀b', '日本語 text'])
      expect(pieces.cut(text).ids, text).toEqual(piecesOf(model.pieces, text).map(({ id }) => id));
    expect(pieces.cut('  ')).toEqual({ ids: [], pieces: [] });
    expect(textOf(pieces.cut('  The bank\tlent him money ').pieces)).toBe('The bank lent him money');
    expect(isForeign(pieces.cut('日本語'))).toBe(true);
    expect(isForeign(pieces.cut('The bank'))).toBe(false);
    expect(pieces.cut('lent').pieces.map(goesOn)).toEqual([false, true]);
    for (const text of [...SENTENCES, 'The dogs barked and jumped loudly', 'Attention is all you need'])
      expect(inSplinters(pieces.cut(text)), text).toBeUndefined();
    for (const text of ['Der Hund jagt die Katze', 'Il gatto dorme sul divano', 'Wie geht es dir']) {
      const found = inSplinters(pieces.cut(text))!;
      expect([found.words, found.broken * 2 >= found.words], text).toEqual([text.split(' ').length, true]);
      expect(text).toContain(found.example.join(''));
    }
  });
});

describe('a parcel', () => {
  const bytes = Uint8Array.from({ length: 10 }, (_, k) => k);
  const parcel = { url: 'real/x', bytes: 10,
    sha256: '1f825aa2f0020ef7cf91dfa30da4668d791c5d4824fc8e41354b89ec05795ab3' };
  const stream = (...chunks: (Uint8Array | Error)[]) => new ReadableStream<Uint8Array>({
    pull(to) {
      const next = chunks.shift();
      if (next === undefined) to.close();
      else if (next instanceof Error) to.error(next);
      else to.enqueue(next);
    },
  });
  const why = (delivery: Delivery, signal?: AbortSignal) => delivery.load(() => undefined, signal)
    .then(() => 'arrived', (problem: unknown) => (problem instanceof Lost ? problem.why : problem));

  it('is checked by its length and its hash', async () => {
    expect(await isWhole(bytes, parcel)).toBe(true);
    expect(await isWhole(bytes.slice(1), parcel)).toBe(false);
    expect(await isWhole(bytes.map((x) => x + 1), parcel)).toBe(false);
  });

  it('arrives in chunks, each of which is told', async () => {
    const told: number[] = [];
    const delivery = new Delivery(parcel, () =>
      Promise.resolve(new Response(stream(bytes.slice(0, 4), bytes.slice(4)))));
    const { bytes: all } = await delivery.load(() => told.push(delivery.received));
    expect([...all]).toEqual([...bytes]);
    expect(told).toEqual([4, 10]);
  });

  it('continues behind what is here, and begins again where the server knows no ranges', async () => {
    for (const status of [206, 200]) {
      const ranges: (string | undefined)[] = [];
      const answers = [new Response(stream(bytes.slice(0, 4), new Error('cut'))),
        new Response(stream(status === 206 ? bytes.slice(4) : bytes), { status })];
      const delivery = new Delivery(parcel, (_, options) => {
        ranges.push((options?.headers as Record<string, string> | undefined)?.['Range']);
        return Promise.resolve(answers.shift()!);
      });
      expect(await why(delivery)).toBe('connection');
      expect(delivery.received).toBe(4);
      expect([...(await delivery.load(() => undefined)).bytes]).toEqual([...bytes]);
      expect(ranges).toEqual([undefined, 'bytes=4-']);
    }
  });

  it('says why it did not come', async () => {
    const answering = (answer: () => Promise<Response>) => new Delivery(parcel, answer);
    expect(await why(answering(() => Promise.reject(new TypeError('offline'))))).toBe('connection');
    expect(await why(answering(() => Promise.resolve(new Response('', { status: 404 }))))).toBe('missing');
    expect(await why(answering(() => Promise.resolve(new Response(stream(bytes.slice(1))))))).toBe('connection');
    const damaged = answering(() => Promise.resolve(new Response(stream(bytes.toReversed()))));
    expect(await why(damaged)).toBe('damaged');
    expect(damaged.received).toBe(0);
    const stop = new AbortController();
    stop.abort();
    expect(await why(answering(() => Promise.reject(new DOMException('', 'AbortError'))), stop.signal)).toBe('stopped');
  });
});
