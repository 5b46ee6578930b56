// SPDX-License-Identifier: Apache-2.0
import { isDrawn, type Lettering, weightOf } from './lettering.ts';
import type { About, Drawing, Shape } from './shapes.ts';

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

type TextShape = Extract<Shape, { kind: 'text' }>;
const UNITS = 1000;
const idOf = (letter: string, weight: string): string => `g${weight[0]}-${letter.codePointAt(0)!.toString(16)}`;

// Each letter is where the page's font puts it, pairs of letters included. The whole text is said by its label.
function outlined({ x, y, text, size, fill, at, bold, turn }: TextShape, { widthOf }: Lettering,
  used: Map<string, string>, outlines: Readonly<Record<string, string>>): string {
  const wide = (part: string) => widthOf(part, size, bold ?? false);
  const width = wide(text);
  const start = at === 'start' ? 0 : at === 'middle' ? -width / 2 : -width;
  const letters: string[] = [];
  let before = '';
  for (const letter of text) {
    const path = outlines[letter]!;
    if (path !== '') {
      const id = idOf(letter, weightOf(bold));
      used.set(id, path);
      // What a pair is set closer shows only where both letters are measured together.
      const along = ((start + wide(before + letter) - wide(letter)) * UNITS) / size;
      letters.push(`<use xlink:href="#${id}" x="${Math.round(along)}"/>`);
    }
    before += letter;
  }
  const scale = Math.round((size / UNITS) * 1e5) / 1e5;
  return `<g role="img" aria-label="${escape(text)}" fill="${fill}" transform="translate(${n(x)} ${n(y)})${
    turn ? ` rotate(${turn})` : ''} scale(${scale})">${letters.join('')}</g>`;
}

function element(shape: Shape, lettering: Lettering | undefined, used: Map<string, string>): string {
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
  const outlines = lettering?.outlines?.[weightOf(bold)];
  if (lettering && isDrawn(text, outlines)) return outlined(shape, lettering, used, outlines);
  const width = lettering && text.trim() !== '' ? lettering.widthOf(text, size, bold ?? false) : 0;
  const fits = width > 0 ? ` textLength="${n(width)}" lengthAdjust="spacingAndGlyphs"` : '';
  const place = turn ? `transform="translate(${n(x)} ${n(y)}) rotate(${turn})"` : `x="${n(x)}" y="${n(y)}"`;
  return `<text ${place} font-size="${size}" fill="${fill}"${at === 'start' ? ''
    : ` text-anchor="${at}"`}${fits}${bold ? ' font-weight="600"' : ''}>${escape(text)}</text>`;
}

const faceOf = ({ weight, file }: { weight: string; file: string }): string =>
  `@font-face{font-family:'Source Sans 3';font-weight:${weight};`
    + `src:url(data:font/woff2;base64,${file})format('woff2')}`;

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';

// Where programs for drawings look for it: Dublin Core in RDF.
function metadata(title: string, { description, software, source }: About): string {
  const members = { title, description, creator: software, ...(source === undefined ? {} : { source }) };
  return `<desc>${escape(description)}</desc>\n<metadata><rdf:RDF xmlns:rdf="${RDF}" xmlns:dc="${DUBLIN_CORE}">`
    + `<rdf:Description rdf:about="">${Object.entries(members).map(([name, text]) =>
      `<dc:${name}>${escape(text)}</dc:${name}>`).join('')}</rdf:Description></rdf:RDF></metadata>`;
}

/**
 * The figure as SVG. Its text is text, to be found and copied, or outlines that every program draws alike. With
 * `lettering` a text takes the room that the page's font gives it, whatever font a program has.
 */
export function svgOf({ title, width, height, shapes, centimetres, about }: Drawing, lettering?: Lettering): string {
  const used = new Map<string, string>();
  const drawn = shapes.map((shape) => element(shape, lettering, used));
  const faces = (lettering?.faces ?? []).map(faceOf);
  const [wide, high] = centimetres === undefined ? [width, height]
    : [`${n(centimetres)}cm`, `${n((centimetres * height) / width)}cm`];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg"${used.size > 0 ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : ''
      } viewBox="0 0 ${width} ${height}" width="${wide}" height="${
      high}" role="img" direction="ltr" aria-label="${escape(title)}" font-family="${escape(FONT)}">`,
    `<title>${escape(title)}</title>`,
    ...(about ? [metadata(title, about)] : []),
    ...(faces.length > 0 ? [`<style>${faces.join('')}</style>`] : []),
    ...(used.size > 0
      ? [`<defs>${[...used].map(([id, path]) => `<path id="${id}" d="${path}"/>`).join('')}</defs>`] : []),
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
