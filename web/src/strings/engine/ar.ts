// SPDX-License-Identifier: Apache-2.0
import reasons from '../../../../data/catalogue/ar/reasons.json';
import type { MechanismWords } from '../engine.ts';
import { phrases, refusals } from './ar.json';
import { wordsOf } from './words.ts';

// Those of records beside the mechanisms are fetched when one is shown (records.ts).
const files = import.meta.glob<Record<string, MechanismWords>>(['../../../../data/catalogue/ar/*.json',
  '!**/measures.json', '!**/reasons.json', '!**/systems.json', '!**/tasks.json'], { eager: true, import: 'default' });

export default wordsOf(Object.values(files), reasons, phrases, refusals);
