import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG 1.2.5, ACT's rule 1ec09b: no browser speaks or shows descriptions that are only a track of text. */
export const unspokenDescription: PageRule = {
  id: "rampe-unspoken-description",
  since: "1.10.0",
  criteria: ["1.2.5"],
  actIds: ["1ec09b"],
  level: "wcag2aa",
  category: "time-and-media",
  impact: "serious",
  selector: "video[controls]",
  judge(element, kit) {
    const video = element as HTMLVideoElement;
    const tracks = [...video.textTracks].filter(({ kind }) => kind === "descriptions");
    // Text anywhere may describe films without sound.
    if (tracks.length === 0 || !kit.isVisible(video) || !kit.hasSound(video)) return undefined;
    // A script that reads the descriptions aloud enables them first.
    if (tracks.some(({ mode }) => mode !== "disabled")) return "passes";
    // Names of other versions are known only in these languages.
    if (!/^(de|en)\b/i.test(document.documentElement.lang)) return undefined;
    return kit.once("may offer a described version", mayOfferOther) ? "passes" : { fails: "track" };

    function mayOfferOther(): boolean {
      const others = kit.all("video, audio, iframe, object, embed");
      const about = /descri|deskription|beschreib|hörf|hörspur|barrierefrei|accessib|fassung|version|\bad\b|blind/;
      const isOther = (each: HTMLElement) => about.test(kit.plain(kit.name(each))) || /\.(mp4|webm|mp3|m4a|ogg|ogv|m3u8)\b|youtu|vimeo/i.test(each.getAttribute("href") ?? "");
      return others.length > 1 || kit.all("a[href], button, input, select, [role=button], [role=link], [role=switch], [role^=menuitem]").some(isOther);
    }
  },
};
