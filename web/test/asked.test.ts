// SPDX-License-Identifier: Apache-2.0
// What a student, a teacher, an engineer and an author type who do not know the words of this page, in English and in
// German, and what each of them has to find among the first three answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Catalogue, Doc } from '../src/engine/types.ts';
import { byFit, entriesLeft, mechanismEntry, foundByName, presetEntry, systemEntry } from '../src/gallery/facts.ts';
import { whyFound } from '../src/gallery/subtitle.ts';
import { lessons } from '../src/lessons/course.ts';
import { answersTo, type Hit } from '../src/lessons/search.ts';
import { Book } from '../src/state/catalogue.ts';
import { strings } from '../src/strings/en.ts';
import '../src/strings/en-later.ts';
import { type Language, speak } from '../src/strings/language.ts';
import { phrase } from '../src/strings/quote.ts';
import { records } from '../src/strings/records.ts';

const root = join(import.meta.dirname, '../../');
const read = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'));
const catalogue = read('build/wasm/bin/catalogue.json') as Catalogue;
const book = new Book(catalogue);
const idOf = (hit: Hit): string => ('lesson' in hit ? hit.lesson.id : 'place' in hit ? hit.place : hit.door.id);
const first = (search: string): string[] => answersTo(lessons, search, book).hits.slice(0, 3).map(idOf);

// The answer, what is typed in English, what is typed in German.
const ASKED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  // A student.
  ['tour', ['what is attention', 'introduction', 'how does attention work'],
    ['Was ist Attention?', 'Einführung', 'wie funktioniert Attention']],
  ['never-zero', ['softmax'], ['Softmax']],
  ['predict', ['predict', 'next word', 'prediction'], ['vorhersagen', 'Vorhersage', 'nächstes Wort']],
  ['dead-gradient', ['backwards', 'vanishing gradient', 'backpropagation'],
    ['rückwärts', 'verschwindender Gradient', 'Backpropagation']],
  ['learn', ['train', 'training', 'backward pass'], ['trainieren', 'Training']],
  ['i-love-you', ['translate', 'translation'], ['übersetzen', 'Übersetzung']],
  ['shuffle-self', ['word order', 'positional encoding'], ['Wortfolge', 'Positionskodierung']],
  ['lookup', ['what is a query', 'query key value', 'dictionary'], ['was ist eine Query', 'Wörterbuch']],
  ['causal', ['future', 'masking', 'masked', 'masked attention', 'autoregressive'],
    ['Zukunft', 'maskieren', 'maskiert', 'maskierte', 'maskierte Attention']],
  ['heads', ['multi-head', 'what is a head'], ['mehrere Köpfe', 'was ist ein Kopf']],
  ['divide-by-root-d', ['square root', 'why scale'], ['Wurzel', 'Skalierung']],
  ['uniform', ['average'], ['Durchschnitt']],
  ['bottleneck', ['why attention', 'long sentences'], ['wozu Attention', 'lange Sätze']],
  // A teacher.
  ['exercise', ['exercise', 'homework', 'quiz', 'students'], ['Übung', 'Hausaufgabe', 'Schüler']],
  ['present', ['lecture', 'slides', 'projector'], ['Vorlesung', 'Folien', 'Unterricht']],
  ['embed', ['embed', 'website', 'iframe'], ['Webseite', 'einbetten']],
  ['origins', ['who invented attention', 'history', 'first paper'], ['wer hat Attention erfunden', 'Geschichte']],
  ['words', ['my own sentence', 'CSV', 'type words'], ['eigene Wörter', 'eigener Satz', 'Tabelle']],
  ['picture', ['print', 'screenshot', 'save a picture'], ['drucken', 'Bild speichern']],
  ['drank-water', ['grammar'], ['Grammatik']],
  // An engineer.
  ['model', ['safetensors', 'my own model', 'Hugging Face'], ['mein eigenes Modell', 'Checkpoint']],
  ['square-memory', ['long context', 'quadratic', 'complexity'], ['langer Kontext', 'quadratisch', 'Komplexität']],
  ['cost', ['KV cache', 'FLOPs', 'how much memory'], ['KV-Cache', 'Speicherbedarf']],
  ['code', ['PyTorch', 'Python', 'implementation'], ['PyTorch', 'Skript']],
  ['linear-rnn', ['mamba', 'recurrent network', 'SSM'], ['Mamba', 'rekurrentes Netz']],
  ['heads-that-differ', ['pruning', 'remove a head', 'ablation'], ['Kopf abschalten', 'Ablation']],
  ['path-length', ['sliding window', 'local attention'], ['gleitendes Fenster', 'lokale Attention']],
  ['crossover', ['RNN or transformer', 'faster', 'cheapest'], ['schneller', 'billiger', 'RNN']],
  ['attention-sinks', ['attention sink', 'BOS'], ['Attention-Senken']],
  ['score-cost', ['dot product', 'additive attention'], ['Skalarprodukt', 'additive Attention']],
  ['induction', ['induction head', 'in-context learning'], ['Induktionskopf']],
  // An author.
  ['code', ['LaTeX', 'formula', 'equation'], ['LaTeX', 'Formel', 'Gleichung']],
  ['picture', ['figure', 'SVG', 'heatmap'], ['Abbildung', 'Grafik']],
  ['licence', ['cite', 'BibTeX', 'copyright'], ['zitieren', 'Lizenz']],
  ['not-explanation', ['interpretability', 'explainability', 'XAI'], ['Interpretierbarkeit', 'Erklärung']],
  ['notation-transpose', ['notation', 'transpose'], ['Schreibweise', 'transponieren']],
  ['effective-attention', ['identifiability', 'null space'], ['Nullraum', 'Identifizierbarkeit']],
  ['real-head', ['coreference', 'pronoun', 'pretrained'], ['Pronomen', 'Koreferenz', 'vortrainiert']],
  ['hard-and-soft', ['hard attention', 'argmax'], ['harte Attention']],
  ['doubly-stochastic', ['Sinkhorn', 'optimal transport'], ['Sinkhorn']],
  ['conv-equivalence', ['convolution', 'CNN'], ['Faltung']],
];

