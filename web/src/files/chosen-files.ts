// SPDX-License-Identifier: Apache-2.0

/**
 * The files that the reader chose in a file input. The input is emptied: it reports no change when the file that it
 * already has is chosen again, and the reader may want that file in another place or after a step back.
 */
export function chosenFiles(event: Event): File[] {
  const input = event.target as HTMLInputElement;
  const files = [...(input.files ?? [])];
  input.value = '';
  return files;
}
