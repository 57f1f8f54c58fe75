/** Globals of our own in isolated worlds: `rampeRuleBegins` is a binding, the others are defined by the functions that run there. */
const OWN = [
  ...["analyser", "arrivals", "contextOf", "drawnTexts", "isFalseAlarm", "outline", "pause", "possibleHosts", "rampeAnimatedImages"],
  ...["rampeBefore", "rampeColors", "rampeCovers", "rampeDom", "rampeDrawings", "rampeDrawnWords"],
  ...["rampeEffects", "rampeExcuses", "rampeFixedBars", "rampeFormFields", "rampeFormTexts"],
  ...["rampeForms", "rampeFurtherListeners", "rampeHeld", "rampeHover", "rampeHovered", "rampeKeys", "rampeLanguages", "rampeLayout"],
  ...["rampeListeners", "rampeMeasures", "rampeMeet", "rampeOpenHosts", "rampeOpenings", "rampeOrientation", "rampeParts", "rampePlaces"],
  ...["rampeRuleBegins", "rampeShadowStyle", "rampeShown"],
  ...["rampeSight", "rampeSkipped", "rampeSlides", "rampeSounds", "rampeStartDialogs", "rampeTexts", "rampeTimeLimits", "rampeTypedTexts", "rampeWalk", "watch", "withoutRepeated"],
];

/** Globals that axe-core defines or looks for: marks of module systems, other programs and libraries. */
const AXE = [
  ...["axe", "restoreSegmenter", "__core-js_shared__", "_elementInternals", "_encodeHTML", "doT"],
  ...["Buffer", "define", "exports", "global", "module", "process", "require"],
];

/** Names of all globals that are read or written in an isolated world and that no browser defines. */
export const WORLD_GLOBALS = [...OWN, ...AXE];

/**
 * Defines our globals, unless they exist: otherwise an element of the page with the same `id` would be read in their
 * place (named access on the window, which isolated worlds share). Runs inside a page.
 */
export function reserveGlobals(names: string[]): void {
  const free = names.filter((name) => !Object.hasOwn(globalThis, name));
  const place = { value: undefined, writable: true, configurable: true, enumerable: true };
  Object.defineProperties(globalThis, Object.fromEntries(free.map((name) => [name, place])));
}