const missed = (typed: (row: typeof ASKED[number]) => readonly string[]): string[] => ASKED.flatMap((row) =>
  typed(row).filter((search) => !first(search).includes(row[0]))
    .map((search) => `${search}: ${first(search).join()}, not ${row[0]}`));

describe('plain words find their question among the first three', () => {
  it('in English', () => {
    expect(missed(([, english]) => english)).toEqual([]);
  });

  it('in German', async () => {
    await speak('de');
    try {
      expect(missed(([, , german]) => german)).toEqual([]);
    } finally {
      await speak('en');
    }
  });

  it('and what has no answer as a whole is answered in part, and says so', () => {
    const { hits, kept } = answersTo(lessons, 'convolution qwertz', book);
    expect([kept, hits.map(idOf).slice(0, 3).includes('conv-equivalence')]).toEqual(['convolution', true]);
    expect(answersTo(lessons, 'how does it', book).kept).toBeUndefined();
  });

  it('and those of one language lead to the same question first, with and without marks', async () => {
    for (const [code, answer, ...searches] of [['en', 'heads', 'How many heads?', 'heads'],
      ['de', 'heads', 'Wie viele Köpfe?', 'Kopfe'], ['de', 'exercise', 'Frage', 'Ubung'],
      ['ar', 'heads', 'كم رأسًا؟', 'كم رأسا', 'رؤوس'], ['ar', 'shuffle-queries', 'ما هي الاستعلامات؟']] as const) {
      await speak(code);
      for (const search of searches) expect(first(search)[0], search).toBe(answer);
    }
    // The page writes the first one.
    const found = ['محوّل', 'محول', 'مُحوّل'].map((search) => answersTo(lessons, search, book).hits.map(idOf));
    await speak('en');
    expect(found[0]!.length).toBeGreaterThan(2);
    expect(found.slice(1)).toEqual([found[0], found[0]]);
  });

  it('and a stem of the word is enough, but no shorter one than four letters', async () => {
    // “str” would be in “stride” and “strong”.
    const says = (search: string) => answersTo(lessons, search, book);
    expect([says('string').hits, says('string').kept]).toEqual([[], undefined]);
    await speak('de');
    const found = ['Fragen', 'Gewichte'].map((search) => first(search));
    await speak('en');
    expect(found[0]).toContain('exercise');
    expect(found[1]).not.toContain('model');
  });
});

