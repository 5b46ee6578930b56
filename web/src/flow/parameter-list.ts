// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import { html, nothing } from 'lit';
import { equation, naming } from '../directory/naming.ts';
import type { Tensor } from '../engine/result.ts';
import { drawnIn, numbersIn, originOf } from '../state/random-parameters.ts';
import type { Store } from '../state/store.ts';
import { showsTrained } from '../first/first.ts';
import { breakable } from '../strings/breakable.ts';
import { strings } from '../strings/en.ts';
import { whole } from '../strings/numerals.ts';

const count = whole;

/** How many numbers there are, and where they come from. */
export function parametersSaid(store: Store, parameters: readonly Tensor[]): string {
  const numbers = numbersIn(parameters);
  return showsTrained(store) ? strings.parametersLearned(numbers, parameters.length)
    : strings.parametersNote(numbers, parameters.length, originOf(store, parameters));
}

/** Every parameter in a line, once the list is open. */
export function listed(store: Store, parameters: readonly Tensor[], open: boolean,
  toggled: (event: Event) => void): unknown {
  return html`<details class="listed" ?open=${open} @toggle=${toggled}><summary>${
    strings.parameterList.open}</summary>${open ? table(store, parameters) : nothing}</details>`;
}

// Its name, its shape, how many numbers it holds, and where these come from.
function table(store: Store, parameters: readonly Tensor[]): unknown {
  const drawn = drawnIn(store.book, store.pictured);
  return html`<div class="sheet" tabindex="0" role="group" aria-label=${strings.parameters}>
    <table data-part="parameters"><thead><tr>${
      strings.parameterList.heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${parameters.map((tensor) =>
        html`<tr><th scope="row">${named(tensor)}</th><td>${tensor.shape.join(' × ') || '1'}</td>
        <td>${count(tensor.data.length)}</td><td>${
          store.documents.gives(tensor.name) ? strings.givenNote
            : showsTrained(store) ? strings.learnedNote
            : drawn(tensor) ? strings.parameterList.drawn : strings.parameterList.fixed}</td></tr>`)}</tbody>
      <tfoot><tr><th scope="row">${strings.parameterList.all}</th><td></td><td>${
        count(parameters.reduce((sum, { data }) => sum + data.length,
        0))}</td><td></td></tr></tfoot></table></div>`;
}

function named(tensor: Tensor): unknown {
  const { title, symbol } = naming(tensor);
  const latex = symbol || equation(tensor);
  return html`${breakable(title || (latex ? '' : tensor.name))} ${
    latex ? html`<ap-math class="plain" .latex=${latex}></ap-math>` : ''}`;
}
