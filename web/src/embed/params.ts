// SPDX-License-Identifier: Apache-2.0

/** What a frame's address may say besides the document: #1.abc&theme=dark&hide=header,steps */
export interface FrameParameters {
  document?: string;
  src?: string;
  hide?: string;
  lock?: string;
  theme?: string;
  lang?: string;
  full?: boolean;
}

const WORDS = /^[a-z, ]{0,80}$/;
const NAMES = ['hide', 'lock', 'theme', 'lang'] as const;

export function readFrame(hash: string): FrameParameters {
  const parts = hash.replace(/^#/, '').split('&');
  const found: FrameParameters = {};
  const first = parts[0] ?? '';
  if (first !== '' && !first.includes('=')) found.document = parts.shift();
  const rest = new URLSearchParams(parts.join('&'));
  for (const name of NAMES) {
    const value = rest.get(name);
    if (value !== null && WORDS.test(value)) found[name] = value;
  }
  const src = rest.get('src');
  if (src) found.src = src;
  if (rest.has('full')) found.full = true;
  return found;
}

export function writeFrame({ document, full, ...words }: FrameParameters): string {
  const rest = Object.entries(words).filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`);
  return `#${[document, ...rest, full ? 'full=1' : undefined].filter((part) => part !== undefined).join('&')}`;
}
