// SPDX-License-Identifier: Apache-2.0
// Weights that come with a link or in a saved file: read, checked, and put where documents find them by name.
import '../strings/en-later.ts';
import { heldWeights, holdWeights, keepWeights, keptFile } from '../engine/kept.ts';
import { bytesOfFile } from '../files/data.ts';
import { comesWithPage, weightsNamed } from '../engine/weight-files.ts';
import type { Doc, Json } from '../engine/types.ts';
import { bytesOf, fromUrlSafe } from '../files/base64.ts';
import { type Base, checked, completed, pack, unpack } from '../files/packed.ts';
import { unsealed } from '../files/checksum.ts';
import { readWeights, untrainedIn } from '../files/weights.ts';
import { append } from '../lists.ts';
import { namesOf, readLecture } from './lecture.ts';
import { namesIn } from './local-weights.ts';
import type { Arrived, Compared, Packets } from './parse.ts';

/**
 * `rounded`: weights came that were not here; by so much a weight was changed at most, 0 where none was. `untrained`:
 * these of them were drawn and not trained.
 */
export type Landed = Omit<Arrived, 'weights'> & { rounded?: number; untrained?: string[] }
  | { problem: 'weights'; why: string };

interface Packet {
  name: string;
  file: Uint8Array;
  /** Whether these bytes are the same weights, as far as the packet holds them. */
  same(bytes: Uint8Array): boolean;
  rounding: number;
}

const equal = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, k) => byte === other[k]);

// What stayed out of a link because a file that comes with the page has it.
async function baseOf(name: string): Promise<Base> {
  const bytes = comesWithPage(name) ? await weightsNamed(name) : undefined;
  if (!bytes) throw new Error(`they belong to the weights "${name}", which this page does not have`);
  return { name, file: readWeights(bytes) };
}

async function ofLink(text: string): Promise<Packet> {
  const found = unpack(text);
  const { name, code, rest, rounding } = found;
  const base = rest && await baseOf(rest.base);
  const file = base ? completed(found, base.file) : found.file;
  // Earlier releases sent all weights, and no checksum.
  const sent = (one: string) => unsealed(fromUrlSafe(one));
  const same = (bytes: Uint8Array) => {
    if (equal(bytes, file)) return true;
    const own = readWeights(bytes);
    return [pack(name, own, code, base), pack(name, { ...own, metadata: {} }, code)]
      .some((one) => equal(sent(one.text), sent(text)));
  };
  return { name, file, same, rounding };
}

function ofFile([name, text]: [string, string]): Packet {
  let file: Uint8Array;
  try {
    file = bytesOf(text);
  } catch {
    throw new Error('they are cut off or damaged');
  }
  checked(file);
  return { name, file, same: (bytes) => equal(bytes, file), rounding: 0 };
}

const read = async ({ links = [], files = {} }: Packets): Promise<Packet[]> =>
  [...await Promise.all(links.map(ofLink)), ...Object.entries(files).map(ofFile)];

// FNV-1a: pages without a certificate have no other.
function hashOf(bytes: Uint8Array): string {
  let sum = 0xcbf29ce484222325n;
  for (const byte of bytes) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  return sum.toString(36);
}

// A name that nothing else has: what the reader trained here is never replaced by what a stranger sends.
async function nameFor(packet: Packet, keeps: boolean): Promise<{ name: string; known: boolean }> {
  const holds = async (name: string) => {
    // Elsewhere than on the page not even an empty database is made.
    const file = comesWithPage(name) ? new Uint8Array() : keeps ? await keptFile(name) : heldWeights(name);
    return { name, free: file === undefined, known: file !== undefined && packet.same(await bytesOfFile(file)) };
  };
  const hash = hashOf(packet.file);
  for (let tried = 0; ; tried++) {
    const found = await holds(tried === 0 ? packet.name : `own-${hash}${tried === 1 ? '' : `-${tried}`}.safetensors`);
    if (found.free || found.known) return found;
  }
}

const renamed = <One extends Doc | Compared>(of: One, from: string, to: string): One => {
  const parameters = of.parameters as { from?: unknown } | undefined;
  return parameters?.from === from ? { ...of, parameters: { ...parameters, from: to } } : of;
};

/**
 * Puts the weights that came with a document where it finds them. `keeps`: they outlive the page, so that a reload
 * finds them; an element on somebody else's page leaves nothing there.
 */
export async function land({ weights, lecture: sent, ...arrived }: Arrived, keeps: boolean): Promise<Landed> {
  const lecture = readLecture(sent);
  const told = () => (lecture ? { lecture: lecture as unknown as Json } : {});
  if (!weights) return { ...arrived, ...told() };
  let { document, compare } = arrived;
  let rounded: number | undefined;
  const untrained: string[] = [];
  try {
    const asked = [...namesIn(document, compare), ...(lecture ? namesOf(lecture) : [])];
    for (const packet of await read(weights)) {
      if (!asked.includes(packet.name)) throw new Error(`they are called "${packet.name}", but the document asks for ${
        asked.map((one) => `"${one}"`).join(', ') || 'none'}`);
      const { name, known } = await nameFor(packet, keeps);
      if (!known) {
        rounded = Math.max(rounded ?? 0, packet.rounding);
        append(untrained, untrainedIn(readWeights(packet.file)));
        holdWeights(name, packet.file);
        // The page does not wait for its database.
        if (keeps) void keepWeights(name, packet.file);
      }
      document = renamed(document, packet.name, name);
      compare = compare && renamed(compare, packet.name, name);
      for (const moment of lecture?.moments ?? []) moment.document = renamed(moment.document, packet.name, name);
    }
  } catch (problem) {
    return { problem: 'weights', why: problem instanceof Error ? problem.message : String(problem) };
  }
  // An embed says only what its reader has to know: that numbers are not those that were trained.
  const tell = rounded !== undefined && (keeps || rounded > 0);
  return { ...arrived, document, ...told(), ...(compare ? { compare } : {}), ...(tell ? { rounded } : {}),
    ...(keeps && untrained.length > 0 ? { untrained } : {}) };
}
