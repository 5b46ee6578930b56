// SPDX-License-Identifier: Apache-2.0
import english from '../../../../data/catalogue/en/reasons.json';
import type { EngineWords, MechanismWords } from '../engine.ts';

/** A sentence by the id of a reason why two parts do not go together. */
type Reasons = Readonly<Record<string, { sentence: string } | undefined>>;

/** All words of a language. The catalogue gives a reason as its English sentence; the words have it by its id. */
export function wordsOf(files: readonly Record<string, MechanismWords>[], reasons: Reasons,
  phrases: Record<string, string>, refusals: Record<string, string>, formulas: Record<string, string>): EngineWords {
  const known = Object.entries(english).flatMap(([id, { sentence }]) => {
    const own = reasons[id]?.sentence;
    return own === undefined ? [] : [[sentence, own] as const];
  });
  return { mechanisms: Object.assign({}, ...files), phrases: { ...phrases, ...Object.fromEntries(known) }, refusals,
    formulas };
}
