// SPDX-License-Identifier: Apache-2.0
// The page for an iframe: everything it is told stands behind the # of its address.
import './frame.css';
import type { AttentionPlayground } from '../page/element.ts';
import '../page/element.ts';
import { readFrame } from './params.ts';

const tell = (height: number) => {
  // For hosts that fit the frame to its contents; nothing but a number leaves.
  if (parent !== self) parent.postMessage({ type: 'attention-playground', height }, '*');
};

function show(): void {
  const { document: link, src, full, lang, ...words } = readFrame(location.hash);
  if (lang) document.documentElement.lang = lang;
  const element = document.createElement('attention-playground') as AttentionPlayground;
  for (const [name, value] of Object.entries(words)) element.setAttribute(name, value);
  if (link !== undefined) element.setAttribute('document', link);
  // Only what lies beside this page: the policy would refuse the rest anyway, and the reader hears of it.
  const own = src !== undefined && URL.canParse(src, location.href)
    && new URL(src, location.href).origin === new URL(location.href).origin;
  if (own) element.setAttribute('src', src);
  if (full) element.setAttribute('height', String(innerHeight));
  else element.toggleAttribute('compact', true);
  element.setAttribute('home', new URL('./', location.href.split('#')[0]).href);
  document.body.replaceChildren(element);
  if (src !== undefined && !own) element.store.view.show({ notice: [{ key: 'srcFailed', values: [src] }] });
  new ResizeObserver(([entry]) => entry && tell(Math.ceil(entry.contentRect.height))).observe(element);
}

addEventListener('hashchange', show);
show();
