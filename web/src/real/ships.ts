// SPDX-License-Identifier: Apache-2.0
import type { Thumbnail } from '../elements/thumbnail.ts';
import type { Parcel } from './download.ts';

/** The real model that came with this build. */
export interface Ships {
  title: string;
  source: string;
  /** The address of its licence. */
  licence: string;
  /** How many parameters it has. */
  numbers: number;
  weights: Parcel;
  tokenizer: Parcel;
  /** The maps of the first sentence, layer by layer. */
  thumbnails: Thumbnail[][];
}
