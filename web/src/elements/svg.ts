// SPDX-License-Identifier: Apache-2.0
import type { Drawing, Shape } from './shapes.ts';

const FONT = "'Source Sans 3', 'Source Sans Pro', 'Segoe UI', Helvetica, Arial, sans-serif";

// XML has no way to write most control characters, so they become a mark that says so.
const escape = (text: string): string =>
  text
    // A line's end or a tab is a space, as a canvas writes it.
    .replace(/[\t\n\r]/g, ' ')
    .replace(
    /[\u0000-\u001f\u007f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const n = (value: number): string => String(Math.round(value * 100) / 100);

function element(shape: Shape): string {
  if (shape.kind === 'rect') {
    const { x, y, w, h, fill, line } = shape;
    const inset = line ? 0.5 : 0;
    return `<rect x="${n(x + inset)}" y="${n(y + inset)}" width="${n(w - 2 * inset)}" height="${n(
      h - 2 * inset)}" fill="${fill ?? 'none'}"${line ? ` stroke="${line}"` : ''}/>`;
  }
  if (shape.kind === 'line') {
    return `<line x1="${n(shape.x1)}" y1="${n(shape.y1)}" x2="${n(shape.x2)}" y2="${n(shape.y2)}" stroke="${
      shape.line}"/>`;
  }
  if (shape.kind === 'path') {
    return `<polyline points="${shape.points.map(([x, y]) => `${n(x)},${n(y)}`).join(' ')}" fill="none" stroke="${
      shape.line}" stroke-width="${shape.wide}"${shape.dashed ? ' stroke-dasharray="4 3"' : ''}/>`;
  }
  const { x, y, text, size, fill, at, bold, turn } = shape;
  const place = turn ? `transform="translate(${n(x)} ${n(y)}) rotate(${turn})"` : `x="${n(x)}" y="${n(y)}"`;
  return `<text ${place} font-size="${size}" fill="${fill}"${at === 'start' ? ''
    : ` text-anchor="${at}"`}${bold ? ' font-weight="600"' : ''}>${escape(text)}</text>`;
}

/** The figure as SVG; its text is text, to be found, copied and read aloud. */
export function svgOf({ title, width, height, shapes, centimetres }: Drawing): string {
  const [wide, high] = centimetres === undefined ? [width, height]
    : [`${n(centimetres)}cm`, `${n((centimetres * height) / width)}cm`];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${wide}" height="${
      high}" role="img" direction="ltr" aria-label="${escape(title)}" font-family="${escape(FONT)}">`,
    `<title>${escape(title)}</title>`,
    ...shapes.map(element),
    '</svg>',
    '',
  ].join('\n');
}