describe('the gallery', () => {
  const de = read('data/catalogue/de/systems.json') as Record<string, { title: string; says: string }>;
  const entriesIn = (own: typeof de | undefined) => [
    ...catalogue.systems!.map((one) => systemEntry(book, one, undefined, own?.[one.id])),
    ...catalogue.mechanisms.map(mechanismEntry)];
  const [english, german] = [entriesIn(undefined), entriesIn(de)];
  // As it lists them: what is called so, then what fits best.
  const listed = (entries: typeof english, search: string) => {
    const found = entriesLeft(entries, search, {});
    const byName = foundByName(found, search);
    return [...byName, ...byFit(found.filter((one) => !byName.includes(one)), search)];
  };
  const top = (entries: typeof english, search: string) => listed(entries, search).slice(0, 3).map(({ id }) => id);

  // Each is made of one of the examples; what a group is called comes from the page's words.
  const presetIn = async (code: Language, file: string, group: string) => {
    await speak(code);
    const document = read(`examples/${file}.json`) as Doc;
    return presetEntry(book, { document, thumbnail: undefined }, group,
      { title: phrase(String(document['title'])), group: strings.gallery.groups[group]! });
  };

  it('finds a preset by its title in any language, by its group and by the papers of its parts', async () => {
    const [bahdanau, luong] = [await presetIn('en', 'bahdanau', 'translation'),
      await presetIn('en', 'luong-global', 'translation')];
    expect([bahdanau, luong].map((one) => whyFound(one, 'Bahdanau'))).toEqual([undefined,
      'uses: Softmax (Bahdanau, Cho, Bengio 2015)']);
    expect(whyFound(bahdanau, 'translation')).toBe('group: Translation');
    expect(whyFound(await presetIn('en', 'linear-attention', 'efficient'), 'forms')).toMatch(/^group: Efficient/);
    const translator = await presetIn('de', 'trained/translated', 'translation');
    try {
      expect(entriesLeft([translator], 'Übersetzer', {})).toEqual([translator]);
      expect(foundByName([translator], 'Übersetzer'), 'the best matches').toEqual([translator]);
      expect(['Übersetzer', 'trainierter', 'translator'].map((search) => whyFound(translator, search)))
        .toEqual([undefined, undefined, undefined]);
      const group = strings.gallery.groups['efficient']!;
      expect(whyFound(await presetIn('de', 'linear-attention', 'efficient'), group)).toBe(`Gruppe: ${group}`);
    } finally {
      await speak('en');
    }
  });

  it('finds in Arabic with and without marks', async () => {
    const { systems } = await records['ar']!();
    const arabic = catalogue.systems!.map((one) => systemEntry(book, one, undefined, systems[one.id]));
    const found = ['محوّل', 'محول'].map((search) => entriesLeft(arabic, search, {}));
    expect(found[0]!.length).toBeGreaterThan(2);
    expect(found[1]).toEqual(found[0]);
  });

  it('lists what a search means among the first three', () => {
    for (const [id, ...searches] of [['bert', 'BERT', 'masked language model'], ['gpt', 'ChatGPT', 'KV cache'],
      ['decoder-cross', 'cross', 'cross-attention'], ['vit', 'image classification'], ['las', 'speech recognition'],
      ['gat', 'graph neural network'], ['rnnsearch', 'Bahdanau 2015'], ['pointer-network', 'pointer'],
      ['transformer', 'Attention is all you need'], ['softmax', 'softmax'], ['mistral', 'sliding window attention']])
      for (const search of searches) expect(top(english, search), search).toContain(id);
    for (const [id, search] of [['decoder-cross', 'Cross-Attention'], ['softmax', 'Boltzmann-Verteilung']])
      expect(top(german, search!), search).toContain(id);
  });

  it('finds for “cross” what attends across, not what is trained with cross-entropy, and says of each why', () => {
    const systems = (search: string) => listed(english, search).filter(({ kind }) => kind === 'system');
    const why = (search: string) => systems(search).map((entry) => whyFound(entry, search) ?? 'its name');
    expect(systems('cross').map(({ id }) => id)).toEqual(expect.arrayContaining(['decoder-cross', 'rnnsearch']));
    expect(systems('cross').length).toBeLessThan(12);
    expect(why('cross')[0]).toBe('its name');
    expect(why('cross')).toContain('also called “cross-attention”');
    expect(why('cross').join()).not.toMatch(/ntropy|undefined/);
    // Who searches for the loss finds all that are trained with it.
    expect(new Set(why('cross-entropy').slice(1))).toEqual(new Set(['uses: Cross-entropy']));
    expect(systems('cross-entropy').length).toBeGreaterThan(30);
    expect(whyFound(english.find(({ id }) => id === 'gpt')!, 'ChatGPT')).toBe('also called “ChatGPT”');
    expect(whyFound(english.find(({ id }) => id === 'rnnsearch')!, 'Bahdanau')).toContain('Bahdanau');
  });
});
