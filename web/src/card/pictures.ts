// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { full, onLegend } from '../colour/numbers.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Cut, Explanation, Target } from '../engine/types.ts';
import { kindOf } from '../directory/naming.ts';
import { keyAxis, rowOf, spreadOf } from '../directory/spread.ts';
import { axisOf, typed } from '../directory/typed.ts';
import { strings } from '../strings/en.ts';
import { isolated } from '../strings/language.ts';
import { fixed, inFormula } from '../strings/numerals.ts';
import { cutBars, draws, gate, type Pointing } from './bars.ts';
import { choiceOf, cutOf, gatesOf, namesOf } from './rows.ts';
import { shownPiece } from '../strings/displayed-word.ts';

/** What a row of weights looks like from inside: its threshold, its window, its draw. */
export function pictures(result: Result, target: Target, answer: Explanation, pointing: Pointing): unknown {
  const tensor = result.find(target.tensor, target.group);
  if (!tensor || kindOf(tensor) !== 'weights' || tensor.shape.length < 2) return nothing;
  const names = namesOf(result, tensor);
  const chosen = target.index[keyAxis(tensor)];
  const cut = cutOf(result, target, answer);
  const choice = cut ? undefined : choiceOf(result, target, answer);
  const gates = gatesOf(result, target, answer);
  return html`
    ${entropyOf(result, tensor, target)}
    ${cut ? html`<section data-part="cut"><h3>${strings.cutTitle}</h3>
      <ap-math block .latex=${cutLatex(cut, rowOf(tensor, target.index)[chosen ?? 0] ?? 0)}></ap-math>
      ${cutBars(cut, rowOf(tensor, target.index), pointing)}</section>` : nothing}
    ${choice ? html`<section data-part="draws"><h3>${
      choice.drawn.length > 1 || choice.chances ? strings.drawsTitle : strings.pickTitle} <ap-math
      .latex=${choice.symbol}></ap-math></h3>
      ${draws(names, choice.drawn, choice.chances, chosen, pointing)}</section>` : nothing}
    ${gates.map(({ symbol, open }) =>
      html`<section data-part="gate"><h3>${strings.gateTitle} ${
      symbol ? html`<ap-math .latex=${symbol}></ap-math>` : nothing}</h3>
      ${gate(names, open, chosen, pointing)}</section>`)}`;
}

// How widely the row is spread, beside what it would be if all keys that it may see were alike.
function entropyOf(result: Result, tensor: Tensor, { index }: Target): unknown {
  const spread = spreadOf(result, tensor, index);
  if (!spread) return nothing;
  const bits = strings.bitsOf(fixed(spread.bits, 2), fixed(spread.most, 2));
  const who = spread.asks === undefined ? undefined
    : result.labels(tensor.places[axisOf(typed(tensor), 'query')] ?? '')?.map(shownPiece)[spread.asks]
      ?? String(spread.asks);
  return html`<section data-part="entropy"><p>${
    who === undefined ? strings.entropyHere(bits) : strings.rowEntropy(isolated(who), bits)}</p></section>`;
}

// The chosen key's weight from its bar and the level, as the picture draws them.
function cutLatex({ level, power, bars }: Cut, weight: number): string {
  const bar = bars.find((one) => one.chosen);
  if (!bar) return '';
  const [sum, from, cut] = [weight, bar.value, level].map((value) => inFormula(full(value)));
  const minus = `${from} - ${level < 0 ? `(${cut})` : cut}`;
  const squared = Math.abs(power - 1) < 1e-6 ? '' : `^{${inFormula(onLegend(power))}}`;
  return weight > 0 && squared === '' ? `${sum} = ${minus}` : `${sum} = \\max(0,\\; ${minus})${squared}`;
}
