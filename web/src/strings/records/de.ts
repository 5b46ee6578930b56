// SPDX-License-Identifier: Apache-2.0
import measures from '../../../../data/catalogue/de/measures.json';
import systems from '../../../../data/catalogue/de/systems.json';
import tasks from '../../../../data/catalogue/de/tasks.json';
import type { RecordWords } from '../records.ts';

const words: RecordWords = { measures, systems, tasks };
export default words;
