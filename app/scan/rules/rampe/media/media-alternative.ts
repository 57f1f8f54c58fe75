import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Success criteria 1.2.1 to 1.2.5: a person must decide whether a film or a recording has its alternative. */
export const mediaAlternative: PageRule = {
  id: "rampe-media-alternative",
  since: "1.0.0",
  criteria: ["1.2.1", "1.2.3", "1.2.5"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "serious",
  selector: "video, audio, iframe[src]",
  judge(element, kit) {
    if (!kit.isVisible(element)) return undefined;
    const question = questionOf();
    if (!question) return undefined;
    // A film that is shown twice is one question.
    const asked = kit.once("media that are asked about", () => new Map<string, Element>());
    const key = `${question} ${addressOf()}`;
    const first = asked.get(key) ?? element;
    asked.set(key, first);
    return first === element ? { asks: question } : undefined;

    function questionOf(): string | undefined {
      if (element instanceof HTMLIFrameElement) {
        return /^https?:\/\/([\w-]+\.)*(youtube(-nocookie)?\.com\/embed|player\.vimeo\.com|dailymotion\.com\/embed|fast\.wistia\.net|player\.twitch\.tv)/.test(element.src) ? "player" : undefined;
      }
      const media = element as HTMLMediaElement;
      if (addressOf() === "") return undefined;
      if (media instanceof HTMLAudioElement) return media.controls || media.autoplay ? "audio" : undefined;
      const isBackdrop = media.muted && media.loop && media.autoplay && !media.controls;
      if (isBackdrop) return "silent";
      return media.querySelector("track[kind=descriptions]") ? "described" : "video";
    }

    function addressOf(): string {
      const source = element.querySelector<HTMLSourceElement>("source[src]");
      return (element as HTMLMediaElement | HTMLIFrameElement).src || source?.src || (element instanceof HTMLMediaElement ? element.currentSrc : "");
    }
  },
};
