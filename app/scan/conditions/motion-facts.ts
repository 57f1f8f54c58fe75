/**
 * Runs inside a page, in an isolated world. Whether scrolling makes the page move in another way as well, as far as
 * `rampe-reduced-motion` judges it.
 */
export function movesWhenScrolled(): boolean {
  if (getComputedStyle(document.documentElement).scrollBehavior === "smooth") return true;
  return document.getAnimations().some(({ timeline }) => timeline !== null && timeline !== document.timeline);
}
