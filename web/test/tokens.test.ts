// SPDX-License-Identifier: Apache-2.0
// Space, type, corners and what is pressed come from one scale (src/styles/tokens.ts): a length of one's own has to say
// why.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { palette, scale } from '../src/styles/tokens.ts';

const root = join(import.meta.dirname, '../src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const sheets = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/css`([^`]*)`/g)].map(([, css]) => ({ file, css: css! })));
const scaled = Object.fromEntries([...scale.cssText.matchAll(/--([\w-]+): (?:max\()?(\d+)px/g)].map(
  ([, name, px]) => [name!, Number(px)]));
const WIDEST = Math.max(...Object.entries(scaled).filter(([name]) => name.startsWith('space-')).map(([, px]) => px));

const SPACE = /^(?:scroll-)?(?:padding|margin)\b|^(?:row-|column-)?gap$/;
const TYPE = /^(?:font|font-size|line-height)$/;
const CORNER = /^border(?:-\w+)*-radius$/;
// As large as a pointer asks for it: only the scale says how large that is.
const PRESSED = /max\(\d+px, var\(--finger\)\)/;

// What stands in brackets is a token, or computed from what it says: no length of its own is left.
function bare(value: string): string {
  const less = value.replace(/[\w-]*\([^()]*\)/g, '');
  return less === value ? value : bare(less);
}

/**
 * Declarations with a literal length where the scale has steps. Of space, a hairline of one pixel and room for
 * something drawn, wider than the widest step, are none of its steps.
 */
function literals(css: string): string[] {
  const text = css.replace(/\/\*[\s\S]*?\*\/|\$\{[^}]*\}/g, '');
  return [...text.matchAll(/([\w-]+)\s*:\s*([^;{}]+)/g)].filter(([, name, value]) => {
    const lengths = [...bare(value!).matchAll(/(\d*\.?\d+)(?:px|pt|rem)\b/g)].map(([, size]) => Number(size));
    if (SPACE.test(name!)) return lengths.some((size) => size > 1 && size <= WIDEST);
    return ((TYPE.test(name!) || CORNER.test(name!)) && lengths.length > 0) || PRESSED.test(value!);
  }).map(([all]) => all.trim());
}

it('no part has space, type, corners or controls of its own', () => {
  expect(sheets.length).toBeGreaterThan(60);
  const others = sheets.filter(({ css }) => css.trim() !== scale.cssText.trim());
  expect(others).toHaveLength(sheets.length - 1);
  expect(others.flatMap(({ file, css }) => literals(css).map((one) => `${file}: ${one}`))).toEqual([]);
});

it('the rule finds what it is for', () => {
  for (const css of ['a { padding: 0 9px; }', 'a { margin-inline-start: -6px }', 'a { gap: var(--space-1) 7px; }',
    'a { row-gap: 28px; }', 'a { font-size: 15px; }', 'a { line-height: 17px; }', "a { font: 600 11px/1 'x'; }",
    'a { border-radius: 3px; }', 'a { height: max(27px, var(--finger)); }',
    'a { min-width: calc(2px + max(28px, var(--finger))) }', 'a { border-start-end-radius: 4px; }',
    '@media (x: y) { a:hover { padding: 2px; } }'])
    expect(literals(css), css).toHaveLength(1);
  for (const css of ['a { padding: 0 1px; }', 'a { margin: calc(-1 * var(--space-3)) auto 0; }', 'a { gap: 5%; }',
    'a { padding-inline-start: 74px; }', 'a { padding-top: calc((var(--control) - var(--leading)) / 2); }',
    'a { line-height: 1.7; }', 'a { height: calc(var(--control) - 2px); min-height: var(--finger); }',
    'a { border-radius: 50%; }', 'a { width: 9px; border: 2px solid; }',
    'a { font: var(--text-note)/var(--leading) x; }', 'a { padding: ${SIDE}px; }', '/* gap: 3px */'])
    expect(literals(css), css).toEqual([]);
});

it('every token that is asked for is there, and every one of the scale is used', () => {
  const asked = new Set(sources.flatMap(({ text }) => [...text.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name!)));
  const set = sources.filter(({ file }) => file !== 'styles/tokens.ts')
    .flatMap(({ text }) => [...text.matchAll(/--([\w-]+)(?:'?):/g)].map(([, name]) => name!));
  const there = new Set([...Object.keys(palette.light), ...Object.keys(scaled), ...set]);
  expect([...asked].filter((name) => !there.has(name))).toEqual([]);
  expect(Object.keys(scaled).filter((name) => !asked.has(name))).toEqual([]);
});

it('whoever draws a button, a choice or a menu wears the styles that all of them share', () => {
  const draws = /class="[^"]*\b(?:button|seg|icon|text|pill)\b|<select/;
  // Every part wears them, except one that names another ground.
  const others = /extends (?:LitElement|Watching) \{[^]*static override styles|static override ground = /;
  const bare = sources.filter(({ text }) => others.test(text) && draws.test(text)
    && !/static override (?:styles|ground) = [^;`]*\bfields\b/.test(text));
  expect(bare.map(({ file }) => file)).toEqual([]);
  // They are drawn once: a part may only say how wide one is, or where it stands.
  const drawn = sheets.filter(({ file, css }) => file !== 'styles/tokens.ts'
    && /(?<![\w-])\.(?:button|seg|first)(?: button)? \{[^}]*(?:border|background|display)/.test(css));
  expect(drawn.map(({ file }) => file)).toEqual([]);
});
