// SPDX-License-Identifier: Apache-2.0
// No file needs itself through others, and no folder either, beyond the two circles that are known. Imports of types
// and files that are fetched later do not count.
import { dirname, join } from 'node:path/posix';
import { expect, it } from 'vitest';

const sources = import.meta.glob<string>('../src/**/*.ts', { eager: true, query: '?raw', import: 'default' });
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:([^'"();]*?)\s+from\s+)?'(\.[^'?]+)'/gm;

// What a file needs when it runs.
function needs(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, names = 'all', path]) => {
    const listed = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
    const types = listed?.split(',').every((name) => /^\s*(?:type\b|$)/.test(name)) ?? false;
    return types ? [] : [join(dirname(file), path!)];
  });
}

// The groups of names that need each other.
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(edges.get(from) ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(edges.get(at) ?? []));
    }
    return seen;
  };
  const all = new Map([...edges.keys()].map((name) => [name, reached(name)]));
  const groups = [...all].filter(([name, to]) => to.has(name)).map(([name, to]) =>
    [...to].filter((other) => all.get(other)?.has(name)).toSorted().join(' '));
  return [...new Set(groups)].map((group) => group.split(' '));
}

const files = new Map(Object.entries(sources).map(([file, text]) => [file, new Set(needs(file, text))]));
const folderOf = (file: string): string => /^\.\.\/src\/([^/]+)\//.exec(file)?.[1] ?? '.';

it('no file needs itself through others', () => {
  expect(files.size).toBeGreaterThan(400);
  expect(circles(files)).toEqual([]);
});

it('no folder needs itself through others, except in two circles', () => {
  const folders = new Map<string, Set<string>>();
  for (const [file, needed] of files) for (const other of needed) {
    const [from, to] = [folderOf(file), folderOf(other)];
    if (from !== to) folders.set(from, (folders.get(from) ?? new Set()).add(to));
  }
  expect(circles(folders).toSorted()).toEqual([
    ['.', 'colour', 'directory', 'engine', 'strings', 'styles'],
    ['cost', 'decoding-memory', 'efficient', 'part-by-part'],
  ]);
});
