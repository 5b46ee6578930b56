// SPDX-License-Identifier: Apache-2.0

/** The contents of files that are named after languages, by the code of the language: "./words/de.ts" is German. */
export const byLanguage = <Content>(files: Readonly<Record<string, Content>>): Record<string, Content> =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [/(\w+)\.\w+$/.exec(path)![1]!, content]));
