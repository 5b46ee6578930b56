// SPDX-License-Identifier: Apache-2.0
// The buttons that save everything in one file: what a reader is told when not all of it can be had.
import { ContextProvider } from '@lit/context';
import { unzipSync } from 'fflate';
import { afterEach, expect, it, vi } from 'vitest';
import '../src/strings/en-later.ts';
import { Result } from '../src/engine/result.ts';
import type { Directory, Located } from '../src/engine/types.ts';
import { page } from '../src/part.ts';
import { speak } from '../src/strings/language.ts';
import { everything } from '../src/take/everything.ts';
import type { Piece } from '../src/take/in-pieces.ts';
import { allJson, beyondText, csvOf, csvZip, jsonOf } from '../src/take/numbers.ts';
import { plainNames } from '../src/take/plain-names.ts';
import { TensorsElement } from '../src/take/tensors.ts';
import { words } from '../src/take/words.ts';
import { output } from './directory.ts';
import { bytesOf, textOf } from './pieces.ts';

const written = vi.hoisted((): { fails: boolean; wait: Promise<void>; pieces?: () => Generator<Piece>;
  saved: number } => ({ fails: false, wait: Promise.resolve(), saved: 0 }));
// Without a browser no fonts can be declared.
vi.mock('../src/styles/math.ts', () => ({}));
vi.mock('../src/take/everything.ts', async (load) => {
  const real = await load<typeof import('../src/take/everything.ts')>();
  return { ...real, everything: async (...given: Parameters<typeof real.everything>) => {
    await written.wait;
    return real.everything(...given);
  } };
});
vi.mock('../src/take/numbers.ts', async (load) => {
  const real = await load<typeof import('../src/take/numbers.ts')>();
  return { ...real, allJson: (...given: Parameters<typeof real.allJson>) => {
    if (written.fails) throw new RangeError('Invalid string length');
    return written.pieces?.() ?? real.allJson(...given);
  }, csvOf: (...given: Parameters<typeof real.csvOf>) => {
    if (written.fails) throw new RangeError('Invalid string length');
    return written.pieces?.() ?? real.csvOf(...given);
  } };
});
vi.mock('../src/state/save.ts', async (load) =>
  ({ ...await load<typeof import('../src/state/save.ts')>(), save: () => written.saved++ }));
/** Pieces without end, of which each takes as long as a slice of work. */
function* endless(): Generator<Piece> {
  for (;;) {
    for (const end = performance.now() + 15; performance.now() < end;);
    yield { part: '1', numbers: 1 };
  }
}
afterEach(() => {
  written.fails = false;
  delete written.pieces;
  return speak('en');
});

const directory = { ok: true, warnings: [], measures: {}, labels: {},
  document: { schema: 's', title: 'T', inputs: {}, mechanism: {} },
  tensors: [{ ...output('small', [2], ['m']), offset: 0 }, { ...output('weights', [2, 3], ['m', 'n']), offset: 0 },
    { ...output('cube', [1, 2, 2], ['h', 'm', 'n']), offset: 0 }] } as unknown as Directory;
const result = new Result(directory, Float32Array.from([0.25, 0.75, 0, 0.1, 0.001, 0.899]));
const named = (found: ReadonlySet<unknown>) => [...plainNames(result)].filter(([one]) => found.has(one))
  .map(([, name]) => name);

it('leaves the largest tensors out of text, and names them', () => {
  expect(named(beyondText(result, false))).toEqual([]);
  expect(named(beyondText(result, false, 12))).toEqual([]);
  expect(named(beyondText(result, false, 11))).toEqual(['outputs.weights']);
  // In a table each number of three axes has a line with three more cells.
  expect(named(beyondText(result, true, 8))).toEqual(['outputs.cube']);
  const beyond = beyondText(result, false, 11);
  const json = JSON.parse(textOf(allJson(result, named(beyond), beyond))) as { outputs: object; left_out: string[] };
  expect([Object.keys(json.outputs), json.left_out]).toEqual([['small', 'cube'], ['outputs.weights']]);
  expect(Object.keys(unzipSync(bytesOf(csvZip(result, [], beyond))))).toEqual(['outputs.small.csv', 'outputs.cube.csv',
    'rows_of_outputs.weights.csv']);
});

const left = new Result({ ...directory, left: [{ ...output('logits', [9, 9], []), offset: 0 }] } as never,
  Float32Array.from([0.25, 0.75, 0, 0.1, 0.001, 0.899]));
const failing = (error: Partial<Located>) => ({ ask: () => Promise.resolve({ text: JSON.stringify({ ok: false,
  error: { path: '', message: 'it', ...error } }) }) }) as never;

it('tells an engine that ended from what is too large', async () => {
  const nothing = () => Promise.resolve([]);
  for (const why of ['crashed', 'stopped', 'unloaded'] as const) {
    const { lacks, missed } = await everything(failing({ [why]: true }), left, nothing);
    expect([lacks, missed]).toEqual([[], { names: ['logits'], why }]);
  }
  expect(await everything(failing({ path: '/outputs' }), left, nothing)).toEqual({ result: left, lacks: ['logits'] });
});

async function shown(client: never): Promise<{ element: TensorsElement; buttons: () => (string | null)[];
  press: () => void; said: () => string }> {
  const host = document.createElement('div');
  const store = { client, view: { theme: 'light', words: 0, tongue: 'en' }, sessions: { result: left },
    documents: { document: directory.document, base: directory.document }, comparison: {},
    book: { catalogue: { mechanisms: [] } } };
  new ContextProvider(host as never, { context: page, initialValue: store as never });
  document.body.append(host);
  const element = new TensorsElement();
  host.append(element);
  await element.updateComplete;
  const all = () => [...element.renderRoot.querySelectorAll<HTMLButtonElement>('[data-save^="all-"]')];
  return { element, press: () => all()[0]!.click(),
    buttons: () => all().map((one) => one.getAttribute('aria-disabled')),
    said: () => element.renderRoot.querySelector('[role="status"]')!.textContent!.trim() };
}

