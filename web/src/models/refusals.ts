// SPDX-License-Identifier: Apache-2.0
// What src/import says when it refuses the files or the text of a model, in the words of each language.
import { learnRefusals } from '../strings/quote.ts';

const files = import.meta.glob<Record<string, string>>('./refusals/*.json', { eager: true, import: 'default' });
for (const [path, sentences] of Object.entries(files)) learnRefusals(/(\w+)\.json$/.exec(path)![1]!, sentences);
