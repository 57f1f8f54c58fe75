/*
 * This function runs inside a page, in a world of our own (see `world.ts`). It is sent as source text: it may use nothing
 * outside itself but types.
 */

/**
 * For how many ms more something may appear on a page that shows nothing yet. Animations say so themselves: AMP hides the
 * page by one of 8 s, in case its script does not come. Scripts that test variants hide it for up to 4 s, and pages that
 * are made by scripts may wait for one more answer; 0 where there is neither.
 */
export function mayAppearFor(): number {
  const scriptMs = document.scripts.length > 0 ? 4_500 : 0;
  const animationMs = document.getAnimations().map(({ effect, currentTime }) => {
    const end = Number(effect?.getComputedTiming().endTime ?? 0);
    // One that never ends shows whatever it shows from the beginning.
    return Number.isFinite(end) ? end - Number(currentTime ?? 0) + 100 : 0;
  });
  return Math.min(10_000, Math.max(scriptMs, ...animationMs));
}
