// SPDX-License-Identifier: Apache-2.0
// A tensor can come from one whose numbers the document leaves out.
import { expect, it } from 'vitest';
import { courseMaps } from '../src/directory/steps-in-time.ts';
import { runs, systemFiles } from './runs.ts';

const document = { ...systemFiles.find(({ id }) => id === 'memn2n')!.document };

it('is found behind the tensors whose numbers are here', () => {
  const [whole] = runs([document]);
  const maps = courseMaps(whole!);
  const hops = whole!.all('outputs').filter(({ role }) => role === 'weights');
  const [result] = runs([{ ...document, outputs: hops.map(({ name }) => name) }]);
  const sources = result!.tensors.flatMap(({ from }) => from ?? []);
  const outside = sources.filter((at) => at >= result!.tensors.length);
  expect(outside.length).toBeGreaterThan(0);
  for (const at of outside) expect(result!.left).toContain(result!.entryAt(at));
  expect(courseMaps(result!).map(({ name }) => name)).toEqual(maps.map(({ name }) => name));
});
