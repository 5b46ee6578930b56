// SPDX-License-Identifier: Apache-2.0
// What the gallery knows of each entry, computed from its document, the catalogue's records and the taxonomy: nothing
// is typed in.
import { minimum } from '../lists.ts';
import type { Coordinate, Doc, JsonObject, Mechanism, System } from '../engine/types.ts';
import { imagePorts } from '../state/image-ports.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { membersOf, titleOf } from '../state/model.ts';
import { failures, type Verdict, verdictOf } from '../learned/result-sentences.ts';
import type { Learned } from '../learned/types.ts';
import type { SystemWords } from '../strings/records.ts';
import knownAs from '../controls/known-as.json';
import { folded } from '../strings/folded.ts';
import { type Field, keptOf, type Match, matchOf, meantBy, type Why, wordsIn } from './match.ts';
import type { Preset } from './presets.ts';
import { beginsWord, mechanismsOf, hasEveryWord } from './search.ts';
import type { Thumbnail } from '../elements/thumbnail.ts';

export const FACETS = ['weights', 'map', 'fails', 'task', 'year', 'score', 'query', 'structure'] as const;
export type Facet = (typeof FACETS)[number];
export const FAMILIES = ['writing', 'self', 'asking', 'several', 'levels', 'hops', 'pictures', 'cheaper'] as const;
export type Family = (typeof FAMILIES)[number];

export interface Entry {
  kind: 'system' | 'preset' | 'mechanism';
  id: string;
  title: string;
  document: Doc | undefined;
  thumbnail: Thumbnail | undefined;
  /** Of systems; of presets the group that lists them. */
  family: string;
  facets: Record<Facet, string[]>;
  system: System | undefined;
  /** Of a system that opens trained. */
  learned: Learned | undefined;
  mechanism: Mechanism | undefined;
  /** When its source was published; presets have no source of their own. */
  year: number | undefined;
  /** All that a search looks through. */
  fields: readonly Field[];
  /** The same as one text, folded. */
  text: string;
  /** The losses that it is trained with, which only a search for their names finds. */
  losses: readonly Mechanism[];
}

// Whether it writes word by word: a cell that keeps a state, and an attention that is asked at each step.
const writes = ({ kind, slots }: Mechanism): boolean =>
  slots.some((slot) => slot.kind === 'cell') && slots.some((slot) => slot.kind === kind);

const isText = (input: JsonObject): boolean => Array.isArray(input['tokens']);
const wordsOf = (coordinates: readonly Coordinate[], name: string): string[] =>
  [...new Set(coordinates.filter((one) => one.name === name).flatMap(({ value }) => value?.split(', ') ?? []))];
// A word that no mechanism brings is the plain one.
const unusual = (coordinates: readonly Coordinate[], name: string): boolean =>
  coordinates.some((one) => one.name === name && one.id !== null && one.value !== null);

/** What the document reads and gives. */
export function tasksOf(book: Book, document: Doc): string[] {
  const used = mechanismsOf(book, document);
  const texts = Object.values(document.inputs).filter(isText).length;
  const found = [
    imagePorts(book, document).length > 0 ? 'image' : undefined,
    texts > 1 ? 'texts' : texts === 1 ? 'text' : undefined,
    used.some(writes) ? 'writes' : undefined,
    used.some(({ family, slots }) => family === 'models' && slots.length === 0) ? 'chooses' : undefined,
    used.some(({ family }) => family === 'losses') || isObject(document['training']) ? 'learns' : undefined,
  ];
  return found.filter((one) => one !== undefined);
}

const cheaperFamilies = new Set(['efficient', 'recurrent', 'chosen']);

/** The first that fits, from the most particular on. */
export function familyOf(book: Book, document: Doc, coordinates: readonly Coordinate[]): Family {
  const used = mechanismsOf(book, document);
  if (imagePorts(book, document).length > 0) return 'pictures';
  if (used.some(({ family }) => cheaperFamilies.has(family ?? ''))) return 'cheaper';
  if (unusual(coordinates, 'feature levels')) return 'levels';
  if (wordsOf(coordinates, 'multiplicity').some((word) => word.endsWith('-hop'))) return 'hops';
  if (unusual(coordinates, 'multiplicity of features') || unusual(coordinates, 'feature representations'))
    return 'several';
  if (used.some(writes)) return 'writing';
  return wordsOf(coordinates, 'type').includes('self-attentive') ? 'self' : 'asking';
}

