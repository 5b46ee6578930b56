// SPDX-License-Identifier: Apache-2.0
import { HEAD } from '../src/directory/places.ts';
import { Result } from '../src/engine/result.ts';
import type { Engine } from '../src/engine/types.ts';
import { arrange } from '../src/directory/modules.ts';
import { mapThumbnail, type Thumbnail } from '../src/elements/thumbnail.ts';

/** The maps of a document, module by module and head by head, small. Throws where it does not compute. */
export function mapsOf(engine: Engine, document: object): Thumbnail[][] {
  const { directory, data } = engine.run(JSON.stringify(document));
  const parsed = JSON.parse(directory);
  if (!parsed.ok) throw new Error(`no picture: ${parsed.error.path} ${parsed.error.message}`);
  const result = new Result(parsed, data);
  return arrange(result).modules.flatMap(({ weights: maps }) => (maps ? [Array.from(
    { length: maps.shape[maps.places.indexOf(HEAD)] ?? 1 }, (_, head) =>
      mapThumbnail(result, maps, { [HEAD]: head }))] : []));
}
