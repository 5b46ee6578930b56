// SPDX-License-Identifier: Apache-2.0
// Four novels of Jane Austen, from Debian's package r-cran-janeaustenr: each paragraph is a line.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const PACKAGE = 'r-cran-janeaustenr';
const DATA = 'usr/lib/R/site-library/janeaustenr/data/Rdata.rdb';
/** Of the text that is trained on: other releases of the package are another text. */
const SHA256 = '3b413b77572acae9821c11df1251e6d10a63a61154b1097b35faab3502a309bd';

/** As their first lines say. More of them are above what a training reads from a file. */
const BOOKS = ['EMMA', 'Persuasion', 'PRIDE AND PREJUDICE', 'SENSE AND SENSIBILITY'];

/** What R calls a vector of strings, and one string. */
const [VECTOR, STRING] = [16, 9];

// R stores each object as its length and a zlib stream, one after the other.
function* objects(file) {
  for (let at = 0; at < file.length;) {
    const { buffer, engine } = inflateSync(file.subarray(at + 4), { info: true });
    yield buffer;
    at += 4 + engine.bytesWritten;
  }
}

// R's portable format: "X", a newline, versions, the encoding, and then a vector of strings, all numbers in four bytes.
function strings(object) {
  if (object.toString('latin1', 0, 2) !== 'X\n') throw new Error('expected an object in R\'s portable format');
  let at = 2;
  const number = () => object.readInt32BE((at += 4) - 4);
  const version = number();
  number();
  number();
  if (version === 3) {
    const name = number();
    at += name;
  }
  const type = number() & 0xff;
  if (type !== VECTOR) throw new Error(`expected a vector of strings, found R's type ${type}`);
  return Array.from({ length: number() }, () => {
    if ((number() & 0xff) !== STRING) throw new Error('expected a string');
    const length = number();
    return object.toString('utf8', at, (at += length));
  });
}

/** Titles, chapters and volumes: a line of its own without a small letter, or one of these. */
const HEADING = /^([^a-z]*|(Chapter|Volume|by Jane Austen|The End|Finis)\b.{0,20})$/;

// Emphasis is written with underscores, which nobody types; letters outside ASCII are few.
const plain = (line) => line.replaceAll('_', '').normalize('NFD').replace(/[^ -~]/g, '');

/** Lines of a book as paragraphs, without title, chapters and volumes. */
function paragraphs(lines) {
  const all = [];
  let open = [];
  for (const line of [...lines.map((one) => plain(one).trim()), '']) {
    if (line !== '') open.push(line);
    else if (open.length > 0) {
      if (open.length > 1 || !HEADING.test(open[0])) all.push(open.join(' '));
      open = [];
    }
  }
  return all;
}

/** Fetches the package into this folder, where it is not there yet, and reads it. */
export function austen(folder) {
  if (!existsSync(`${folder}/${DATA}`)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('apt-get', ['download', PACKAGE], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const found = readdirSync(folder).find((name) => name.startsWith(PACKAGE) && name.endsWith('.deb'));
    execFileSync('dpkg-deb', ['-x', found, '.'], { cwd: folder });
  }
  const books = [...objects(readFileSync(`${folder}/${DATA}`))].map((one) => strings(one))
    .filter(([title]) => BOOKS.includes(title));
  const text = books.flatMap((lines) => paragraphs(lines)).join('\n');
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== SHA256)
    throw new Error(`the text of ${PACKAGE} has the SHA-256 ${found}; the model was trained on ${SHA256}`);
  return text;
}
