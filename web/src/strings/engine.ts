// SPDX-License-Identifier: Apache-2.0
import type { Catalogue, Knob, Mechanism, Slot } from '../engine/types.ts';

/** What the engine says, in another language: titles by the English ones, mechanisms by their ids. */
export interface EngineWords {
  titles: Record<string, string>;
  mechanisms: Record<string, string[]>;
}

type Said = Pick<Mechanism, 'title' | 'sentence'>;
// The English words, which come with the catalogue, of what was translated in its place.
const english = new WeakMap<object, Said>();

function own(one: Slot | Knob | Mechanism): Said {
  const kept = english.get(one) ?? { title: one.title, sentence: 'sentence' in one ? one.sentence : '' };
  english.set(one, kept);
  return kept;
}

/** Puts a language's words into the catalogue; what there are none for stays English, and says so by `lang`. */
export function translate(catalogue: Catalogue, words: EngineWords | undefined): void {
  const mark = (one: Slot | Knob | Mechanism, known: boolean) => {
    if (words && !known) one.lang = 'en';
    else delete one.lang;
  };
  const title = (one: Slot | Knob) => {
    const found = words?.titles[own(one).title];
    one.title = found ?? own(one).title;
    mark(one, found !== undefined);
  };
  for (const mechanism of catalogue.mechanisms) {
    const found = words?.mechanisms[mechanism.id];
    const said = own(mechanism);
    mechanism.title = found?.[0] ?? said.title;
    mechanism.sentence = found?.[1] ?? said.sentence;
    mark(mechanism, found !== undefined);
    mechanism.slots.forEach(title);
    mechanism.knobs.forEach(title);
  }
}

/** The titles and mechanisms that a language has no words for yet. */
export function missing(catalogue: Catalogue, words: EngineWords): { titles: string[]; mechanisms: string[] } {
  const titles = new Set(catalogue.mechanisms.flatMap((m) => [...m.slots, ...m.knobs].map((one) => own(one).title)));
  return {
    titles: [...titles].filter((title) => words.titles[title] === undefined).sort(),
    mechanisms: catalogue.mechanisms.map((m) => m.id).filter((id) => words.mechanisms[id] === undefined).sort(),
  };
}
