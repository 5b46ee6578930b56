// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { axisOf } from '../directory/typed.ts';
import { csvText } from '../files/csv.ts';
import { strings } from '../strings/en.ts';
import { matrix } from './matrix.ts';
import { csv, type Subject, type View } from './view.ts';

const MOST = 256;

interface Place {
  layer: number;
  head: number;
  subject: Subject;
}

const count = ({ tensor: { shape } }: Subject, axis: number): number => (axis < 0 ? 1 : (shape[axis] ?? 1));

/** A picture for each layer and head. */
function places(subject: Subject): Place[] {
  const [layers, heads] = [axisOf(subject.typed, 'layer'), axisOf(subject.typed, 'head')];
  return Array.from({ length: count(subject, layers) },
    (_, layer) => Array.from({ length: count(subject, heads) }, (__, head) => (
    { layer, head, subject: { ...subject,
      held: subject.held.map((at, axis) => (axis === layers ? layer : axis === heads ? head : at)) } }))).flat();
}

/** Layers by heads: a row of small pictures for each layer, all on one scale. */
export const grid: View = {
  id: 'grid',
  rank: 100,
  accepts(typed, shape) {
    const [layers, heads] = [axisOf(typed, 'layer'), axisOf(typed, 'head')];
    const pictures = (layers < 0 ? 1 : shape[layers]!) * (heads < 0 ? 1 : shape[heads]!);
    return (layers >= 0 || heads >= 0) && typed.dimensions.length > (layers >= 0 && heads >= 0 ? 2 : 1)
      && pictures <= MOST;
  },
  draw(subject, { width, height }) {
    const heads = count(subject, axisOf(subject.typed, 'head'));
    const layers = count(subject, axisOf(subject.typed, 'layer'));
    const room = { width: Math.max(16, width / heads - 8), height: Math.max(16, height / layers - 8) };
    return html`<ol class="grid" aria-label=${this.says(subject)}
      data-columns=${heads}>${places(subject)
      .map((one) => html`<li aria-label=${strings.pictures.place(one.layer + 1, one.head + 1)}>${
      matrix.draw(one.subject, room)}</li>`)}</ol>`;
  },
  says: (subject) => strings.pictures.grid(count(subject, axisOf(subject.typed, 'layer')),
    count(subject, axisOf(subject.typed, 'head'))),
  exports: (subject) => ({ ending: 'csv',
    text: places(subject).map((one) =>
    csvText([[strings.pictures.place(one.layer + 1, one.head + 1)]]) + csv(one.subject).text).join('\r\n') }),
};
