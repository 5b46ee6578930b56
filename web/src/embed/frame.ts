// SPDX-License-Identifier: Apache-2.0
// The page for an iframe: everything it is told stands behind the # of its address.
import './frame.css';
import '../element.ts';
import { readFrame } from './params.ts';

const tell = (height: number) => {
  // For hosts that fit the frame to its contents; nothing but a number leaves.
  if (parent !== self) parent.postMessage({ type: 'attention-playground', height }, '*');
};

function show(): void {
  const { document: link, src, full, lang, ...words } = readFrame(location.hash);
  if (lang) document.documentElement.lang = lang;
  const element = document.createElement('attention-playground');
  for (const [name, value] of Object.entries(words)) element.setAttribute(name, value);
  if (link !== undefined) element.setAttribute('document', link);
  // Only what lies beside this page: the policy would refuse the rest anyway.
  if (src !== undefined && new URL(src, location.href).origin === new URL(location.href).origin) element.setAttribute('src', src);
  if (full) element.setAttribute('height', String(innerHeight));
  else element.toggleAttribute('compact', true);
  element.setAttribute('home', new URL('./', location.href.split('#')[0]).href);
  document.body.replaceChildren(element);
  new ResizeObserver(([entry]) => entry && tell(Math.ceil(entry.contentRect.height))).observe(element);
}

addEventListener('hashchange', show);
show();
