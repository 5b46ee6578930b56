// SPDX-License-Identifier: Apache-2.0
// What the panel says of its knobs once it is used: what is refused, what an empty one means.
export { inTitles } from './in-titles.ts';
export { insteadSaid } from './instead.ts';
export { layersCalled, layersChoice, layersSaid } from './together.ts';
