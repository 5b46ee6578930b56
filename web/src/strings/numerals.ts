// SPDX-License-Identifier: Apache-2.0
// Numbers as the language that is spoken writes them, by Intl; and numbers that somebody typed, with a point or a
// comma.
import { spokenNow } from './live.ts';
import { localeOf } from './message.ts';

const formats = new Map<string, Intl.NumberFormat>();

function format(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const language = spokenNow();
  const name = `${language} ${key}`;
  let found = formats.get(name);
  if (!found) formats.set(name, (found = new Intl.NumberFormat(localeOf(language), options)));
  return found;
}

// The sign of the page's own; Arabic's comes with a mark of direction, which cells of a table need not.
const signed = (text: string): string => text.replace(/\u200e?[-\u2212]/, '−');

/** So many places behind the decimal sign; what rounds to zero has no sign. */
export function fixed(value: number, places: number): string {
  // Rounded from the very number, as the command line rounds; Intl would round what is shortest to read.
  const rounded = value.toFixed(places) as `${number}`;
  return signed(format(`fixed ${places}`, {
    minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false, signDisplay: 'negative',
  }).format(rounded));
}

/** So many digits that mean something, without zeros at the end. */
export function digits(value: number, most: number): string {
  return signed(format(`digits ${most}`,
    { maximumSignificantDigits: most, useGrouping: false, signDisplay: 'negative' }).format(value));
}

/** A whole number, with what the language puts between thousands. */
export function whole(value: number): string {
  return signed(format('whole', { maximumFractionDigits: 0, signDisplay: 'negative' }).format(value));
}

/** A number in percent with the language's sign: 95%, in German with a space that breaks no line, in Arabic 95٪. */
export function percent(number: string): string {
  const language = spokenNow();
  let sign = percentSigns.get(language);
  if (sign === undefined) {
    // Arabic letters go with the sign of Arabic digits, whatever digits are written.
    const locale = new Intl.Locale(localeOf(language));
    const { script } = locale.maximize();
    const written = new Intl.Locale(locale, script === 'Arab' ? { numberingSystem: 'arab' } : {});
    const parts = new Intl.NumberFormat(written, { style: 'percent' }).formatToParts(1);
    // Marks of direction are not for a cell of a table, nor for a part of a sentence.
    sign = parts.filter(({ type }) => type !== 'integer').map(({ value }) => value).join('')
      .replaceAll(/[\u061c\u200e\u200f]/g, '');
    percentSigns.set(language, sign);
  }
  return number + sign;
}
const percentSigns = new Map<string, string>();

/** A power of ten: 3.2e−7, with so many places and the language's decimal sign. */
export function powers(value: number, places: number): string {
  if (!Number.isFinite(value)) return digits(value, 1);
  return value.toExponential(places).replaceAll('-', '−').replace('.', decimalSign());
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** An exponent with so many places, as digits that stand above the line. */
export const raised = (exponent: number, places: number): string =>
  exponent.toFixed(places).replace(/\d/g, (digit) => RAISED[Number(digit)]!).replace('.', '·').replace('-', '⁻');

const signs = new Map<string, string>();

/** The language's decimal sign. */
export function decimalSign(): string {
  const language = spokenNow();
  let sign = signs.get(language);
  if (sign === undefined) {
    const parts = format('sign', { minimumFractionDigits: 1 }).formatToParts(0.5);
    signs.set(language, (sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'));
  }
  return sign;
}

/** A number as a program writes it, with the language's decimal sign. */
export const withSign = (text: string): string => text.replace('.', decimalSign()).replaceAll('-', '−');

/** The same inside a formula, where a comma would be a comma of a list, and e the base of the exponential. */
export const inFormula = (text: string): string =>
  text.replaceAll('−', '-').replace(/(\d),(\d)/g, '$1{,}$2').replace(/(\d)e\+?(-?\d+)$/, '$1 \\cdot 10^{$2}');

const DECIMALS = /\\(?:text|mathrm)\{[^{}]*\}|(?<![\w.])\d+\.\d+(?![\w.])/g;

/** A formula of the engine with the language's decimal sign in its numbers; names in it stay. */
export const withDecimals = (latex: string): string => (decimalSign() === '.' ? latex
  : latex.replace(DECIMALS, (part) => (part.startsWith('\\') ? part : inFormula(withSign(part)))));

/** Arabic and Persian digits and signs of a typed number as a program writes them. */
export const asTyped = (text: string): string => text.trim().replace('−', '-').replace('٫', '.')
  .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** A typed number, with either decimal sign and either minus; NaN where there is none. */
export function typedNumber(text: string): number {
  const plain = asTyped(text);
  return plain === '' ? NaN : Number(plain.replace(/^([^,.]*),([^,.]*)$/, '$1.$2'));
}

/**
 * Typed numbers, between spaces, semicolons or commas. Where the comma is the decimal sign, one alone inside a number
 * is that.
 */
export function typedNumbers(text: string): number[] {
  const parts = text.split(decimalSign() === ',' ? /[\s;]+|,(?=\s|$)/ : /[\s,;]+/);
  return parts.filter(Boolean).flatMap((part) => (part.split(',').length > 2 ? part.split(',') : [part]))
    .map(typedNumber);
}
