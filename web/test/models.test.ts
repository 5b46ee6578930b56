// SPDX-License-Identifier: Apache-2.0
// A model's inputs are what its wires say: nothing may be renamed, added or taken away when it is opened.
import { expect, it } from 'vitest';
import { isModel } from '../src/state/model.ts';
import { offered, serve } from '../src/state/roles.ts';
import { book, systemFiles } from './runs.ts';

const models = systemFiles.filter(({ document }) => isModel(document));

it.each(models.map(({ id }) => id))('%s keeps its inputs', (id) => {
  const { document } = models.find((one) => one.id === id)!;
  const opened = structuredClone(document);
  serve(book, opened, {}, ['a', 'b']);
  expect(opened).toEqual(document);
  expect(offered(book, document)).toEqual([]);
});
