import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** Success criteria 1.2.1 to 1.2.5: whether a film or a recording has its alternative, a person must hear and see. */
export const mediaAlternative: PageRule = {
  id: "rampe-media-alternative",
  criteria: ["1.2.1", "1.2.3", "1.2.5"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "serious",
  selector: "video, audio, iframe[src]",
  judge(element, kit) {
    if (!kit.isVisible(element)) return undefined;
    if (element instanceof HTMLIFrameElement) {
      return /^https?:\/\/([\w-]+\.)*(youtube(-nocookie)?\.com\/embed|player\.vimeo\.com|dailymotion\.com\/embed|fast\.wistia\.net|player\.twitch\.tv)/.test(element.src) ? { asks: "player" } : undefined;
    }
    const media = element as HTMLMediaElement;
    if (!media.getAttribute("src") && !media.currentSrc && !media.querySelector("source[src]")) return undefined;
    if (media instanceof HTMLAudioElement) return media.controls || media.autoplay ? { asks: "audio" } : undefined;
    const isBackdrop = media.muted && media.loop && media.autoplay && !media.controls;
    if (isBackdrop) return { asks: "silent" };
    return media.querySelector("track[kind=descriptions]") ? { asks: "described" } : { asks: "video" };
  },
};
