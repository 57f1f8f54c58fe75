import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 2.2.2, ACT's rule efbfc7, failure F50: a text beside others changes or blinks by itself for longer than five seconds, on a page
 * where nothing could stop it.
 */
export const changingText: PageRule = {
  id: "rampe-changing-text",
  since: "1.11.0",
  criteria: ["2.2.2"],
  actIds: ["efbfc7"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "moderate",
  selector: "body *",
  // The text is often hidden from assistive technology, but visible.
  includesHidden: true,
  isAdvanced: true,
  isWatched: true,
  judge(element, kit) {
    const limits = { ms: 5_000, pauseMs: 6_000, blinkMs: 2_000, changes: 4, otherCharacters: 20 };
    // Frames are not watched.
    if (self !== top) return undefined;
    const run = kit.once("changing texts", changingTexts).get(element);
    if (!run) return undefined;
    const data = { seconds: Math.floor((run.at(-1)!.at - run[0]!.at) / 1_000) };
    // Text that has stopped by itself needs no control. Screen readers announce changes in live regions, which users may want.
    if (kit.saysThatItStops()) return "passes";
    const mayBeWanted = kit.closest(element, "[aria-live], [role=status], [role=alert], [role=log], [role=marquee]") !== null;
    const how = blinks(run) ? "blinks" : "changes";
    return mayBeWanted || kit.hasControls() ? { asks: how, data } : { fails: how, data };

    /** Longest series of changes of each text that changes for too long: only the innermost elements, one for each parent. */
    function changingTexts(): Map<Element, { at: number; text: string }[]> {
      const found = new Map<Element, { at: number; text: string }[]>();
      const parents = new Set<Element | null>();
      for (const [changed, changes] of kit.textChanges()) {
        const longest = longestRun(changes);
        if (!isTooLong(longest) || !changed.isConnected || parents.has(kit.parent(changed))) continue;
        if (!(blinks(longest) ? isShownAtTimes(changed) : isSeen(changed)) || isLoading(changed) || isClock(changed, longest.map(({ text }) => text))) continue;
        // Blinking text is itself hard to read, also without other text.
        if (!blinks(longest) && isAlone(changed)) continue;
        found.set(changed, longest);
        parents.add(kit.parent(changed));
      }
      return new Map([...found].filter(([changed]) => ![...found.keys()].some((other) => other !== changed && kit.contains(changed, other))));
    }

    function isTooLong(changes: { at: number; text: string }[]): boolean {
      const isLong = changes.length >= limits.changes && changes.at(-1)!.at - changes[0]!.at > limits.ms;
      return isLong && (blinks(changes) || new Set(changes.map(({ text }) => text).filter((text) => /[\p{L}\p{N}]/u.test(text))).size > 1);
    }

    /** Does one text appear and disappear? Slow changes, such as the parts of a show, do not count. */
    function blinks(changes: { at: number; text: string }[]): boolean {
      const texts = new Set(changes.map(({ text }) => text));
      const isQuick = changes.slice(1).every(({ at }, index) => at - changes[index]!.at <= limits.blinkMs);
      return isQuick && texts.size === 2 && texts.has("") && [...texts].some((text) => /\p{L}{2}|\p{N}/u.test(text));
    }

    /** Is the text visible at times? It may be hidden right now. Text cut to a point is only for screen readers. */
    function isShownAtTimes(changed: Element): boolean {
      const { width, height, clip } = kit.style(changed);
      if (parseFloat(width) <= 1 || parseFloat(height) <= 1 || clip !== "auto") return false;
      const around = kit.parent(changed);
      return around !== null && kit.isShown(around, { visibilityProperty: true, opacityProperty: true });
    }

    /** Longest series of changes without a long pause: content that arrives bit by bit while a page loads does not change all the time. */
    function longestRun(changes: { at: number; text: string }[]): { at: number; text: string }[] {
      let [longest, current]: [typeof changes, typeof changes] = [[], []];
      for (const change of changes) {
        const last = current.at(-1);
        current = last && change.at - last.at <= limits.pauseMs ? [...current, change] : [change];
        if (current.length > longest.length) longest = current;
      }
      return longest;
    }

    function isSeen(changed: Element): boolean {
      const { width, height } = kit.box(changed);
      return width > 1 && height > 1 && kit.isVisible(changed) && kit.visibleText(changed) !== "";
    }

    function isLoading(changed: Element): boolean {
      const names = /spin|load(er|ing)|progress|skeleton|typing/i;
      const around = kit.parent(changed);
      const near = [changed, around, around && kit.parent(around)];
      const says = /\b(load(s|ing)?|wait|lädt|laden|geladen|warten)\b/;
      return kit.closest(changed, "[role=progressbar], [aria-busy=true], progress, meter, output") !== null || near.some((each) => names.test((each && kit.attribute(each, "class")) ?? "")) || says.test(kit.plain(kit.text(changed)));
    }

    /** Is it a time, or a counting number? Their purpose is to change. */
    function isClock(changed: Element, texts: string[]): boolean {
      if (kit.closest(changed, "time, [role=timer]") || kit.first(changed, "time, [role=timer]")) return true;
      if (texts.every((text) => /\d{1,2} ?[:.h] ?\d{2}/.test(text))) return true;
      // Words are compared by their beginnings: "2 seconds" becomes "1 second".
      const frames = texts.map((text) => text.replace(/[\d.,\s]+/g, "#").replace(/(\p{L}{2})\p{L}+/gu, "$1"));
      const same = (frame: string) => texts.filter((_, index) => frames[index] === frame);
      const commonest = frames.map(same).reduce((most, each) => (each.length > most.length ? each : most), []);
      if (commonest.length < texts.length * 0.8) return false;
      const numbers = commonest.map((text) => Number(text.replace(/\D+/g, "")));
      const steps = numbers.slice(1).map((number, index) => Math.sign(number - numbers[index]!));
      const most = Math.max(...[1, -1].map((sign) => steps.filter((step) => step === sign).length));
      return most >= steps.length * 0.8;
    }

    /** Is there no other text on the page? Then the change distracts from nothing. */
    function isAlone(changed: Element): boolean {
      return kit.visibleText(document.body).length - kit.visibleText(changed).length < limits.otherCharacters;
    }
  },
};
