/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/**
 * Time in ms during which content may still appear on a page that shows nothing yet. Animations determine it: AMP hides the
 * page with one of 8 s, in case its script does not load. Scripts of A/B tests hide it for up to 4 s, and pages built by
 * scripts may wait for one more answer; 0 if there is neither.
 */
export function mayAppearFor(): number {
  const scriptMs = document.scripts.length > 0 ? 4_500 : 0;
  const animationMs = document.getAnimations().map(({ effect, currentTime }) => {
    const end = Number(effect?.getComputedTiming().endTime ?? 0);
    // An endless animation shows its content from the beginning.
    return Number.isFinite(end) ? end - Number(currentTime ?? 0) + 100 : 0;
  });
  return Math.min(10_000, Math.max(scriptMs, ...animationMs));
}
