// SPDX-License-Identifier: Apache-2.0
// The catalogue with its words, written by the build beside the module, as a module for bundlers.
import type { Catalogue } from '../engine/types.ts';

declare const catalogue: Catalogue;
export default catalogue;
