// SPDX-License-Identifier: Apache-2.0
import type { Catalogue, Knob, Mechanism, Slot } from '../engine/types.ts';

/** What is said of a mechanism in another language (data/catalogue); what is left out stays English. */
export interface MechanismWords {
  title?: string;
  sentence?: string;
  note?: string;
  learns?: string;
  /** Titles, by the name of a knob or a slot. */
  knobs?: Record<string, string>;
  slots?: Record<string, string>;
}

/** What the engine says, in another language. */
export interface EngineWords {
  /** By id. */
  mechanisms: Record<string, MechanismWords>;
  /** By the English words: reasons, coordinates of the taxonomy, choices of a knob, titles of examples. */
  phrases: Record<string, string>;
  /** What the engine says when it refuses a document, by its English sentence: {1}, {2} .. stand for what it names. */
  refusals?: Record<string, string>;
  /** Words inside formulas, by the English ones. */
  formulas?: Record<string, string>;
}

type Said = Pick<Mechanism, 'title' | 'sentence' | 'note' | 'learns' | 'formula'>;
// The English words, which come with the catalogue, of what was translated in its place.
const english = new WeakMap<object, Said>();

/** What the engine itself says of one of these, whatever is spoken. */
export function own(one: Slot | Knob | Mechanism): Said {
  let kept = english.get(one);
  if (!kept) {
    const { title } = one;
    kept = 'sentence' in one
      ? { title, sentence: one.sentence, note: one.note, learns: one.learns, formula: one.formula }
      : { title, sentence: '', formula: '' };
    english.set(one, kept);
  }
  return kept;
}

/** A formula with its words in another language; those that it has no words for, such as names, stay. */
export function inFormula(latex: string, { formulas }: EngineWords = { mechanisms: {}, phrases: {} }): string {
  return formulas === undefined ? latex
    : latex.replace(/\\text\{(\s*)([^{}]*?)(\s*)\}/g, (all, before: string, word: string, after: string) =>
      (formulas[word] === undefined ? all : `\\text{${before}${formulas[word]}${after}}`));
}

/** Puts a language's words into the catalogue; what there are none for stays English, and says so by `lang`. */
export function translate(catalogue: Catalogue, words: EngineWords | undefined): void {
  const mark = (one: object, key: string, known: boolean) => {
    if (words && !known) Object.assign(one, { [key]: 'en' });
    else Reflect.deleteProperty(one, key);
  };
  const title = (one: Slot | Knob, found: string | undefined) => {
    const english = own(one).title;
    one.title = found ?? english;
    mark(one, 'lang', found !== undefined);
  };
  for (const mechanism of catalogue.mechanisms) {
    const found = words?.mechanisms[mechanism.id];
    const said = own(mechanism);
    mechanism.title = found?.title ?? said.title;
    mechanism.sentence = found?.sentence ?? said.sentence;
    mechanism.note = found?.note ?? said.note;
    mechanism.learns = found?.learns ?? said.learns;
    mechanism.formula = inFormula(said.formula, words);
    mark(mechanism, 'lang', found?.title !== undefined);
    mark(mechanism, 'noteLang', !said.note || found?.note !== undefined);
    mark(mechanism, 'learnsLang', !said.learns || found?.learns !== undefined);
    for (const slot of mechanism.slots) title(slot, found?.slots?.[slot.name]);
    for (const knob of mechanism.knobs) title(knob, found?.knobs?.[knob.name]);
  }
}

/** What a language has no words for yet: titles, mechanisms (or what of one), phrases. */
export function missing(catalogue: Catalogue,
  words: EngineWords): { titles: string[]; mechanisms: string[]; phrases: string[] } {
  const titles = catalogue.mechanisms.flatMap((m) => [
    ...m.slots.filter(({ name }) => words.mechanisms[m.id]?.slots?.[name] === undefined),
    ...m.knobs.filter(({ name }) => words.mechanisms[m.id]?.knobs?.[name] === undefined),
  ].map(({ name }) => `${m.id}: ${name}`));
  const reasons = new Set(catalogue.mechanisms.flatMap((m) => (m.excludes ?? []).map(({ reason }) => reason)));
  const lacking = (m: Mechanism) => {
    const found = words.mechanisms[m.id];
    if (found === undefined) return [m.id];
    return [...(own(m).note && !found.note ? [`${m.id}: note`] : []),
      ...(own(m).learns && !found.learns ? [`${m.id}: learns`] : [])];
  };
  return {
    titles: titles.sort(),
    mechanisms: catalogue.mechanisms.flatMap(lacking).sort(),
    phrases: [...reasons].filter((reason) => words.phrases[reason] === undefined).sort(),
  };
}
