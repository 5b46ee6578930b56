// SPDX-License-Identifier: Apache-2.0
// What a PNG says beside its picture: how large it is on paper, and what made it.
import { PER_METRE } from './sheet.ts';
import type { About } from './shapes.ts';
import { joined } from '../lists.ts';

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

/** The PNG with these chunks in place of those of the same names. */
function withChunks(png: Uint8Array, added: readonly [name: string, data: Uint8Array][]): Uint8Array {
  const names = new Set(added.map(([name]) => name));
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const parts = [png.subarray(0, SIGNATURE)];
  for (let at = SIGNATURE; at + AROUND <= png.length;) {
    const end = at + view.getUint32(at) + AROUND;
    const name = String.fromCharCode(...png.subarray(at + NAMED, at + NAMED + 4));
    if (!names.has(name)) parts.push(png.subarray(at, end));
    // They stand behind the first chunk, which says how large the picture is, and before its data.
    if (name === 'IHDR') for (const [own, data] of added) parts.push(chunk(own, data));
    at = end;
  }
  return joined(parts, Uint8Array);
}

/** A PNG that says how many pixels it has to the metre, so that programs place it in its size. */
export function printed(png: Uint8Array, perMetre = PER_METRE): Uint8Array {
  const data = new Uint8Array(9);
  new DataView(data.buffer).setUint32(0, perMetre);
  new DataView(data.buffer).setUint32(4, perMetre);
  data[8] = 1; // the unit is the metre
  return withChunks(png, [[SIZE, data]]);
}

// A keyword of the PNG specification, no compression, no language, and the text in UTF-8.
const textChunk = (keyword: string, text: string): [string, Uint8Array] =>
  ['iTXt', new TextEncoder().encode(`${keyword}\0\0\0\0\0${text.replaceAll('\0', '')}`)];

/** A PNG that says what it shows, what made it and from which document. */
export function described(png: Uint8Array, title: string, { description, software, source }: About): Uint8Array {
  return withChunks(png, [textChunk('Title', title), textChunk('Description', description),
    textChunk('Software', software), ...(source === undefined ? [] : [textChunk('Source', source)])]);
}
