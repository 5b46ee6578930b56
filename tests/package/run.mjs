#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The npm package as others meet it: packed, installed from the tarball, and used by each tool. node tests/package/run.mjs [part of a name]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, pack } from './install.mjs';
import { papers } from './papers.mjs';
import { tools } from './tools.mjs';

const part = process.argv[2] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'attention-package-'));
let passed = 0;
let failed = 0;
try {
  const tarball = pack(folder);
  const app = install(folder, tarball);
  for (const { name, run } of [...papers, ...tools].filter((test) => test.name.includes(part))) {
    try {
      await run({ tarball, app });
      passed++;
      console.log(`ok   ${name}`);
    } catch (problem) {
      failed++;
      console.log(`FAIL ${name}\n${String(problem?.stack ?? problem).replace(/^/gm, '     ')}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
