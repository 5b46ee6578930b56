// SPDX-License-Identifier: Apache-2.0
// node fetch_npm.mjs VERSION INTEGRITY FILE: npm itself from the registry, for a Node that has none. Debian's package
// of npm brings 362 others, which take a minute to set up. Runs with Node 18.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [version, integrity, file] = process.argv.slice(2);

function configured() {
  try {
    return /^registry *= *(\S+)/m.exec(readFileSync(join(homedir(), '.npmrc'), 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

const registry = process.env.npm_config_registry ?? process.env.NPM_CONFIG_REGISTRY ?? configured()
  ?? 'https://registry.npmjs.org';
const address = `${registry.replace(/\/$/, '')}/npm/-/npm-${version}.tgz`;
const response = await fetch(address);
if (!response.ok) throw new Error(`${address}: ${response.status}`);
const bytes = Buffer.from(await response.arrayBuffer());
const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
if (found !== integrity) throw new Error(`${address}: expected ${integrity}, found ${found}`);
writeFileSync(file, bytes);
