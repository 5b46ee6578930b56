// SPDX-License-Identifier: Apache-2.0
// The package's element: importing it makes <attention-playground> known to the page.
export { AttentionPlayground } from '../page/element.ts';
export { configure } from '../engine/load.ts';
