// SPDX-License-Identifier: Apache-2.0
// Exported code counts hops, passes and steps from 0, because documents do; the page counts them from 1.
import { formulaFromOne } from '../strings/counted.ts';

// "p_hop_0" of the hops of one module, "E_tl_minus_hop0" of modules for each hop.
const FIRST = /_((hop|pass|step|cross|self)_0|(hop)0)(?![0-9])/;
const ALL_OF_THEM = 'Hops, passes and steps are counted from 1 here, as on the page; names in documents count from 0.';

/** LaTeX with the numbers of the page; a comment says so where they differ from those of the document. */
function latexFromOne(code: string): string {
  const told = formulaFromOne(code);
  if (told === code) return code;
  const lines = told.split('\n');
  const at = lines.findIndex((line) => !line.startsWith('%'));
  return lines.toSpliced(Math.max(at, 0), 0, `% ${ALL_OF_THEM}`).join('\n');
}

/** Code in Python keeps its names, which are those of the results; a comment says which hop a name means. */
function pythonTold(code: string): string {
  const [, name, kind, alone] = FIRST.exec(code) ?? [];
  if (name === undefined) return code;
  const lines = code.split('\n');
  const at = lines.findIndex((line) => !line.startsWith('#'));
  return lines.toSpliced(Math.max(at, 0), 0,
    `# Names count from 0, as documents do: "${name}" in a name is ${kind ?? alone} 1 on the page.`).join('\n');
}

export const countedCode = (code: string, format: 'latex' | 'pytorch' | 'numpy'): string =>
  (format === 'latex' ? latexFromOne(code) : pythonTold(code));
