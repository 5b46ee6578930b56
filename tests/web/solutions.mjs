// SPDX-License-Identifier: Apache-2.0
// What a reader does in each lesson, step by step: [path, value] sets a field of the document, { ... } page state.
const S = ['the', 'animal', 'was', 'tired', 'so', 'it', 'slept', '.'];
const held = (tensor, index) => ({ hold: { group: 'outputs', tensor, index } });

export const solutions = {
  tour: [held('weights', [0, 5, 1]), held('scores', [0, 5, 1]), ['/mechanism/alignment', { type: 'sparsemax' }],
    ['/inputs/x/tokens', ['the', 'dog']], { undo: true }],
  origins: [['/mechanism/alignment', { type: 'softmax' }], ['/mechanism/score', { type: 'dot' }],
    [['/inputs/x', { tokens: S, features: { type: 'embedding', dim: 16 } }], ['/mechanism/query', 'self-attention']],
    [['/mechanism/score', { type: 'scaled-dot' }],
      ['/mechanism/heads', { type: 'multi-head', count: 4 }]]],
  'divide-by-root-d': [['/inputs/x/features/dim', 64], ['/mechanism/score', { type: 'scaled-dot' }]],
  'never-zero': [['/mechanism/alignment', { type: 'sparsemax' }], held('weights', [0, 0])],
  'dead-gradient': [['/mechanism/alignment/temperature', 0.02]],
  uniform: [['/mechanism/alignment/temperature', 60]],
  'attention-sinks': [held('weights', [1, 3]), ['/inputs/key', { tokens: ['red', 'car', 'the'],
    features: { type: 'matrix', matrix: [[0, 4, 0], [0, 0, 4], [0, 0, 0]] } }],
  ['/mechanism/alignment', { type: 'softmax-one' }], ['/mechanism/alignment/extra', 8]],
  lookup: [['/mechanism/alignment/temperature', 0.02]],
  'hard-and-soft': [['/mechanism/alignment', { type: 'hard-argmax' }]],
  'shuffle-queries': [['/inputs/query/tokens', ['slept', 'who', 'and', 'why', '?']]],
  'shuffle-keys': [['/inputs/key/tokens', ['tired', 'the', 'animal', 'was']]],
  'softmax-shuffle': [['/inputs/key/tokens', ['tired', 'the', 'animal', 'was']]],
  'shuffle-self': [['/inputs/x/tokens', ['man', 'bites', 'dog']], ['/mechanism/position', ['pos-sinusoidal']],
    ['/inputs/x/tokens', ['dog', 'bites', 'man']]],
  causal: [['/inputs/x/tokens', ['she', 'opened', 'the', 'old', 'red', 'box']]],
  'convex-hull': [['/mechanism/alignment', { type: 'sigmoid' }]],
  'i-love-you': [[{ view: 'lines' }, held('weights', [2, 1])]],
  'symmetric-roles': [['/mechanism/score', { type: 'general' }]],
  heads: [['/mechanism/heads/count', 4], held('weights', [2, 5, 1])],
  'square-memory': [['/inputs/x/tokens', S]],
  crossover: [['/inputs/x/features/dim', 2]],
  'score-cost': [['/mechanism/score', { type: 'additive' }]],
  'linear-rnn': [['/mechanism/causal', true], ['/inputs/query/tokens', [...S.slice(0, 7), '!']]],
  'doubly-stochastic': [['/mechanism/alignment', { type: 'sinkhorn-normalise' }]],
  'notation-transpose': [held('weights', [5, 1]), ['/seed', 12]],
  'path-length': [['/mechanism/mask/0/window', 6],
    ['/mechanism/mask', [{ type: 'mask-bigbird', window: 1, global: 1, random: 0 }]]],
  'conv-equivalence': [['/mechanism/alignment/temperature', 0.05]],
  'effective-attention': [['/inputs/x/features/dim', 8]],
};

// What looks like the first step done, and is not.
export const mistakes = {
  'shuffle-self': ['/inputs/x/tokens', ['man', 'dog', 'bites']],
  'notation-transpose': held('weights', [1, 5]),
  'path-length': ['/mechanism/mask/0/window', 5],
  'conv-equivalence': ['/mechanism/alignment/temperature', 0.5],
  'effective-attention': ['/inputs/x/features/dim', 7],
  crossover: ['/inputs/x/features/dim', 4],
  'square-memory': ['/inputs/x/tokens', S.slice(0, 7)],
  lookup: ['/mechanism/alignment/temperature', 0.5],
  uniform: ['/mechanism/alignment/temperature', 2],
};