it('says that a file failed, and disables the buttons while one is made', async () => {
  let go = (): void => undefined;
  written.wait = new Promise((resolve) => (go = resolve));
  written.fails = true;
  const { element, buttons, press, said } = await shown(failing({ crashed: true }));
  press();
  await element.updateComplete;
  expect([buttons(), said()]).toEqual([['true', 'true', 'true'], '']);
  go();
  await vi.waitFor(() => expect(said()).toBe('The file could not be made.'));
  expect(buttons()).toEqual(['false', 'false', 'false']);
  written.fails = false;
  press();
  await vi.waitFor(() => expect(said()).toBe('The file lacks logits: the engine crashed. Save it again to try once '
    + 'more.'));
});

it('says that the file of one tensor failed', async () => {
  written.wait = Promise.resolve();
  written.fails = true;
  const { element, said } = await shown(failing({}));
  element.renderRoot.querySelector<HTMLElement>('[data-tensor="outputs.weights"] [data-save="csv"]')!.click();
  await vi.waitFor(() => expect(said()).toBe('The file could not be made.'));
});

it('shows how much of a file is written, and stops when it is cancelled', async () => {
  let pieces = 0;
  written.pieces = function* () {
    for (const piece of endless()) {
      pieces++;
      yield piece;
    }
  };
  const { element, buttons, press, said } = await shown(failing({ path: '/outputs' }));
  press();
  const part = (name: string) => element.renderRoot.querySelector<HTMLElement>(`[data-part="${name}"]`);
  await vi.waitFor(() => expect(part('making')?.textContent ?? '').toContain('% of the numbers are written'), 5000);
  expect(buttons()).toEqual(['true', 'true', 'true']);
  const before = pieces;
  await vi.waitFor(() => expect(pieces).toBeGreaterThan(before + 2));
  part('cancel')!.click();
  await element.updateComplete;
  expect([part('making'), buttons(), said()]).toEqual([null, ['false', 'false', 'false'], '']);
  const after = pieces;
  await new Promise((resolve) => setTimeout(resolve, 100));
  // One piece may still be on its way; without the button there would be about six.
  expect(pieces - after).toBeLessThan(3);
});

it('stops the engine when the file is cancelled while it computes', async () => {
  const stop = vi.fn();
  const { element, press } = await shown({ ask: () => new Promise(() => undefined), stop } as never);
  press();
  await vi.waitFor(() => expect(element.renderRoot.querySelector('[data-part="making"]')?.textContent ?? '')
    .toContain('Computing'));
  element.renderRoot.querySelector<HTMLElement>('[data-part="cancel"]')!.click();
  expect(stop).toHaveBeenCalledOnce();
});

it('stops no request of others when the file of one tensor is cancelled', async () => {
  const stop = vi.fn();
  written.pieces = endless;
  const { element } = await shown({ stop } as never);
  element.renderRoot.querySelector<HTMLElement>('[data-tensor="outputs.weights"] [data-save="csv"]')!.click();
  const cancel = () => element.renderRoot.querySelector<HTMLElement>('[data-part="cancel"]');
  await vi.waitFor(() => expect(cancel()).not.toBeNull());
  cancel()!.click();
  expect(stop).not.toHaveBeenCalled();
});

it('goes on with a file when the dialog is closed', async () => {
  let go = (): void => undefined;
  written.wait = new Promise((resolve) => (go = resolve));
  [written.fails, written.saved] = [false, 0];
  const { element, press } = await shown(failing({ path: '/outputs' }));
  press();
  await element.updateComplete;
  element.remove();
  go();
  await vi.waitFor(() => expect(written.saved).toBe(1));
});

it('writes long lines and lists in pieces as it writes short ones', () => {
  const long = Float32Array.from({ length: 3 * 5000 }, (_, k) => k / 8);
  const { tensors: [tensor] } = new Result({ ...directory, tensors: [{ ...output('long', [3, 5000], ['m', 'n']),
    offset: 0 }] } as never, long);
  const pieces = [...csvOf(tensor!, result)];
  expect(pieces.length).toBeGreaterThan(6);
  expect(pieces.reduce((sum, { numbers }) => sum + numbers, 0)).toBe(long.length);
  const rows = textOf(pieces).trimEnd().split('\r\n').map((row) => row.split(','));
  expect(rows.slice(1)).toEqual([0, 1, 2].map((row) =>
    [String(row), ...[...long.subarray(5000 * row, 5000 * (row + 1))].map(String)]));
  expect((JSON.parse(textOf(jsonOf(tensor!))) as { data: number[] }).data).toEqual([...long]);
});

it('says in each language how many the file lacks', async () => {
  const said = async (language: 'en' | 'de' | 'ar', list: string[]) => {
    await speak(language);
    return words().leftOut(list).replace(/[\u2066-\u2069]/g, '');
  };
  expect(await said('en', ['A', 'B'])).toBe('The file lacks A and B: they are too large for one file.');
  expect(await said('en', ['A'])).toBe('The file lacks A: it is too large for one file.');
  expect(await said('de', ['A', 'B'])).toBe('In der Datei fehlen A und B: zu groß für eine Datei.');
  expect(await said('de', ['A'])).toBe('In der Datei fehlt A: zu groß für eine Datei.');
  expect(await said('ar', ['A', 'B'])).toContain('هما أكبر من أن يسعهما');
});
