// SPDX-License-Identifier: Apache-2.0
import measures from '../../../../data/catalogue/ar/measures.json';
import systems from '../../../../data/catalogue/ar/systems.json';
import tasks from '../../../../data/catalogue/ar/tasks.json';
import type { RecordWords } from '../records.ts';

const words: RecordWords = { measures, systems, tasks };
export default words;
