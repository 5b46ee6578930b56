// SPDX-License-Identifier: Apache-2.0
import { access } from './access.mjs';
import { cells } from './cells.mjs';
import { comparison, sampling } from './compare.mjs';
import { controls } from './controls.mjs';
import { editing } from './editing.mjs';
import { embeds } from './embed.mjs';
import { links } from './links.mjs';
import { pictures } from './pictures.mjs';
import { walk } from './walk.mjs';

export const cases = [...pictures, ...editing, ...controls, ...links, ...embeds, ...access, ...cells, ...walk, ...comparison, ...sampling];
