// SPDX-License-Identifier: Apache-2.0
// Shapes on the page: classes colour them there, and a pointer reads what they mean.
import { nothing, svg } from 'lit';
import type { Shape } from './shapes.ts';

/** A shape with the class that colours it, and with what is said of it. */
export type Mark = Shape & { is?: string; title?: string };

const title = ({ title: text }: Mark): unknown => (text === undefined ? nothing : svg`<title>${text}</title>`);

/** The marks of a drawing, as the content of an svg element. */
export const marksOf = (marks: readonly Mark[]): unknown => marks.map((mark) => {
  const is = mark.is ?? nothing;
  if (mark.kind === 'rect') return svg`<rect class=${is} x=${mark.x} y=${mark.y} width=${mark.w}
    height=${mark.h}>${title(mark)}</rect>`;
  if (mark.kind === 'line') return svg`<path class=${is} d="M${mark.x1} ${mark.y1}L${mark.x2} ${mark.y2}" />`;
  if (mark.kind === 'path') return svg`<polyline class=${is}
    points=${mark.points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}>${title(mark)}</polyline>`;
  return svg`<text class=${is} x=${mark.x} y=${mark.y} text-anchor=${mark.at}>${mark.text}</text>`;
});
