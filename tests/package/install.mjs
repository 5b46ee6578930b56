// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const built = fileURLToPath(new URL('../../build/npm', import.meta.url));

export function command(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** npm pack, into the folder; the path of the tarball. */
export function pack(folder) {
  const [about] = JSON.parse(command('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    built));
  return join(folder, about.filename);
}

/** An empty project with nothing in it but the unpacked tarball. */
export function install(folder, tarball) {
  const app = join(folder, 'app');
  const home = join(app, 'node_modules', 'attention-playground');
  mkdirSync(home, { recursive: true });
  command('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'], folder);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  return app;
}

/** A source folder of its own for one tool, with the package within reach. */
export function project(app, name, files) {
  const folder = join(app, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(app, 'package.json'), join(folder, 'package.json'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const requires = ['../../web/package.json', './package.json'].map((file) =>
  createRequire(new URL(file, import.meta.url)));

/** A tool from the page's or from these tests' own dependencies. */
export async function tool(name) {
  for (const require of requires) {
    try {
      return await import(pathToFileURL(require.resolve(name)).href);
    } catch (problem) {
      if (problem.code !== 'MODULE_NOT_FOUND') throw problem;
    }
  }
  throw new Error(`${name} is not installed`);
}