// The words that the engine gives where no mechanism brings another: what they name is the usual thing everywhere.
const plainWords = new WeakMap<readonly System[], ReadonlySet<string>>();
function plainOf(systems: readonly System[]): ReadonlySet<string> {
  const known = plainWords.get(systems);
  if (known) return known;
  const found = new Set(systems.flatMap(({ computed }) => computed).filter(({ id, value }) => id === null && value)
    .map(({ name, value }) => `${name} ${value}`));
  plainWords.set(systems, found);
  return found;
}

const STRUCTURE = ['multiplicity of features', 'feature levels', 'feature representations', 'dimensionality',
  'multiplicity'] as const;

const failed = (learned: Learned): string[] => {
  const found = failures(learned);
  return found.length > 0 ? found : ['nothing'];
};

export function facetsOf(book: Book, document: Doc, coordinates: readonly Coordinate[],
  year: number | undefined, learned: Learned | undefined): Record<Facet, string[]> {
  const plain = plainOf(book.catalogue.systems ?? []);
  const structure = STRUCTURE.flatMap((name) =>
    wordsOf(coordinates, name).filter((word) => !plain.has(`${name} ${word}`)));
  return {
    weights: [learned ? 'trained' : 'form'],
    map: learned?.map ? [verdictOf(learned.map)] : [],
    fails: learned ? failed(learned) : [],
    task: tasksOf(book, document),
    year: year === undefined ? [] : [String(year)],
    score: wordsOf(coordinates, 'scoring'), query: wordsOf(coordinates, 'type'),
    structure: [...new Set([...structure, membersOf(document).length > 1 ? 'several modules' : 'one module'])],
  };
}

const none = (): Record<Facet, string[]> =>
  ({ weights: [], map: [], fails: [], task: [], year: [], score: [], query: [], structure: [] });

// What a search looks through.
const searched = (fields: readonly Field[]): Pick<Entry, 'fields' | 'text'> =>
  ({ fields, text: folded(fields.map(({ text }) => text).join(' ')) });
const fieldsOf = (why: Why, ...texts: (string | null | undefined)[]): Field[] =>
  texts.flatMap((text) => (text ? [{ why, text }] : []));
const LOSSES = 'losses';
// With its family, so that "rotary positions" finds what "RoPE" does.
const partOfIt = ({ title, id, aliases, family }: Mechanism): Field[] =>
  (family === LOSSES ? [] : fieldsOf('part', [title, id, ...aliases, family].filter(Boolean).join(' '))
    .map((field) => ({ ...field, shown: title })));
// Most trained systems share a loss, so that it is found by its whole name only: “cross” means no cross-entropy.
const lossesOf = (used: readonly Mechanism[]): Mechanism[] => used.filter(({ family }) => family === LOSSES);
const paperIn = (authors: string | undefined, year: number | undefined): Field[] =>
  fieldsOf('paper', [authors, year].filter(Boolean).join(' '));

const namesOf = (id: string, kind: 'systems' | 'mechanisms' = 'systems'): readonly string[] =>
  (knownAs[kind] as Readonly<Record<string, readonly string[]>>)[id] ?? [];

/** What the reader calls by a name that nothing here has, and the ids of what is nearest to it. */
export function absent(search: string): { name: string; near: readonly string[] } | undefined {
  const wanted = folded(search.trim());
  for (const { names, near } of knownAs.absent) {
    const name = names.find((one) => folded(one) === wanted);
    if (name !== undefined) return { name, near };
  }
  return undefined;
}

/** `own`: what is said of it in the reader's language, which is searched, too. */
export function systemEntry(book: Book, system: System, thumbnail: Thumbnail | undefined,
  own?: SystemWords, learned?: Learned): Entry {
  const { id, title, paper, computed, document } = system;
  const used = mechanismsOf(book, document);
  return {
    kind: 'system', id, title, document, learned, losses: lossesOf(used), thumbnail: learned?.thumbnail ?? thumbnail,
    family: familyOf(book, document, computed),
    facets: facetsOf(book, document, computed, paper.year, learned),
    system, mechanism: undefined, year: paper.year,
    ...searched([...fieldsOf('name', title, id, own?.title), ...fieldsOf('known', ...namesOf(id)),
      ...paperIn(paper.authors, paper.year), ...used.flatMap(partOfIt),
      ...fieldsOf('place', ...new Set(computed.map(({ value }) => value))),
      ...fieldsOf('says', own?.says, system.says)]),
  };
}

