// SPDX-License-Identifier: Apache-2.0
// Changes at places that a seed chooses, for loops that try many wrong documents.

/** Whole numbers below a bound (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

const odd = [null, true, "", "x", "softmax", "dot", [], {}, 0, 1, 2, -1, 0.5, 1e9, 1e300, [1], [[1, 2]],
  { type: "dot" }, { type: "softmax" }, { shape: [1], data: [1] }];

/**
 * A copy with up to three changes: a value replaced, a member left out, copied to another name, or put in the place of
 * another.
 */
export function mutated(document, random) {
  const root = { document: structuredClone(document) };
  for (let count = random(4); count > 0; --count) {
    const places = placesOf(root);
    const { owner, key } = places[random(places.length)];
    const other = places[random(places.length)];
    const way = random(4);
    if (way === 0) owner[key] = structuredClone(odd[random(odd.length)]);
    else if (way === 1 && owner !== root) Array.isArray(owner) ? owner.splice(key, 1) : delete owner[key];
    else if (way === 2) owner[key] = structuredClone(other.owner[other.key]);
    else if (typeof owner[key] === "number") owner[key] *= [-1, 0, 2, 0.5][random(4)];
  }
  return root.document;
}

function placesOf(root) {
  const places = [];
  const walk = (owner) => {
    for (const key of Object.keys(owner)) {
      places.push({ owner, key });
      if (typeof owner[key] === "object" && owner[key] !== null) walk(owner[key]);
    }
  };
  walk(root);
  return places;
}
