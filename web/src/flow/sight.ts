// SPDX-License-Identifier: Apache-2.0

type Tell = (seen: boolean) => void;
const told = new Map<Element, Tell>();

let watcher: IntersectionObserver | undefined;
function observer(): IntersectionObserver {
  return (watcher ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
  }));
}

// On paper everything is seen.
addEventListener('beforeprint', () => {
  for (const tell of told.values()) tell(true);
});

/** Tells whether any of an element can be seen, at first and whenever that changes; what it gives ends that. */
export function watchSight(element: Element, tell: Tell): () => void {
  told.set(element, tell);
  observer().observe(element);
  return () => {
    told.delete(element);
    observer().unobserve(element);
  };
}
