// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { MOST_MODULES, parse, wholeJson } from '../state/parse.ts';
import { strings } from '../strings/en.ts';
import { quote } from '../strings/quote.ts';
import { type Found, MOST_NUMBERS, MOST_ROWS } from './input-data.ts';
import { isLesson, readLesson, wordsIn } from '../lessons/read.ts';
import { language } from '../strings/language.ts';
import { givesInputs, inputsIn } from './several-inputs.ts';

const words = strings.bring;
const wrong = (why: string): Found => ({ kind: 'wrong', why });
const isWords = (value: Json | undefined): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((v) => typeof v === 'string');
const isNumbers = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.every((v) => typeof v === 'number');

/** JSON of any of the forms that experiments, this page's exports and other programs write. */
export function readJson(text: string): Found {
  let value: Json;
  try {
    const read = wholeJson(text);
    if (read === 'half') return wrong(words.halfCharacter);
    ({ value } = read);
  } catch (problem) {
    return wrong(words.badJson(problem instanceof Error ? quote(problem.message) : ''));
  }
  if (isLesson(value)) {
    try {
      return { kind: 'lesson', value: value as JsonObject, title: wordsIn(readLesson(value, ''), language()).title };
    } catch (problem) {
      return wrong((problem as Error).message);
    }
  }
  if (isObject(value)) {
    const inner = isObject(value['document']) ? value['document'] : value;
    if (inner['mechanism'] !== undefined || inner['model'] !== undefined) {
      const decoded = parse(JSON.stringify(inner));
      return 'document' in decoded ? { kind: 'document', ...decoded }
        : wrong(decoded.problem === 'modules' ? words.manyModules(MOST_MODULES) : words.notDocument);
    }
    if (givesInputs(value)) return inputsIn(value, nested);
    const labels = value['labels'] ?? value['tokens'];
    if (isNumbers(value['data']) && isNumbers(value['shape'])) return shaped(value['shape'], value['data'], labels);
    const numbers = value['matrix'] ?? value['data'] ?? value['values'] ?? value['weights'];
    if (numbers !== undefined) return nested(numbers, labels);
    return isWords(labels) ? { kind: 'words', tokens: labels } : wrong(words.unknownJson);
  }
  if (isWords(value)) return { kind: 'words', tokens: value };
  if (Array.isArray(value) && value.length > 0 && value.every(isObject))
    return records(value as { [key: string]: Json }[]);
  return nested(value);
}

// [{ "a": 1, "b": 2 }, …]: the fields that are numbers are the columns, the first that is text names the row.
function records(list: { [key: string]: Json }[]): Found {
  const fields = Object.keys(list[0] ?? {});
  const columns = fields.filter((field) => list.every((record) => typeof record[field] === 'number'));
  const named = fields.find((field) => list.every((record) => typeof record[field] === 'string'));
  if (columns.length === 0) return wrong(words.noNumbers);
  return sized(list.map((record) => columns.map((field) => record[field] as number)),
    named ? list.map((record) => record[named] as string) : undefined, columns);
}

function nested(value: Json, labels?: Json): Found {
  const shape: number[] = [];
  for (let at: Json | undefined = value; Array.isArray(at); at = at[0]) shape.push(at.length);
  if (shape.length === 0 || shape.length > 4 || shape.includes(0)) return wrong(words.unknownJson);
  const flat: number[] = [];
  const walk = (at: Json | undefined, depth: number): boolean => {
    if (depth === shape.length) {
      if (typeof at !== 'number') return false;
      flat.push(at);
      return true;
    }
    return Array.isArray(at) && at.length === shape[depth] && at.every((inner) => walk(inner, depth + 1));
  };
  return walk(value, 0) ? shaped(shape, flat, labels) : wrong(words.unevenJson);
}

export function shaped(shape: number[], data: number[], labels?: Json): Found {
  if (shape.reduce((a, b) => a * b, 1) !== data.length || shape.some((n) => !Number.isInteger(n) || n < 1))
    return wrong(words.wrongShape(shape, data.length));
  if (data.length > MOST_NUMBERS) return wrong(words.tooMany(shape[0] ?? 0, data.length / (shape[0] ?? 1)));
  if (!data.every(Number.isFinite)) return wrong(words.notFinite);
  if (shape.length > 2) return { kind: 'tensor', shape, data };
  const width = shape.at(-1) ?? 1;
  const rows = Array.from({ length: data.length / width }, (_, i) => data.slice(i * width, (i + 1) * width));
  return sized(rows, isWords(labels) ? labels : undefined);
}

function sized(rows: number[][], labels?: string[], columns?: string[]): Found {
  if (rows.length > MOST_ROWS || rows.length * (rows[0]?.length ?? 0) > MOST_NUMBERS)
    return wrong(words.tooMany(rows.length, rows[0]?.length ?? 0));
  return { kind: 'matrix', rows, labels: labels?.length === rows.length ? labels : undefined, columns };
}