// A preset has no paper of its own: whoever looks for authors is shown the part that is theirs.
const paperOf = ({ title, source }: Mechanism): Field[] => paperIn(source?.authors, source?.year)
  .map((field) => ({ ...field, why: 'part', shown: `${title} (${field.text})` }));

/** `own`: its title and its group's in the reader's language, which are searched, too. */
export function presetEntry(book: Book, preset: Preset, group: string, own: { title: string; group: string }): Entry {
  const title = titleOf(preset.document) ?? '';
  const used = mechanismsOf(book, preset.document);
  return { kind: 'preset', id: title, title, losses: lossesOf(used), document: preset.document,
    thumbnail: preset.thumbnail, family: group,
    facets: none(), system: undefined, learned: undefined, mechanism: undefined, year: undefined,
    ...searched([...fieldsOf('name', ...new Set([title, own.title])), ...fieldsOf('group', own.group),
      ...used.flatMap((one) => [...partOfIt(one), ...paperOf(one)])]) };
}

export function mechanismEntry(mechanism: Mechanism): Entry {
  const { id, title, aliases, sentence, source, family = '' } = mechanism;
  return { kind: 'mechanism', id, title, losses: [], document: undefined, thumbnail: undefined, family, facets: none(),
    system: undefined, learned: undefined, mechanism, year: source?.year,
    ...searched([...fieldsOf('name', title, id, ...aliases), ...fieldsOf('known', ...namesOf(id, 'mechanisms')),
      ...paperIn(source?.authors, source?.year), ...fieldsOf('place', family), ...fieldsOf('says', sentence)]) };
}

export type Choice = Partial<Record<Facet, string>>;

const fits = ({ facets }: Entry, choice: Choice): boolean =>
  FACETS.every((facet) => choice[facet] === undefined || facets[facet].includes(choice[facet]));

const lossCalled = ({ losses }: Entry, search: string): Mechanism | undefined => {
  const name = folded(search.trim());
  return losses.find(({ title, id, aliases }) => [title, id, ...aliases].some((one) => folded(one) === name));
};

/**
 * What is left of the entries; what has no facets, such as a preset, only while none is chosen. Letters inside of words
 * are no hit for a name that is known to be absent: "DIN" means no embedding.
 */
export function matching(entries: readonly Entry[], search: string, choice: Choice): Entry[] {
  const has = absent(search) ? beginsWord : hasEveryWord;
  const own = (text: string) => has(text, search);
  return entries.filter((entry) => fits(entry, choice) && (own(entry.text) || lossCalled(entry, search)));
}

/** How well an entry fits a search; undefined if it does not, as what is only near to a name that nothing has. */
export function fitOf(entry: Entry, search: string): Match | undefined {
  const words = wordsIn(search);
  const loss = lossCalled(entry, search);
  return words.length === 0 ? undefined : matchOf(entry.fields, words)
    ?? (loss && { score: 1, by: [{ why: 'part', text: loss.title }] });
}

/** Those that fit a search best come first; without a search they keep their order. */
export function byFit(entries: readonly Entry[], search: string): Entry[] {
  const scores = new Map(entries.map((entry) => [entry, fitOf(entry, search)?.score ?? 0]));
  return entries.toSorted((a, b) => scores.get(b)! - scores.get(a)!);
}

/**
 * What a search, the facets and a set of systems (`only`) leave, or what is nearest to a name that nothing here has.
 * Each of them only takes entries away: those that have no facets go when one is chosen.
 */
export function entriesLeft(entries: readonly Entry[], search: string, choice: Choice,
  only?: ReadonlySet<string>): Entry[] {
  const narrowed = only !== undefined || FACETS.some((facet) => choice[facet] !== undefined);
  const some = entries.filter(({ kind, id }) => !narrowed || (kind === 'system' && (!only || only.has(id))));
  const found = matching(some, search, choice);
  return found.length > 0 ? found : (absent(search)?.near ?? []).flatMap((id) =>
    entries.filter((one) => one.id === id && one.kind !== 'preset'));
}

// Words as short as these, such as "the", say nothing of what is meant.
const SHORT = 3;

/**
 * Of a search that nothing has as a whole, such as a question, the words that something has. Undefined where there are
 * none, or where all of it is found.
 */
export function partOf(entries: readonly Entry[], search: string): string | undefined {
  const count = (words: readonly string[]) => matching(entries, words.join(' '), {}).length;
  if (absent(search) || count([search]) > 0) return undefined;
  const words = meantBy(search).filter((word) => word.length > SHORT && count([word]) < entries.length / 2);
  return keptOf(words, count).join(' ') || undefined;
}

