// SPDX-License-Identifier: Apache-2.0
// Every sentence with which src/import refuses a file, read from its C++: literals are kept, and whatever is computed
// becomes {1}, {2}, .. as in the translations.

/** Functions that throw; the sentence is their last argument, or the first one of SizeMissing. */
const THROWING = ['refuse', 'refuse_file', 'refuse_tensor', 'refuse_tensor_file', 'refuse_place', 'refuse_picture',
  'UnknownTokenizer', 'SizeMissing'];
/** What a wrapper puts in front of its sentence. The page names the file of refuse_file in a heading. */
const IN_FRONT: Record<string, string> = {
  refuse_tensor: 'the tensor "\0" ', refuse_place: 'the tensor "\0" begins at byte \0 of the numbers, ',
};
// A sentence whose words are all computed is written elsewhere.
const WORDS = /[a-z]{2}/i;
/** The mark of a value in a sentence until it is numbered. */
const VALUE = '\0';

interface Token { kind: 'text' | 'sign' | 'word'; text: string }

// Comments are left out, and literals beside each other are one.
function tokens(code: string): Token[] {
  const found: Token[] = [];
  const pattern = /\/\/[^\n]*|"((?:[^"\\]|\\.)*)"|'(?:[^'\\]|\\.)+'|[A-Za-z_][\w:]*|\d[\w.']*|->|\S/g;
  for (const [all, text] of code.matchAll(pattern)) {
    if (all.startsWith('//')) continue;
    const last = found.at(-1);
    if (text === undefined) found.push({ kind: /^\w/.test(all) ? 'word' : 'sign', text: all });
    else if (last?.kind === 'text') last.text += unescaped(text);
    else found.push({ kind: 'text', text: unescaped(text) });
  }
  return found;
}

const unescaped = (text: string): string => text.replaceAll(String.raw`\"`, '"').replaceAll('\\\\', '\\');

const OPEN = new Set(['(', '[', '{']);
const CLOSED = new Set([')', ']', '}']);

// The parts between these signs, outside of brackets.
function divided(list: readonly Token[], sign: string): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of list) {
    if (token.kind === 'sign' && OPEN.has(token.text)) depth++;
    if (token.kind === 'sign' && CLOSED.has(token.text)) depth--;
    if (depth === 0 && token.kind === 'sign' && token.text === sign) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts;
}

// What is inside the bracket that begins at `from`.
function inside(list: readonly Token[], from: number): Token[] {
  let depth = 0;
  for (let k = from; k < list.length; k++) {
    const { kind, text } = list[k]!;
    if (kind === 'sign' && OPEN.has(text)) depth++;
    if (kind === 'sign' && CLOSED.has(text) && --depth === 0) return list.slice(from + 1, k);
  }
  return list.slice(from + 1);
}

const isSign = (token: Token | undefined, text: string): boolean => token?.kind === 'sign' && token.text === text;

// What a name means that the file sets once, to an expression with words.
function meaning(name: string, file: readonly Token[]): readonly Token[] | undefined {
  const places = file.flatMap(({ kind, text }, k) => (kind === 'word' && text === name && isSign(file[k + 1], '=')
    && !isSign(file[k + 2], '=') ? [k + 2] : []));
  if (places.length !== 1) return undefined;
  const [said] = divided(file.slice(places[0]), ';');
  return said!.some(({ kind, text }) => kind === 'text' && /\w \w/.test(text)) ? said : undefined;
}

// All texts that an expression may have: those of both branches of a condition.
function textsOf(list: readonly Token[], file: readonly Token[]): string[] {
  const [condition, branches] = [divided(list, '?'), divided(list, ':')];
  if (condition.length === 2 && branches.length === 2)
    return [...textsOf(divided(condition[1]!, ':')[0]!, file), ...textsOf(branches[1]!, file)];
  const terms = divided(list, '+');
  if (terms.length > 1)
    return terms.map((one) => textsOf(one, file))
      .reduce((before, after) => before.flatMap((one) => after.map((two) => one + two)));
  const [first, second] = list;
  if (list.length === 1 && first!.kind === 'text') return [first!.text];
  if (isSign(first, '(') && inside(list, 0).length === list.length - 2) return textsOf(inside(list, 0), file);
  if (first?.text === 'std::string' && isSign(second, '(') && inside(list, 1)[0]?.kind === 'text')
    return textsOf(inside(list, 1), file);
  const known = list.length === 1 ? meaning(first!.text, file) : undefined;
  return known ? textsOf(known, file) : [VALUE];
}

const numbered = (text: string): string => {
  let k = 0;
  return text.replaceAll(/\0+/g, () => `{${++k}}`);
};

/** The sentences of one file, each with {1}, {2}, .. where a value is filled in. */
export function messagesIn(code: string): string[] {
  const list = tokens(code);
  const found: string[] = [];
  for (const [k, { kind, text }] of list.entries()) {
    if (text === 'advice' && isSign(list[k + 1], '='))
      found.push(...textsOf(divided(list.slice(k + 2), ';')[0]!, list).map(numbered));
    if (kind !== 'word' || !THROWING.includes(text) || !isSign(list[k + 1], '(')) continue;
    const given = divided(inside(list, k + 1), ',');
    // The declaration of such a function has types instead.
    if (given.some(([type]) => type?.text === 'const') || given.some((one) => one.length === 0)) continue;
    const said = text === 'SizeMissing' ? given[0]! : given.at(-1)!;
    for (const one of textsOf(said, list)) {
      // The page shows the file that comes first in a heading.
      const sentence = text.startsWith('refuse_') ? one : one.replace(/^"\0":? /, '');
      if (isWrapper(sentence) || !WORDS.test(sentence.replaceAll(VALUE, ''))) continue;
      found.push(numbered((IN_FRONT[text] ?? '') + sentence));
    }
  }
  return found;
}

// The body of a wrapper passes its sentence on.
const isWrapper = (text: string): boolean => Object.values(IN_FRONT).some((front) => text === front + VALUE);

/** Phrases that a file keeps for its sentences: constants, advice, and what tensors of other families do. */
export function phrasesIn(code: string): string[] {
  const list = tokens(code);
  const names = (k: number): boolean => list[k]?.kind === 'text' && !/\s/.test(list[k].text);
  return list.flatMap(({ kind, text }, k) => {
    if (kind !== 'text' || !/\w \w+ \w/.test(text) || text.startsWith('.')) return [];
    const isConstant = isSign(list[k - 1], '=') && isSign(list[k + 1], ';');
    const isPaired = isSign(list[k - 1], ',') && names(k - 2) && isSign(list[k - 3], '{') && isSign(list[k + 1], '}');
    return isConstant || isPaired ? [text] : [];
  });
}
