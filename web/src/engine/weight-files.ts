// SPDX-License-Identifier: Apache-2.0
// Files of weights by the names that documents give: those that come with the page, and the reader's own.
import { bytesAt } from './bytes.ts';
import { keptWeights } from './kept.ts';
import { ENCODER } from './encoder.ts';

export const absolute = (address: string): string => new URL(address, document.baseURI).href;

const come: Record<string, string> = {};
// What the reader lets the page fetch (real/model.ts) comes with it, too, and has no address for the engine.
const onDemand: ReadonlySet<string> = new Set([ENCODER]);

/** These files come with the page, or lie where its host put them: names and addresses. */
export const offerWeights = (urls: Record<string, string>): void => void Object.assign(come, urls);

/** Whether a file of this name comes with the page: a document that asks for it finds it wherever the page is. */
export const comesWithPage = (name: string): boolean => Object.hasOwn(come, name) || onDemand.has(name);

/** The bytes of a file of weights that a document names. */
export const weightsNamed = async (name: string): Promise<Uint8Array | undefined> =>
  (Object.hasOwn(come, name) ? bytesAt(absolute(come[name]!)) : keptWeights(name));

export const weightsUrls = (): Record<string, string> =>
  Object.fromEntries(Object.entries(come).map(([name, address]) => [name, absolute(address)]));
