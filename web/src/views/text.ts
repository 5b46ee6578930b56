// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { domainOf } from '../colour/scale.ts';
import { axisOf } from '../directory/typed.ts';
import '../flow/text.ts';
import { lines } from './lines.ts';
import { csv, planeOf, type View } from './view.ts';

/** The words that one query looks at, each shaded by its weight. Words are needed for it. */
export const text: View = {
  id: 'text',
  rank: 90,
  accepts: (typed, shape) => lines.accepts(typed, shape)
    && typed.dimensions[axisOf(typed, 'key')]?.labels !== undefined,
  draw: (subject) => html`<ap-text .plane=${planeOf(subject)}
    .domain=${domainOf(subject.tensor.data, 'weights')}></ap-text>`,
  says: lines.says,
  exports: (subject) => csv(subject),
};
