// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from 'node:util';

export const parts = ['kernels', 'attention', 'workers', 'memory', 'startup', 'mechanisms', 'sliders', 'tasks',
  'native', 'fused', 'recurrent', 'program', 'training', 'efficient', 'systems', 'models'];

export const usage =
  `usage: bench/run [--only PART,...] [--rounds N] [--milliseconds N] [--patience N] [--works NAME,...]
                 [--engines NAME,...] [--out FOLDER] [--no-build] [--keep]
  --only          parts to measure: ${parts.join(', ')}; all without it
  --rounds        how often everything is measured; the best and the middle count (12)
  --milliseconds  how long one measurement of a round lasts (80)
  --patience      seconds to wait before a round until nothing else runs on the machine (2)
  --works         part of the names of what is measured, such as one-64, full, gradient, or of systems
  --engines       part of the names of the engines, such as relaxed, onnx
  --out           where the results go (bench/results)
  --no-build      what is built already is measured
  --keep          parts that are not measured now keep their results of last time`;

function count(text, name, least = 1) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new TypeError(`--${name}: expected a whole number of at least ${least}, found ${text}`);
  return value;
}

const list = (text) => (text ? text.split(',').filter(Boolean) : []);

/** The settings that the command line asks for; throws a TypeError that says what is wrong. */
export function read(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '12' },
      milliseconds: { type: 'string', default: '80' },
      patience: { type: 'string', default: '2' },
      works: { type: 'string' },
      engines: { type: 'string' },
      out: { type: 'string', default: 'bench/results' },
      'no-build': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const only = list(values.only);
  for (const part of only) if (!parts.includes(part))
    throw new TypeError(`--only: there is no part ${part} (there are: ${parts.join(', ')})`);
  return {
    parts: parts.filter((part) => only.length === 0 || only.includes(part)),
    rounds: count(values.rounds, 'rounds'),
    milliseconds: count(values.milliseconds, 'milliseconds'),
    patience: count(values.patience, 'patience', 0),
    works: list(values.works),
    engines: list(values.engines),
    out: values.out,
    build: !values['no-build'],
    keep: values.keep,
    help: values.help,
  };
}
