// SPDX-License-Identifier: Apache-2.0
// What the page hands to downloads, and what a person hands to the page.
import { spawn } from 'node:child_process';

const python = process.env.PYTHON ?? '/usr/bin/python3';

/** Keeps what is saved from now on; `saved` then gives name, type and bytes of the last file. */
export const catchSaved = (page) => page.run(`
  const made = URL.createObjectURL;
  globalThis.savedFiles = [];
  URL.createObjectURL = (blob) => { savedFiles.push({ blob }); return made.call(URL, blob); };
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () { if (this.download) savedFiles.at(-1).name = this.download;
    else click.call(this); };`);

export async function saved(page) {
  const { name, type, base64 } = await page.until(`
    const file = globalThis.savedFiles?.pop();
    if (!file) return null;
    const bytes = new Uint8Array(await file.blob.arrayBuffer());
    let binary = '';
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { name: file.name, type: file.blob.type, base64: btoa(binary) };`);
  const bytes = Buffer.from(base64, 'base64');
  return { name, type, bytes, text: bytes.toString() };
}

/** Drops files on the page, as from a folder: [name, bytes] or [name, bytes, type]. */
export const dropAll = (page, files) => page.run(`
  const dataTransfer = new DataTransfer();
  for (const [name, type, base64] of values[0])
    dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
  const host = document.querySelector('attention-playground');
  for (const kind of ['dragover', 'drop']) host.dispatchEvent(new DragEvent(kind,
    { dataTransfer, bubbles: true, cancelable: true, composed: true }));`,
files.map(([name, bytes, type = '']) => [name, type, Buffer.from(bytes).toString('base64')]));

/** Drops one file. */
export const drop = (page, name, type, bytes) => dropAll(page, [[name, bytes, type]]);

export const pasteAt = (page, chain, text) => page.run(`
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', values[1]);
  find(values[0]).dispatchEvent(new ClipboardEvent('paste',
    { clipboardData, dataType: 'text/plain', data: values[1], bubbles: true, cancelable: true, composed: true }));`,
    chain, text);

/** Runs a program to its end; the cases of the other window go on meanwhile. */
export function finished(program, args, input = '', options = {}) {
  return new Promise((resolve, refuse) => {
    const child = spawn(program, args, options);
    const said = { stdout: [], stderr: [] };
    for (const name of Object.keys(said)) child[name].on('data', (bytes) => said[name].push(bytes));
    const text = (name) => Buffer.concat(said[name]).toString();
    child.on('error', refuse);
    child.on('close', (status) => resolve({ status, stdout: text('stdout'), stderr: text('stderr') }));
    // Who ends before all was read says so by its status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

export async function runPython(code, input = '') {
  const { status, stdout, stderr } = await finished(python, ['-'], code, { env: { ...process.env, INPUT: input } });
  if (status !== 0) throw new Error(`Python fails (${status}): ${stderr.slice(-2000)}`);
  return stdout;
}
