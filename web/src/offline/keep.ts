// SPDX-License-Identifier: Apache-2.0

/** Once the page stands and rests, keeps its files for when there is no network. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  const start = () => void navigator.serviceWorker.register(new URL('./sw.js', document.baseURI))
    .catch(() => undefined);
  if (document.readyState === 'complete') setTimeout(start, 2000);
  else addEventListener('load', () => setTimeout(start, 2000), { once: true });
}
