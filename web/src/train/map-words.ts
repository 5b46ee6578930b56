// SPDX-License-Identifier: Apache-2.0
// What the rows and columns of a training's maps are called.
import type { Link, Picture } from './messages.ts';
import { words } from './words.ts';

/** Height and width in places of a map over an image: a coarser grid of the image's proportions. */
export function gridOf([height, width]: readonly number[], places: number): [number, number] {
  const rows = Math.max(1, Math.round(Math.sqrt((places * height!) / width!)));
  return [rows, Math.round(places / rows)];
}

/** What a map's columns are called: words, or of an image row and column of each place, which count from 0. */
export function columnNames({ source, image }: Pick<Picture, 'source' | 'image'>, columns: number): string[] {
  if (!image) return source.slice(0, columns);
  const [, wide] = gridOf(image, columns);
  return Array.from({ length: columns }, (_, place) => `${Math.floor(place / wide)},${place % wide}`);
}

/** What the rows of a map are: the words of the answer, or where the map has its own, these. */
export const rowNames = ({ maps, truth }: Picture, at: number): string[] =>
  maps[at]!.words?.[0] ?? truth.slice(0, maps[at]!.shape[1]);

/** What the columns of one map are. */
export const columnsOf = (picture: Picture, at: number): string[] =>
  picture.maps[at]!.words?.[1] ?? columnNames(picture, picture.maps[at]!.shape[2]);

/** Names for a menu: of a word that is there more than once, each with its position, which counts from 1. */
export const toldApart = (names: readonly string[]): string[] => names.map((name, at) =>
  (names.indexOf(name) === names.lastIndexOf(name) ? name : words().nameAt(name, at + 1)));

/** The row of the map that answers with the word `k` of the answer: the last rows, where rows are other words. */
export const rowOf = (picture: Picture, at: number, k: number): number =>
  (picture.maps[at]!.words ? k + picture.maps[at]!.shape[1] - picture.truth.length : k);

/** The known alignment at the places of one map; none where its columns are other words than the source. */
export function linksOn(picture: Picture, at: number): Link[] {
  const own = picture.maps[at]!.words;
  if (own && own[1].join(' ') !== picture.source.join(' ')) return [];
  return picture.links.map(([row, column, kind]): Link => [rowOf(picture, at, row), column, kind])
    .filter(([row]) => row >= 0);
}
