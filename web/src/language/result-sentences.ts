// SPDX-License-Identifier: Apache-2.0
// The text above the small language model. All of its numbers were measured.
import '../strings/en-later.ts';
import { html } from 'lit';
import measured from '../../../data/language.json';
import { LANGUAGE } from '../engine/language.ts';
import type { Doc } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { percent } from '../learned/result-sentences.ts';
import type { LookingHead, Measured } from './types.ts';
import { words } from './words.ts';

const facts = measured as unknown as Measured;
/** A head with less than this of its weight on something does not look at it. */
const LOOKS = 0.5;
/** Layers are counted from 1, as in their names. */
const layerOf = (map: string): number => Number(/layer-(\d+)/.exec(map)?.[1] ?? 0);

const said = ({ map, head, look, weight, rows }: LookingHead): string =>
  words().looks[look](layerOf(map), head + 1, percent(weight), rows);

/** The heads that look at one thing, the surest first. */
export const looking = (): string[] => facts.heads.filter(({ weight }) => weight >= LOOKS)
  .toSorted((a, b) => b.weight - a.weight).map(said);

/** Where it fails. */
export function failing(): string[] {
  const say = words(), { begins, goesOn, book } = facts.example;
  const weak = facts.heads.filter(({ weight }) => weight < LOOKS).flatMap(({ look, weight }) =>
    (look in say.looksNot ? [say.looksNot[look as keyof typeof say.looksNot](percent(weight))] : []));
  return [...weak, say.repeated(percent(facts.repeated)), say.example(begins, goesOn, book)];
}

/** How much it gets right. */
export const inNumbers = (): string => words().measured(whole(facts.numbers), facts.steps, percent(facts.right),
  facts.passages, percent(facts.byPairs), fixed(facts.bitsPerCharacter, 2));

/** Whether other trainings show the same heads. */
export function bySeeds(): string {
  const all = Object.values(facts.seeds ?? {});
  if (all.length === 0) return words().oneSeed;
  const strong = (heads: readonly LookingHead[]): string =>
    heads.filter(({ weight }) => weight >= LOOKS).map(({ look }) => look).toSorted().join(' ');
  return words().seeds(all.filter(({ heads }) => strong(heads) === strong(facts.heads)).length, all.length);
}

export const isLanguage = ({ parameters }: Doc): boolean => isObject(parameters) && parameters['from'] === LANGUAGE;

/** Above its picture. */
export const languageTold = (): unknown => html`<div data-part="language"><h2>${words().title}</h2>
  <p class="who">${words().who} <a href="https://packages.debian.org/r-cran-janeaustenr" target="_blank"
  rel="noreferrer">r-cran-janeaustenr</a></p>
  <p>${inNumbers()} <b>${words().tryIt}:</b> ${words().tryText}</p>
  <p><b>${words().heads}:</b> <span data-part="looking">${looking().join(' ')}</span> <b>${words().fails}:</b>
  <span data-part="failing">${failing().join(' ')}</span> ${bySeeds()}</p></div>`;
