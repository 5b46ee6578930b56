// SPDX-License-Identifier: Apache-2.0
import { headAt, type Headed, sharedBy } from '../directory/heads.ts';
import { strings } from './en.ts';

export const withMap = (head: string, map: number | undefined): string =>
  (map === undefined ? head : head + strings.comma + strings.cell.map(map));

/** "Head 2", or "Head 2, map 1" where a head has several maps, or "Key-value head 1 (heads 1 to 4)". */
export function headNamed(tensor: Headed, index: number): string {
  const shared = sharedBy(tensor, index);
  if (shared) return strings.keyValueHead(index + 1, shared.first, shared.last);
  const { head, map } = headAt(tensor, index);
  return withMap(strings.head(head), map);
}

/** The same within a sentence. */
export function headInside(tensor: Headed, index: number): string {
  const { head, map } = headAt(tensor, index);
  return withMap(strings.cell.head(head), map);
}
