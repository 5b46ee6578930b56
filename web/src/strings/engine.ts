// SPDX-License-Identifier: Apache-2.0
import type { Catalogue, Knob, Mechanism, Slot } from '../engine/types.ts';

/** What the engine says, in another language. */
export interface EngineWords {
  /** By the English title of a slot or a knob. */
  titles: Record<string, string>;
  /**
   * By id: title, sentence, note, how it learns; '' where there is nothing to say, and the last ones may be left out.
   */
  mechanisms: Record<string, string[]>;
  /** By the English words: reasons, coordinates of the taxonomy, choices of a knob. */
  phrases: Record<string, string>;
}

type Said = Pick<Mechanism, 'title' | 'sentence' | 'note' | 'learns'>;
// The English words, which come with the catalogue, of what was translated in its place.
const english = new WeakMap<object, Said>();

/** What the engine itself says of one of these, whatever is spoken. */
export function own(one: Slot | Knob | Mechanism): Said {
  let kept = english.get(one);
  if (!kept) {
    const { title } = one;
    kept = 'sentence' in one ? { title, sentence: one.sentence, note: one.note, learns: one.learns }
      : { title, sentence: '' };
    english.set(one, kept);
  }
  return kept;
}

/** Puts a language's words into the catalogue; what there are none for stays English, and says so by `lang`. */
export function translate(catalogue: Catalogue, words: EngineWords | undefined): void {
  const mark = (one: object, key: string, known: boolean) => {
    if (words && !known) Object.assign(one, { [key]: 'en' });
    else Reflect.deleteProperty(one, key);
  };
  const title = (one: Slot | Knob) => {
    const found = words?.titles[own(one).title];
    one.title = found ?? own(one).title;
    mark(one, 'lang', found !== undefined);
  };
  for (const mechanism of catalogue.mechanisms) {
    const found = words?.mechanisms[mechanism.id];
    const said = own(mechanism);
    mechanism.title = found?.[0] ?? said.title;
    mechanism.sentence = found?.[1] ?? said.sentence;
    mechanism.note = found?.[2] || said.note;
    mechanism.learns = found?.[3] || said.learns;
    mark(mechanism, 'lang', found !== undefined);
    mark(mechanism, 'noteLang', !said.note || !!found?.[2]);
    mark(mechanism, 'learnsLang', !said.learns || !!found?.[3]);
    mechanism.slots.forEach(title);
    mechanism.knobs.forEach(title);
  }
}

/** What a language has no words for yet: titles, mechanisms (or what of one), phrases. */
export function missing(catalogue: Catalogue,
  words: EngineWords): { titles: string[]; mechanisms: string[]; phrases: string[] } {
  const titles = new Set(catalogue.mechanisms.flatMap((m) => [...m.slots, ...m.knobs].map((one) => own(one).title)));
  const reasons = new Set(catalogue.mechanisms.flatMap((m) => (m.excludes ?? []).map(({ reason }) => reason)));
  const lacking = (m: Mechanism) => {
    const found = words.mechanisms[m.id];
    if (found === undefined) return [m.id];
    return [...(own(m).note && !found[2] ? [`${m.id}: note`] : []),
      ...(own(m).learns && !found[3] ? [`${m.id}: learns`] : [])];
  };
  return {
    titles: [...titles].filter((title) => words.titles[title] === undefined).sort(),
    mechanisms: catalogue.mechanisms.flatMap(lacking).sort(),
    phrases: [...reasons].filter((reason) => words.phrases[reason] === undefined).sort(),
  };
}
