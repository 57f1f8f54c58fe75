import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failure F93: sound starts by itself, and nothing on the page can stop it. Answers the question of axe-core's `no-autoplay-audio`. */
export const autoplaySound: PageRule = {
  id: "rampe-autoplay-sound",
  since: "1.10.0",
  criteria: ["1.4.2"],
  level: "wcag2a",
  category: "time-and-media",
  impact: "serious",
  selector: "audio[autoplay], video[autoplay]",
  // Sound without controls is invisible.
  includesHidden: true,
  isAdvanced: true,
  judge(element, kit) {
    const limitSeconds = 3;
    const media = element as HTMLMediaElement;
    // Listeners of frames are unknown; an address may name only a part, which is played once.
    if (self !== top || /#t=/.test(media.currentSrc)) return undefined;
    const isLong = media.loop || media.duration > limitSeconds;
    if (!isLong || media.muted || media.volume === 0 || !kit.hasSound(media)) return undefined;
    if (media.controls) return "passes";
    return mayBeStopped() ? undefined : { fails: media.loop || media.duration === Infinity ? "endless" : "long", data: { seconds: Math.round(Math.min(media.duration, 86_400)) } };

    /** Can the sound be stopped? Only a script stops it, and only a link leads to a page without it. */
    function mayBeStopped(): boolean {
      const aboutSound = /\b(sound|audio|music|mute|silen\w*|stop|pause|quiet|ton|musik|stumm\w*|anhalten|ausschalten|aus|off|leise\w*)\b/;
      const links = kit.all("a[href], area[href]");
      return kit.hasControls() || links.some((link) => aboutSound.test(kit.plain(kit.name(link))));
    }
  },
};
