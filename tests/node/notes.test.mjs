// SPDX-License-Identifier: Apache-2.0
// What the presets' notes say in numbers is what the engine computes: they are there, and are the largest of their rows
// where the note says so.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { loadModule, root, unpack } from "./engine.mjs";

const read = (path) => JSON.parse(readFileSync(root + path, "utf8"));
const module = await loadModule();
const notes = read("web/src/first/notes/en.json");

for (const file of read("web/presets/gallery.json").flatMap(({ presets }) => presets)) {
  const document = read(`examples/${file}.json`);
  test(`the note of ${document.title} holds`, () => {
    const result = unpack(module.run(JSON.stringify(document)));
    assert.ok(result.ok, JSON.stringify(result.error));
    const [, see] = notes[document.title];
    for (const [all, most, name, places] of see.matchAll(/\{(most )?(\S+)((?: \d+)+)\}/g)) {
      const { shape, data } = result.outputs[name];
      const index = places.trim().split(" ").map(Number);
      assert.equal(index.length, shape.length, all);
      const offset = index.reduce((at, k, axis) => at * shape[axis] + k, 0);
      const row = data.subarray(offset - index.at(-1), offset - index.at(-1) + shape.at(-1));
      assert.ok(row[index.at(-1)] > 0.005, all);
      if (most) assert.equal(Math.max(...row), row[index.at(-1)], all);
    }
  });
}
