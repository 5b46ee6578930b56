// SPDX-License-Identifier: Apache-2.0
// Where a trained system fails: a held-out example that it answers wrong, and sources longer than those it learned.
import { attend } from './attend.mjs';

const FACTOR = 1.5;

// Two texts are told apart by the point of the first, or else by a stroke.
const joined = (first, second) => [...first, ...(first.at(-1) === '.' ? [] : ['/']), ...second];

/** The first of these examples that the model answers wrong: its source and what is asked of it. */
export function firstWrong(engine, document, examples, { filled, source, asked = [] }) {
  for (const example of examples) {
    const written = engine.written(filled(document, example));
    if (written.join('\n') !== example.truth.join('\n'))
      return { written, right: example.truth, source: example.inputs[source].tokens
        && [source, ...asked].map((name) => example.inputs[name].tokens).reduce(joined) };
  }
  return undefined;
}

/** The two whole numbers of a task that say from where to where: they have the same bounds. */
function spanOf(knobs) {
  const whole = knobs.filter(({ type, minimum, maximum }) => type === 'integer' && maximum > minimum + 1);
  for (const [k, least] of whole.entries()) {
    const most = whole.slice(k + 1).find((one) => one.minimum === least.minimum && one.maximum === least.maximum);
    if (most) return { least, most };
  }
  return undefined;
}

/** The share of words right at half as long again as what was learned; undefined where the task has no length. */
export function longer(document, { knobs }, weights) {
  const span = spanOf(knobs);
  if (!span) return undefined;
  const { task } = document.training;
  const own = typeof task === 'string' ? { type: task } : task;
  const learned = own[span.most.name] ?? span.most.default;
  const tried = Math.min(span.most.maximum, Math.ceil(learned * FACTOR));
  if (tried <= learned) return undefined;
  const asked = { ...document, training: { ...document.training,
    task: { ...own, [span.least.name]: tried, [span.most.name]: tried } } };
  try {
    const [{ accuracy }] = attend(['train', '-', '--from', weights, '--measure'], JSON.stringify(asked));
    return { knob: span.most.name, title: span.most.title, learned, tried, accuracy };
  } catch (refusal) {
    // A model that is built for a length, or words that the task has no more of.
    return { knob: span.most.name, learned, tried, refused: refusal.message.split('\n')[0] };
  }
}
