#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The npm package as others meet it: packed, installed from the tarball, and used by each tool. node
// tests/package/run.mjs [part of a name]
import { after, before, describe, it } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from './install.mjs';
import { papers } from './papers.mjs';
import { tools } from './tools.mjs';

const part = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'attention-package-'));

describe('the npm package', () => {
  let tarball;
  let app;
  before(() => {
    tarball = pack(folder);
    app = install(folder, tarball);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, run } of [...papers, ...tools].filter((test) => test.name.includes(part))) {
    it(name, () => run({ tarball, app }));
  }
});
