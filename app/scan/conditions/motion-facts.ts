/**
 * Runs inside a page, in an isolated world. Does scrolling cause other movement in the page? Only movement judged by
 * `rampe-reduced-motion` counts.
 */
export function movesWhenScrolled(): boolean {
  if (getComputedStyle(document.documentElement).scrollBehavior === "smooth") return true;
  return document.getAnimations().some(({ timeline }) => timeline !== null && timeline !== document.timeline);
}
