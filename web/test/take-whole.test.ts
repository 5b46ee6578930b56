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
import { allJson, beyondText, csvZip } from '../src/take/numbers.ts';
import { plainNames } from '../src/take/plain-names.ts';
import { TensorsElement } from '../src/take/tensors.ts';
import { words } from '../src/take/words.ts';
import { output } from './directory.ts';

const written = vi.hoisted(() => ({ fails: false, wait: Promise.resolve() }));
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
    return real.allJson(...given);
  } };
});
afterEach(() => {
  written.fails = false;
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
  const json = JSON.parse(allJson(result, named(beyond), beyond)) as { outputs: object; left_out: string[] };
  expect([Object.keys(json.outputs), json.left_out]).toEqual([['small', 'cube'], ['outputs.weights']]);
  expect(Object.keys(unzipSync(csvZip(result, [], beyond)))).toEqual(['outputs.small.csv', 'outputs.cube.csv',
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
    documents: { document: directory.document }, comparison: {}, book: {} };
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
