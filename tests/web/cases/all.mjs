// SPDX-License-Identifier: Apache-2.0
import { access } from './access.mjs';
import { controls } from './controls.mjs';
import { editing } from './editing.mjs';
import { embeds } from './embed.mjs';
import { links } from './links.mjs';
import { pictures } from './pictures.mjs';

export const cases = [...pictures, ...editing, ...controls, ...links, ...embeds, ...access];
