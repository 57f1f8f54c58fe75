import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG 1.4.9, at most three questions per page: pictures that probably show words, by their names and their shapes. Buttons and banners
 * have calls and offers as names, photos have descriptions and headlines. Into canvases, scripts draw whole sentences.
 */
export const imageOfText: PageRule = {
  id: "rampe-image-of-text",
  since: "1.21.0",
  criteria: ["1.4.9"],
  level: "wcag2aaa",
  category: "text-alternatives",
  impact: "moderate",
  selector: "img, input[type=image], canvas",
  includesHidden: true,
  judge(element, kit) {
    const most = 3;
    const words = kit.once("images of text", mostProbable).get(element);
    return words === undefined ? undefined : { asks: kit.localName(element) === "canvas" ? "drawn" : "named", data: { words: kit.excerpt(words) } };

    function mostProbable(): Map<Element, string> {
      const found = kit.all("img, input[type=image], canvas").map(probable).filter((each) => each !== undefined);
      return new Map(found.sort((one, other) => other.likelihood - one.likelihood).slice(0, most).map(({ image, words }) => [image, words]));
    }

    function probable(image: HTMLElement): { image: HTMLElement; words: string; likelihood: number } | undefined {
      if (!kit.isVisible(image)) return undefined;
      const drawn = kit.localName(image) === "canvas";
      const words = drawn ? sentencesOf(image) : kit.isExposed(image) && isRaster(image) ? kit.name(image) : "";
      if (!/\p{L}{3}/u.test(words) || isLogo(words)) return undefined;
      const likelihood = drawn ? 2 : likelihoodOf(image, words);
      return likelihood === 0 || isInText(words) ? undefined : { image, words, likelihood };
    }

    /** Drawn text with sentences; "" for labels, as in charts. */
    function sentencesOf(canvas: Element): string {
      const texts = kit.drawnWords(canvas);
      const count = texts.join(" ").match(/\p{L}{2,}/gu)?.length ?? 0;
      return count >= 4 && count >= texts.length * 3 ? texts.join(" ") : "";
    }

    function isRaster(image: HTMLElement): boolean {
      const source = (image as HTMLImageElement).currentSrc || (kit.attribute(image, "src") ?? "");
      if (source.startsWith("data:")) return /^data:image\/(png|jpe?g|gif|webp|avif)/i.test(source);
      return /\.(png|jpe?g|gif|webp|avif|bmp)(?!\w)/i.test(source);
    }

    /** Brands may have their own letters: they are excepted. */
    function isLogo(words: string): boolean {
      return /logo|wortmarke|app ?store|google play|microsoft store|f-droid|powered by|\bvalid\b|creative commons/i.test(words);
    }

    /** From 0 for no image of text to 3. */
    function likelihoodOf(image: HTMLElement, words: string): number {
      const { width, height } = sizeOf(image);
      const count = words.split(/\s+/).length;
      const isButton = kit.localName(image) === "input";
      if ((isButton || isAloneInControl(image)) && width >= 60 && height >= 12 && width >= height * 1.8) {
        const isNamedButton = /(^|[^a-z])(btn|button|schaltfl)/i.test(fileOf(image));
        if (isCall(words)) return isNamedButton ? 3 : 2;
        if (isButton && count <= 5) return 2;
      }
      const isBanner = width >= 200 && width >= height * 2.5 && count >= 3 && count <= 15 && kit.around(image, "figure") === null;
      return isBanner && isOffer(words) ? 1 : 0;
    }

    /** Size in the file, or else in the attributes: a missing picture takes the size of its text. Image buttons do not tell that of the file. */
    function sizeOf(image: HTMLElement): { width: number; height: number } {
      const { naturalWidth = 0, naturalHeight = 0 } = image as Partial<HTMLImageElement>;
      if (naturalWidth > 1 && naturalHeight > 1) return { width: naturalWidth, height: naturalHeight };
      const [width, height] = ["width", "height"].map((name) => Number(kit.attribute(image, name) ?? 0));
      return width && height ? { width, height } : kit.localName(image) === "input" ? kit.box(image) : { width: 0, height: 0 };
    }

    function fileOf(image: Element): string {
      return (kit.attribute(image, "src") ?? "").replace(/^data:.*|[?#].*$/s, "").split("/").at(-1) ?? "";
    }

    function isAloneInControl(image: Element): boolean {
      const control = kit.around(image, "a[href], button, [role=button], [role=link]");
      return control !== null && kit.visibleText(control) === "" && kit.inside(control, "img, svg, canvas, video").length === 1;
    }

    /** Is it a call, as on a button? Long ones are headlines. */
    function isCall(words: string): boolean {
      const plain = kit.plain(words);
      const count = plain.split(" ").length;
      if (count < 2 || count > 6) return false;
      const starts = [
        ...["sign (up|in)", "log ?in", "buy", "order", "book", "donate", "subscribe", "register", "join", "shop", "try", "start"],
        ...["download", "add to", "apply", "contact us", "call us", "(learn|read) more", "find out", "search", "submit", "send", "continue"],
        ...["click", "request", "check ?out", "proceed", "enter", "get (started|a|your|in)", "(view|see) (all|more|our)"],
      ];
      const ends = [
        ...["anmelden", "registrieren", "bestellen", "kaufen", "buchen", "spenden", "abonnieren", "herunterladen", "testen", "starten", "anfordern"],
        ...["mehr erfahren", "weiterlesen", "absenden", "bewerben", "mitmachen", "ansehen", "klicken", "vereinbaren", "vergleichen", "sichern"],
        ...["reservieren", "mitglied werden"],
      ];
      const places = String.raw`zu[rm] (\p{L}*shop|warenkorb|kasse|anmeldung|download|newsletter|\p{L}*angebot|bestellung|buchung|bewerbung)`;
      const calls = [`(${starts.join("|")})\\b.*`, `(.* )?(${ends.join("|")})`, places, String.raw`(jetzt|hier) \p{L}+( \p{L}+)?`];
      return new RegExp(`^(${calls.join("|")})$`, "u").test(plain);
    }

    /** Is it an exclamation or an offer, as on a banner, and no description of what a photo shows? */
    function isOffer(words: string): boolean {
      const describes = /photo|picture|image|chart|graph|diagram|screenshot|foto|\bbild|grafik|tabelle|\b(map|table|karte|zeigt|shows?|showing)\b/i;
      const hasPrice = /\d\s?%|[€$£]\s?\d|\d\s?(€|euro\b)/i.test(words);
      const sells = /\b(rabatt|off|sale|nur|only|ab|from|save|sparen|sichern|gratis|free|discount)\b/i.test(words);
      return !describes.test(words) && (/\p{L}\s?!["“”»«']?$/u.test(words) || (hasPrice && sells));
    }

    /** Does the text of the page say the same? */
    function isInText(words: string): boolean {
      return kit.once("plain text of the page", () => kit.plain(kit.visibleText(document.body))).includes(kit.plain(words));
    }
  },
};
