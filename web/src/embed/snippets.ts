// SPDX-License-Identifier: Apache-2.0
import { type FrameParameters, writeFrame } from './params.ts';

export interface Choices {
  /** Where the page lies, with a closing slash. */
  site: string;
  /** What stands behind the # of a link. */
  link: string;
  /** The file beside the page that holds what the link cannot, for code that reads one. */
  src?: string;
  full: boolean;
  hide: string[];
  fixed: boolean;
  theme: '' | 'light' | 'dark';
  height: number;
  lang: string;
  /** What a screen reader calls the frame. */
  title: string;
  /** What a link to the page is called, where the element is not defined: before it loads, or where it cannot. */
  fallback: string;
}

export const WAYS = ['frame', 'element', 'myst', 'jupyter', 'link'] as const;
export type Way = (typeof WAYS)[number];

const LOCKED = 'controls,inputs';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

// A longer link would make the code twice as long as the document: there the fallback leads to the page alone.
const MOST_IN_FALLBACK = 2000;

/** Whether code of this kind loads the package's scripts, which another server must allow; a frame needs no leave. */
export const loadsScripts = (way: Way): boolean => readsFile(way);

/** Whether code of this kind can name a file beside the page: a frame reads none from another site. */
export const readsFile = (way: Way): boolean => way !== 'frame' && way !== 'link';

function parameters({ link, src, full, hide, fixed, theme, lang }: Choices, way: Way): FrameParameters {
  return {
    ...(src !== undefined && readsFile(way) ? { src } : { document: link }), full,
    hide: hide.join(',') || undefined,
    lock: fixed ? LOCKED : undefined,
    theme: theme || undefined,
    lang: lang || undefined,
  };
}

export const frameAddress = (choices: Choices): string =>
  `${choices.site}embed.html${writeFrame(parameters(choices, 'frame'))}`;

function element(choices: Choices): string {
  const { document, src, full, hide, lock, theme, lang } = parameters(choices, 'element');
  const named = { lang, document, src, hide, lock, theme, height: full ? String(choices.height) : undefined };
  const attributes = Object.entries(named).filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const whole = src === undefined && choices.link.length <= MOST_IN_FALLBACK ? `#${choices.link}` : '';
  return `<script type="module" src="${escaped(choices.site)}package/element.js"></script>
<attention-playground${full ? '' : ' compact'}${attributes.join('')}><a href="${escaped(choices.site + whole)}">${
    escaped(choices.fallback)}</a></attention-playground>`;
}

function model(choices: Choices): Record<string, string | boolean> {
  const { document, src, full, hide, lock, theme } = parameters(choices, 'myst');
  const all = { document, src, full: full || undefined, hide, lock, theme,
    height: full ? String(choices.height) : undefined };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string,
    string | boolean>;
}

const PYTHON = { true: 'True', false: 'False' } as Record<string, string>;

/**
 * The code to paste, for each kind of page. The frame keeps its own origin, which is that of this site: without it a
 * host would
 * have to allow every origin before the frame's scripts could be fetched at all.
 */
export function snippet(way: Way, choices: Choices): string {
  switch (way) {
    case 'frame':
      return `<iframe src="${escaped(frameAddress(choices))}" title="${escaped(choices.title)}" width="100%" height="${
        choices.height}" style="border:0" loading="lazy" sandbox="allow-scripts allow-same-origin allow-popups `
        + `allow-popups-to-escape-sandbox"></iframe>`;
    case 'element':
      return element(choices);
    case 'myst':
      return `:::{anywidget} ${choices.site}package/anywidget.mjs\n${JSON.stringify(model(choices), null, 1)}\n:::`;
    case 'jupyter': {
      const traits = Object.entries(model(choices)).map(([name, value]) => typeof value === 'boolean'
        ? `    ${name} = traitlets.Bool(${PYTHON[String(value)]}).tag(sync=True)`
        : `    ${name} = traitlets.Unicode(${JSON.stringify(value)}).tag(sync=True)`);
      return `import anywidget, traitlets\n\nclass AttentionPlayground(anywidget.AnyWidget):\n    _esm = "${
        choices.site}package/anywidget.mjs"\n${traits.join('\n')}\n\nAttentionPlayground()`;
    }
    case 'link':
      return frameAddress(choices);
  }
}
