// SPDX-License-Identifier: Apache-2.0
import { deflateRawSync } from 'node:zlib';
import { compare, equal, ok } from '../check.mjs';

const link = (value) => `#1.${deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;
const head = '"schema":"attention-playground/1","inputs":{"x":{"tokens":["a"],"features":{"type":"embedding","dim":4}}}';

// A page that met a bad link says so, shows the example and works on.
const recovers = (name, hash, word) => ({
  name: `a link that is ${name} gets a word and a working page`,
  hash,
  async run(page) {
    ok((await page.text('.notice'))?.includes(word), `notice: ${await page.text('.notice')}`);
    equal((await page.document()).inputs.x.tokens[1], 'animal', 'the example');
    await page.fill('3', 'ap-knob[data-path="/seed"]', 'input.num');
    await compare(page, 'after the bad link');
  },
});

export const links = [
  {
    name: 'the address holds the document, and opening it brings it back',
    async run(page, origin) {
      await page.fill('4242', 'ap-knob[data-path="/seed"]', 'input.num');
      const hash = await page.run('return location.hash');
      ok(hash.startsWith('#1.'), hash);
      await page.driver.goto('about:blank');
      await page.go(`${origin}/${hash}`);
      equal((await page.document()).seed, 4242, 'seed');
      await compare(page, 'from the link');
    },
  },
  recovers('damaged', '#1.AAAA!!!', 'damaged'),
  recovers('from another version', '#9.abc', 'another version'),
  recovers('cut off', link(`{${head},"mechanism":{}}`).slice(0, 60), 'damaged'),
  recovers('hostile', link(`{${head},"mechanism":{"__proto__":{"polluted":1}}}`), 'not an experiment'),
  recovers('about an unknown mechanism', link(`{${head},"mechanism":{"type":"no-such-thing"}}`), 'could not be computed'),
  recovers('about too much memory', link({ schema: 'attention-playground/1', inputs: { x: { tokens: Array(30000).fill('a'), features: { type: 'embedding', dim: 4 } } }, mechanism: { query: 'self' } }), 'could not be computed'),
];
