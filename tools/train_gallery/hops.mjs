// SPDX-License-Identifier: Apache-2.0
// Questions that need two facts: which of them each hop of a memory reads. The first leads to the second, which has the
// answer: "Mary took the milk . Mary went to the garden ." "where is the milk".

/** The sentence of a position, counted by the points before it. */
const sentenceOf = (tokens, column) => tokens.slice(0, column).filter((token) => token === '.').length;

/** The sentences of both facts; undefined where a question needs one. */
export function factsOf({ links }, tokens) {
  const sentences = (kind) => new Set(links.filter((link) => link[2] === kind)
    .map(([, column]) => sentenceOf(tokens, column)));
  const [second] = sentences('means'), first = [...sentences('agrees')].find((sentence) => sentence !== second);
  return first === undefined || second === undefined ? undefined : { first, second };
}

/** One map for each hop, with one row over the words: "hops.weights.0", "hops.weights.1". */
const isHop = ({ name, role, shape }) => role === 'weights' && /\.weights\.\d+$/.test(name) && shape.at(-2) === 1;

/** For each hop, how often its largest weight is in the first fact and in the second; undefined without two hops. */
export function hopsOf(engine, document, examples, { filled, source }) {
  const counts = new Map();
  let asked = 0;
  for (const example of examples) {
    const { tokens } = example.inputs[source];
    const facts = tokens && factsOf(example, tokens);
    if (!facts) continue;
    asked++;
    for (const { name, shape, data } of engine.run(filled(document, example)).filter(isHop)) {
      if (shape.at(-1) !== tokens.length) return undefined;
      const at = sentenceOf(tokens, data.indexOf(Math.max(...data)));
      const count = counts.get(name) ?? { map: name, first: 0, second: 0 };
      for (const fact of ['first', 'second']) count[fact] += at === facts[fact] ? 1 : 0;
      counts.set(name, count);
    }
  }
  if (counts.size < 2) return undefined;
  return { examples: asked, each: [...counts.values()].map(({ map, first, second }) =>
    ({ map, first: first / asked, second: second / asked })) };
}
