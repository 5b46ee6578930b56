// SPDX-License-Identifier: Apache-2.0
import type { FolderProblem } from '../models/folder.ts';

export interface Given {
  file?: File;
  /** All files that came at once, where there is more than one. */
  files?: File[];
  text?: string;
  /** The input that it goes into: that which it was asked for beside. */
  into?: string;
  /** What was dropped, where a folder is among it. */
  entries?: FileSystemEntry[];
  /** Why the folders that were dropped give no files. */
  problem?: FolderProblem;
}

const isField = (event: Event): boolean =>
  event.composedPath().some((at) =>
    at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement || at instanceof HTMLDialogElement);
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Files that came at once. */
export const together = (files: File[]): Given => ({ file: files[0]!, ...(files.length > 1 ? { files } : {}) });

/** Files dropped on an element, and what is pasted at it outside of any field. Returns how to stop. */
export function catchGiven(host: HTMLElement, whole: boolean, take: (given: Given) => void): () => void {
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    host.toggleAttribute('dropping', true);
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null || !host.contains(event.relatedTarget as Node)) host.removeAttribute('dropping');
  };
  const drop = (event: DragEvent) => {
    host.removeAttribute('dropping');
    const files = [...(event.dataTransfer?.files ?? [])];
    // A part of the page may have taken it for itself.
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    // A browser gives entries only now. Among the files a folder is one that nobody can read.
    const entries = [...event.dataTransfer!.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
    take(entries.some(({ isDirectory }) => isDirectory) ? { entries } : together(files));
  };
  const paste = (event: Event) => {
    const { clipboardData } = event as ClipboardEvent;
    if (isField(event) || !clipboardData) return;
    const files = [...clipboardData.files];
    const text = clipboardData.getData('text/plain');
    if (files.length === 0 && text.trim() === '') return;
    event.preventDefault();
    take(files.length > 0 ? together(files) : { text });
  };
  // Only where the element is the page may it take what is pasted elsewhere.
  const target: EventTarget = whole ? document : host;
  host.addEventListener('dragover', over);
  host.addEventListener('dragleave', leave);
  host.addEventListener('drop', drop);
  target.addEventListener('paste', paste);
  return () => {
    host.removeEventListener('dragover', over);
    host.removeEventListener('dragleave', leave);
    host.removeEventListener('drop', drop);
    target.removeEventListener('paste', paste);
  };
}
