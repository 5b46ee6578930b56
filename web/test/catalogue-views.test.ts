// SPDX-License-Identifier: Apache-2.0
// Whatever the catalogue computes can be drawn: every tensor of an example of every mechanism is fed to the views.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'lit';
import { expect, it } from 'vitest';
import { naming } from '../src/directory/naming.ts';
import { typed } from '../src/directory/typed.ts';
import { Result, type Tensor } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';
import { arrange, tensorsOf } from '../src/directory/modules.ts';
import { graphOf } from '../src/structure/graph.ts';
import { laid } from '../src/structure/layout.ts';
import { viewsFor } from '../src/views/all.ts';
import type { Subject, View } from '../src/views/view.ts';

const root = join(import.meta.dirname, '../..');
const lines = execFileSync(process.execPath, [join(import.meta.dirname, 'examples.mjs')],
  { encoding: 'utf8', maxBuffer: 1 << 28 }).trim().split('\n');
const computed = lines.map((line) => JSON.parse(line) as { id: string; directory: Directory; data: string });

const subject = (result: Result, tensor: Tensor): Subject => ({
  tensor, typed: typed(tensor), held: tensor.shape.map(() => 0),
  labels: (axis) => result.labels(tensor.places[axis] ?? ''),
});

function drawn(view: View, from: Subject): string {
  const host = document.createElement('div');
  render(view.draw(from, { width: 240, height: 120 }), host);
  return `${host.innerHTML} ${view.says(from)} ${view.exports(from).text}`;
}

it('every mechanism has an example, and every model', () => {
  const { mechanisms } = JSON.parse(readFileSync(join(root, 'build/wasm/bin/catalogue.json'), 'utf8')) as
    { mechanisms: { id: string }[] };
  expect(computed.map(({ id }) => id)).toEqual([...mechanisms.map(({ id }) => id),
    ...readdirSync(join(root, 'examples/models'))]);
});

for (const { id, directory, data } of computed) {
  it(`${id}: every tensor has a view, a title, and a place in the diagram`, () => {
    expect(directory.ok, JSON.stringify(directory).slice(0, 300)).toBe(true);
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const result = new Result(directory, new Float32Array(bytes.buffer));
    for (const tensor of result.tensors) {
      const types = typed(tensor);
      expect(types.dimensions.length, tensor.name).toBe(tensor.shape.length);
      if (tensor.group === 'outputs') expect(naming(tensor).title, tensor.name).toBeTruthy();
      const views = viewsFor(types, tensor.shape);
      expect(views.length, tensor.name).toBeGreaterThan(0);
      for (const view of views)
        expect(drawn(view, subject(result, tensor)), `${tensor.name} as ${view.id}`).not.toMatch(/NaN|undefined/);
    }
    // Nothing is lost between the geometry, what stands beside it, and second names of the same numbers.
    const { modules, others } = arrange(result);
    const places = new Set([...modules.flatMap(tensorsOf), ...others].map(({ offset, shape }) =>
      `${offset} ${shape.join()}`));
    // A core's map that is the same to the last digits is there once.
    const shown = [...modules.flatMap(tensorsOf), ...others];
    const alike = (one: Tensor, other: Tensor) => one.role === 'weights' && other.role === 'weights'
      && one.shape.join() === other.shape.join() && one.data.every((x, k) => Math.abs(x - other.data[k]!) < 1e-4);
    for (const tensor of result.all('outputs'))
      expect(places.has(`${tensor.offset} ${tensor.shape.join()}`) || shown.some((one) => alike(one, tensor)),
        tensor.name).toBe(true);
    const graph = graphOf(result);
    expect(graph.nodes.length).toBeGreaterThan(0);
    for (const { points } of laid(graph, () => ({ w: 100, h: 40 }), false).lines)
      expect(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
}
