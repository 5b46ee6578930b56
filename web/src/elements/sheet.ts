// SPDX-License-Identifier: Apache-2.0
// How large a figure is on paper.

/** A figure of a paper: its width, and the size of the text of its labels. */
export interface Sheet {
  centimetres: number;
  points: number;
}

export const CENTIMETRES = [3, 60] as const;
export const POINTS = [4, 24] as const;
/** What journals ask for: text is read at this size beside the paper's own. */
export const USUAL_POINTS = 8;
const PER_INCH = 300;
const [CM, PT] = [2.54, 72];

/** The size of the text of labels in the units of a figure. */
export const LABEL = 12;

/** How many units of a figure are as wide as the paper: so many that its labels have their size. */
export const unitsOf = ({ centimetres, points }: Sheet): number => ((centimetres / CM) * PT * LABEL) / points;

/** How many pixels that is at the resolution of print. */
export const pixelsOf = ({ centimetres }: Pick<Sheet, 'centimetres'>): number =>
  Math.round((centimetres / CM) * PER_INCH);

/** The size of text of a figure that is so many units wide. */
export const pointsOf = (size: number, units: number, { centimetres }: Pick<Sheet, 'centimetres'>): number =>
  (size * (centimetres / CM) * PT) / units;

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function checksum(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = table[(c ^ byte) & 255]! ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const SIGNATURE = 8;
/** Of a chunk besides its data: length, name, checksum. */
const [NAMED, AROUND] = [4, 12];
const SIZE = 'pHYs';

function chunk(name: string, data: Uint8Array): Uint8Array {
  const made = new Uint8Array(data.length + AROUND);
  const view = new DataView(made.buffer);
  view.setUint32(0, data.length);
  made.set(new TextEncoder().encode(name), NAMED);
  made.set(data, NAMED + 4);
  view.setUint32(made.length - 4, checksum(made.subarray(NAMED, made.length - 4)));
  return made;
}

/** A PNG that says how many pixels it has to the metre, so that programs place it in its size. */
export function printed(png: Uint8Array, perMetre = Math.round(PER_INCH / (CM / 100))): Uint8Array {
  const data = new Uint8Array(9);
  new DataView(data.buffer).setUint32(0, perMetre);
  new DataView(data.buffer).setUint32(4, perMetre);
  data[8] = 1; // the unit is the metre
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const parts = [png.subarray(0, SIGNATURE)];
  for (let at = SIGNATURE; at + AROUND <= png.length;) {
    const end = at + view.getUint32(at) + AROUND;
    const name = String.fromCharCode(...png.subarray(at + NAMED, at + NAMED + 4));
    if (name !== SIZE) parts.push(png.subarray(at, end));
    // It stands behind the first chunk, which says how large the picture is, and before its data.
    if (name === 'IHDR') parts.push(chunk(SIZE, data));
    at = end;
  }
  const made = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}
