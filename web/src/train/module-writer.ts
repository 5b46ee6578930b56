// SPDX-License-Identifier: Apache-2.0
// In the worker: a document as code that grows, by the exporter that is in the training's engine.
import { bytesAt } from '../engine/bytes.ts';
import { holdWeights } from '../engine/kept.ts';
import { WeightFiles } from '../engine/weights.ts';
import { WordFiles } from '../engine/words.ts';
import type { News, Order, Trainer } from './messages.ts';

export async function writeModule(module: Trainer, order: Extract<Order, { kind: 'module' }>): Promise<News> {
  const { document, form, headings, held } = order;
  for (const { name, bytes } of held) holdWeights(name, bytes);
  const vectors = new WordFiles(order.wordsUrls.map((url) => () => bytesAt(url)));
  const weights = new WeightFiles(order.weightsUrls);
  try {
    const [hand] = await Promise.all([vectors.ready(document),
      weights.ready((work) => Promise.resolve(work(module)), document)]);
    hand(module);
  } catch (problem) {
    // A file that is not there is no crash of the engine.
    const message = problem instanceof Error ? problem.message : String(problem);
    return { kind: 'refused', by: 'module', problem: { path: '', message } };
  }
  const { directory, data } = module.moduleCode(document, form, headings);
  return { kind: 'module', text: directory, weights: data };
}
