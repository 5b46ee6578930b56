// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, ViteDevServer } from 'vite';

const ALL = 'virtual:languages';
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const strings = path('../src/strings/');
const catalogue = path('../../data/catalogue/');
// The words of these are fetched when the page first shows one of them.
const RECORDS = ['measures', 'systems', 'tasks'];

// Two or three letters: what else lies in the folder of words is code.
const codes = readdirSync(strings).flatMap((file) => /^([a-z]{2,3})\.ts$/.exec(file)?.[1] ?? []);

const filesOf = (code: string): string[] => (existsSync(catalogue + code) ? readdirSync(catalogue + code) : [])
  .filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5)).sort();
const imported = (name: string, file: string): string =>
  (existsSync(file) ? `import ${name} from ${JSON.stringify(file)};\n` : `const ${name} = {};\n`);

// The name of a language in itself, with a capital as in a list.
function nameOf(code: string): string {
  const [first = '', ...rest] = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return first.toLocaleUpperCase(code) + rest.join('');
}

// English, then the others by their names.
function list(): string {
  const named = codes.map((code) => ({ code, name: nameOf(code) })).sort((a, b) =>
    Number(b.code === 'en') - Number(a.code === 'en') || a.name.localeCompare(b.name, 'en'));
  const load = (file: string): string => `() => import(${JSON.stringify(file)}).then((file) => file.default)`;
  const languages = named.map(({ code, name }) => `${code}: { name: ${JSON.stringify(name)}${code === 'en' ? ''
    : `, load: ${load(`${strings}${code}.ts`)}`}${code === 'en' || filesOf(code).length === 0 ? ''
    : `, engine: ${load(`${ALL}/${code}`)}`} }`);
  const records = codes.filter((code) => code !== 'en' && filesOf(code).some((name) => RECORDS.includes(name)))
    .map((code) => `${code}: ${load(`${ALL}/${code}/records`)}`);
  return `export const languages = { ${languages.join(', ')} };\nexport const records = { ${records.join(', ')} };`;
}

function engineWords(code: string): string {
  const names = filesOf(code).filter((name) => !RECORDS.includes(name) && name !== 'reasons');
  return `import { wordsOf } from ${JSON.stringify(`${strings}engine/words.ts`)};\n${
    names.map((name, k) => imported(`words${k}`, `${catalogue}${code}/${name}.json`)).join('')}${
    imported('reasons', `${catalogue}${code}/reasons.json`)}${imported('said', `${strings}engine/${code}.json`)
  }export default wordsOf([${names.map((_, k) => `words${k}`).join(', ')
  }], reasons, said.phrases ?? {}, said.refusals ?? {}, said.formulas ?? {});`;
}

const recordWords = (code: string): string =>
  `${RECORDS.map((name) => imported(name, `${catalogue}${code}/${name}.json`)).join('')
  }export default { ${RECORDS.join(', ')} };`;

/**
 * The languages of the page, which nothing lists: src/strings/CODE.ts makes one. Its words for the catalogue are those
 * of data/catalogue/CODE and of src/strings/engine/CODE.json, in one chunk without a line of code for a language.
 */
export function languages(): Plugin {
  return {
    name: 'languages',
    resolveId: (id) => (id === ALL || id.startsWith(`${ALL}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${ALL}`)) return undefined;
      const [, code, below] = id.split('/');
      return code === undefined ? list() : below === undefined ? engineWords(code) : recordWords(code);
    },
    // A file that comes or goes changes the list, so the server starts again.
    configureServer(server: ViteDevServer) {
      const again = (file: string) => {
        if (/\/strings\/[a-z]{2,3}\.ts$/.test(file) || file.startsWith(catalogue)) void server.restart();
      };
      server.watcher.add(catalogue).on('add', again).on('unlink', again);
    },
  };
}
