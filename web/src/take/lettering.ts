// SPDX-License-Identifier: Apache-2.0
// The page's font, for a figure that leaves the page.
import regular from 'basic-fonts/source-sans-3-basic-400-normal.woff2?url';
import semibold from 'basic-fonts/source-sans-3-basic-600-normal.woff2?url';
import { type Lettering, weightOf } from '../elements/lettering.ts';
import type { Drawing } from '../elements/shapes.ts';
import { bytesAt } from '../engine/bytes.ts';
import { absolute } from '../engine/named.ts';
import { base64 } from '../files/base64.ts';

const FAMILY = "'Source Sans 3'";
// Sizes differ by a factor only, so that one serves to measure.
const SIZE = 100;

/** What a figure's text needs to look the same elsewhere: outlines, or the font and the widths of its texts. */
export async function letteringFor({ shapes }: Drawing, outlined: boolean): Promise<Lettering> {
  const letters = shapes.map((shape) => (shape.kind === 'text' ? shape.text : '')).join('');
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} ${SIZE}px ${FAMILY}`, letters)));
  const to = document.createElement('canvas').getContext('2d')!;
  const widthOf = (text: string, size: number, bold: boolean): number => {
    to.font = `${weightOf(bold)} ${SIZE}px ${FAMILY}`;
    return (to.measureText(text).width * size) / SIZE;
  };
  if (outlined) return { widthOf, outlines: (await import('basic-fonts/outlines.json')).default };
  const faces = await Promise.all(([['400', regular], ['600', semibold]] as const).map(async ([weight, address]) =>
    ({ weight, file: base64(await bytesAt(absolute(address))) })));
  return { widthOf, faces };
}
