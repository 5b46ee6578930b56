// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import './no-window.ts';
import { expect, it } from 'vitest';
import { bibtexOf } from '../src/card/bibtex.ts';
import { book } from './choosing.ts';

const paper = (authors: string, year: number, link: string) => ({ authors, year, link, where: 'x' });

it('an entry has what the catalogue knows of a paper and nothing else', () => {
  expect(bibtexOf([paper('Jiang et al.', 2023, 'https://arxiv.org/abs/2310.06825')])).toBe(
    '@misc{jiang2023,\n  author = {Jiang and others},\n  year = {2023},\n  eprint = {2310.06825},\n'
    + '  archivePrefix = {arXiv},\n  url = {https://arxiv.org/abs/2310.06825}\n}');
  expect(bibtexOf([paper('Hochreiter, Schmidhuber', 1997, 'https://doi.org/10.1162/neco.1997.9.8.1735')]))
    .toContain('author = {Hochreiter and Schmidhuber},\n  year = {1997},\n  doi = {10.1162/neco.1997.9.8.1735}');
  expect(bibtexOf([paper('Gemma Team', 2024, 'https://arxiv.org/abs/2408.00118')]))
    .toContain('author = {{Gemma Team}}');
  const several = bibtexOf([paper('dos Santos, Tan & Zhou', 2016, 'x'), paper('AT&T Labs', 1999, 'y')]);
  expect(several).toContain('@misc{santos2016,\n  author = {{dos Santos} and Tan and Zhou}');
  expect(several).toContain('author = {{AT\\&T Labs}}');
});

it('a paper comes once, and every paper of the catalogue has a key of its own', () => {
  const all = bibtexOf(book.catalogue.mechanisms.flatMap(({ source }) => (source ? [source] : [])));
  const keys = [...all.matchAll(/@misc\{([^,]*),/g)].map(([, key]) => key!);
  expect(keys.length).toBeGreaterThan(100);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[a-z]+\d{4}[a-z]?$/.test(key))).toEqual([]);
  expect((all.match(/\{/g) ?? []).length).toBe((all.match(/\}/g) ?? []).length);
});
