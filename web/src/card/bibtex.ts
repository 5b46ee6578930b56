// SPDX-License-Identifier: Apache-2.0
// The papers of mechanisms as the catalogue knows them, for a list of references. It has no titles of papers, so that
// an entry has none; nothing is added to what the catalogue says.
import type { Mechanism } from '../engine/types.ts';

type Paper = NonNullable<Mechanism['source']>;

// A group, such as “Gemma Team”, is one name.
const author = (name: string): string =>
  (name.includes(' ') || name.includes('-') ? `{${name}}` : name).replaceAll('&', '\\&');

function authorsOf(authors: string): string {
  const others = / et al\.?$/.test(authors);
  const names = authors.replace(/ et al\.?$/, '').split(/, | and | & /).map(author);
  return [...names, ...(others ? ['others'] : [])].join(' and ');
}

// A name such as “dos Santos” begins with small words, which no key is looked up by.
function keyOf({ authors, year }: Paper): string {
  const [first] = authors.replace(/^(\p{Ll}+ )+(?=\p{Lu})/u, '').split(/[ ,]/);
  return `${first!.normalize('NFKD').replace(/[^A-Za-z]/g, '').toLowerCase()}${year}`;
}

function entry(paper: Paper, key: string): string {
  const { authors, year, link } = paper;
  const arxiv = /^https:\/\/arxiv\.org\/abs\/([^/]+)$/.exec(link)?.[1];
  const doi = /^https:\/\/doi\.org\/(.+)$/.exec(link)?.[1];
  const fields = { author: authorsOf(authors), year: String(year), ...(arxiv === undefined ? {}
    : { eprint: arxiv, archivePrefix: 'arXiv' }), ...(doi === undefined ? {} : { doi }),
    ...(link.startsWith('https://') ? { url: link } : {}) };
  return `@misc{${key},\n${Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`).join(',\n')}\n}`;
}

/** One entry for each paper, however many mechanisms come from it; no two have the same key. */
export function bibtexOf(papers: readonly Paper[]): string {
  const taken = new Map<string, number>();
  return [...new Map(papers.map((one) => [one.link, one])).values()].map((paper) => {
    const key = keyOf(paper);
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    return entry(paper, before === 0 ? key : key + String.fromCharCode(97 + before));
  }).join('\n\n');
}