const KINDS: readonly Entry['kind'][] = ['system', 'preset', 'mechanism'];

/**
 * Those among what was found that are called by every word of the search: what has just this name first, whole systems
 * before the mechanisms in them, short names before long ones.
 */
export function foundByName(found: readonly Entry[], search: string): Entry[] {
  const wanted = folded(search).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const phrase = wanted.join(' ');
  // Also in the reader's language.
  const names = (entry: Entry) => entry.fields.filter(({ why }) => why === 'name' || why === 'known')
    .map(({ text }) => folded(text));
  // A name of its own comes before what something else is also known as.
  const exact = (entry: Entry) => (folded(entry.title) === phrase || folded(entry.id) === phrase ? 0
    : folded(entry.title).startsWith(`${phrase} `) ? 1 : names(entry).includes(phrase) ? 2
    : hasEveryWord(folded(entry.title), phrase) ? 3 : 4);
  return found.filter((entry) => names(entry).some((name) => wanted.every((word) => name.includes(word))))
    .toSorted((a, b) => exact(a) - exact(b) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
      || a.title.length - b.title.length);
}

const VERDICTS: readonly string[] = ['shows', 'often', 'not'] satisfies Verdict[];

/** By value how many would be left with it, given what else is chosen; every value that there is, also at zero. */
export function counts(entries: readonly Entry[], search: string, choice: Choice,
  facet: Facet): [value: string, count: number][] {
  const { [facet]: _, ...others } = choice;
  const some = matching(entries, search, others);
  const values = [...new Set(entries.flatMap(({ facets }) => facets[facet]))];
  const counted = values.map((value): [string, number] =>
    [value, some.filter(({ facets }) => facets[facet].includes(value)).length]);
  const total = (value: string) => entries.filter(({ facets }) => facets[facet].includes(value)).length;
  if (facet === 'map')
    return counted.toSorted(([a], [b]) => VERDICTS.indexOf(a) - VERDICTS.indexOf(b));
  if (facet === 'weights') return counted.toSorted(([a], [b]) => b.localeCompare(a));
  return facet === 'year' ? counted.toSorted(([a], [b]) => Number(a) - Number(b))
    : counted.toSorted(([a], [b]) => total(b) - total(a) || a.localeCompare(b));
}

/** Where nothing is left: which of the choices, given up, brings back the most. */
export function nearest(entries: readonly Entry[], search: string,
  choice: Choice): { facet: Facet; value: string; count: number } | undefined {
  const tries = FACETS.filter((facet) => choice[facet] !== undefined).map((facet) => {
    const { [facet]: value = '', ...others } = choice;
    return { facet, value, count: matching(entries, search, others).length };
  });
  return tries.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)[0];
}

const placed = (coordinates: readonly Coordinate[]): Map<string, string> => {
  const found = new Map<string, Set<string>>();
  for (const { name, value, id } of coordinates) found.set(name, (found.get(name) ?? new Set()).add(value ?? id ?? ''));
  return new Map([...found].map(([name, words]) => [name, [...words].toSorted().join(', ')]));
};

/** In which dimensions of the taxonomy two places differ. */
export function apart(one: readonly Coordinate[], other: readonly Coordinate[]): string[] {
  const [a, b] = [placed(one), placed(other)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

/** The systems at the coordinates of any document, or those nearest to them. */
export function systemsAt(systems: readonly System[],
  coordinates: readonly Coordinate[]): { systems: System[]; apart: string[] } {
  const all = systems.map((system) => ({ system, names: apart(system.computed, coordinates) }));
  const fewest = minimum(all.map(({ names }) => names.length));
  const best = all.filter(({ names }) => names.length === fewest);
  return { systems: best.map(({ system }) => system), apart: [...new Set(best.flatMap(({ names }) => names))] };
}

/** A system's two sentences, apart: what to notice, what to try. */
export function sentences({ says }: Pick<System, 'says'>, what = 'What to notice',
  tried = 'Try this'): { know: string; tryIt: string } {
  const from = says.indexOf(`${tried}:`);
  const know = (from < 0 ? says : says.slice(0, from)).replace(`${what}:`, '').trim();
  const tryIt = from < 0 ? '' : says.slice(from + tried.length + 1).trim();
  const large = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return { know: large(know), tryIt: large(tryIt) };
}
