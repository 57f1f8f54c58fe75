import type { Judgement, PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F38, F39, ACT's rule e88epe: a person decides whether an unnamed picture is informative, unless it has unique words. */
export const decorativeImage: PageRule = {
  id: "rampe-decorative-image",
  since: "1.0.0",
  criteria: ["1.1.1"],
  actIds: ["e88epe"],
  level: "wcag2a",
  category: "text-alternatives",
  impact: "serious",
  selector: "img, svg, canvas",
  includesHidden: true,
  judge(element, kit): Judgement | undefined {
    if (kit.closest(element.parentElement ?? document.documentElement, "svg") || !kit.isVisible(element)) return undefined;
    const isMarked = element.getAttribute("alt") === "" || /^(none|presentation)$/.test(element.getAttribute("role") ?? "");
    const title = element.getAttribute("title")?.trim() ?? "";
    if (element.localName === "img" && isMarked && !isFileName(title) && !element.closest("[aria-hidden=true]")) return isToldBeside(title) ? "passes" : { asks: "title", data: { title: title.slice(0, 100) } };
    // Screen readers ignore a drawing without a name.
    const isUnnamed = element.matches("svg, canvas") && !element.hasAttribute("role") && kit.name(element) === "" && element.textContent?.trim() === "";
    if (kit.isExposed(element) && !isMarked && !isUnnamed) return undefined;
    const unread = unreadText();
    const asked = kit.once("unread texts of pictures", () => ({ count: 0 }));
    const most = 3;
    if (unread !== "" && asked.count < most) {
      asked.count += 1;
      return { asks: "unread", data: { text: unread } };
    }
    const { width, height } = element.getBoundingClientRect();
    if (width < 48 || height < 48) return undefined;
    if (element.localName === "svg" && !hasShapes()) return undefined;
    if (isNamedByHolder() || isPortrait() || isBackdrop()) return "passes";
    const words = isDescribed() ? "" : drawnAlone();
    if (words !== "") return { fails: "words", data: { words } };
    return isFirstAlike() ? { asks: "decorative" } : undefined;

    /** Is it the first such picture in such surroundings? An icon often comes again, such as one to go back in each menu. */
    function isFirstAlike(): boolean {
      return element.localName === "canvas" || kit.isFirstOfKind(element, "rampe-decorative-image", element.getAttribute("src") ?? element.innerHTML);
    }

    /** Is the text the file name of the picture, any file name, or empty? */
    function isFileName(words: string): boolean {
      const file = (element.getAttribute("src") ?? "").replace(/[?#].*$/, "").split("/").at(-1) ?? "";
      // Programs add the size to the name.
      const stem = file.replace(/(\.\w{2,5})+$/, "").replace(/-(\d+x\d+|scaled)$/, "");
      return words === "" || /^\S+\.(png|jpe?g|gif|svg|webp|avif)$/i.test(words) || kit.plain(stem) === kit.plain(words);
    }

    function isToldBeside(words: string): boolean {
      const holder = kit.around(element, "a, button, figure, label, p, li, td") ?? element.parentElement ?? element;
      return kit.plain(kit.visibleText(holder)).includes(kit.plain(words));
    }

    /** Text alternative hidden by the role; "" for none, and for one that can be read beside the picture. */
    function unreadText(): string {
      const text = element.matches("img[role=none], img[role=presentation]") && !kit.isFocusable(element) ? (element.getAttribute("alt") ?? "").trim() : "";
      if (!/\p{L}{2}/u.test(text) || element.closest("[aria-hidden=true]") || isNamedByHolder()) return "";
      return kit.plain(kit.visibleText(element.parentElement ?? element)).includes(kit.plain(text)) ? "" : text.slice(0, 100);
    }

    /** Text that a script drew, unless much of it can be read elsewhere, or it is no longer shown. */
    function drawnAlone(): string {
      const drawn = element instanceof HTMLCanvasElement ? kit.drawnWords(element) : [];
      const words = new Set(kit.plain(drawn.join(" ")).match(/\p{L}{3,}/gu));
      if (words.size === 0 || isEmpty(element as HTMLCanvasElement)) return "";
      const elsewhere = kit.once("words of the document", wordsOfDocument);
      const isMostKnown = [...words].filter((word) => elsewhere.has(word.slice(0, 3))).length > words.size * 0.2;
      return isMostKnown ? "" : drawn.join(" ").slice(0, 100);
    }

    /** Does another element describe the picture? Its words may differ from those in the picture. */
    function isDescribed(): boolean {
      return element.closest("[aria-describedby], [aria-details], [role=application], [role=region]") !== null;
    }

    /** Beginnings of words, because labels are often short. Hidden text and names count: another form of the picture may be there. */
    function wordsOfDocument(): Set<string> {
      const texts = kit.all("body, body *").flatMap((each) => {
        const own = kit.matches(each, "script, style, noscript, template") ? [] : kit.nodes(each).map((node) => (node instanceof Text ? node.data : ""));
        return [...own, ...["alt", "aria-label", "aria-description", "title", "value"].map((name) => kit.attribute(each, name) ?? "")];
      });
      return new Set(kit.plain(texts.join(" ").replaceAll("\u00AD", "")).match(/\p{L}{3,}/gu)?.map((word) => word.slice(0, 3)));
    }

    function isEmpty(canvas: HTMLCanvasElement): boolean {
      try {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, Math.min(canvas.width, 1_000), Math.min(canvas.height, 1_000));
        return data.every((value, index) => index % 4 !== 3 || value === 0);
      } catch {
        // The canvas contains pictures of other origins.
        return false;
      }
    }

    function hasShapes(): boolean {
      const shapes = element.querySelectorAll("path, rect, circle, ellipse, line, polyline, polygon, text, image, use, foreignObject");
      return [...shapes].some((shape) => !shape.closest("defs, symbol, clipPath, mask, pattern, marker") && isPainted(shape));
    }

    /** Styles give a shape its colours, and may be missing. */
    function isPainted(shape: Element): boolean {
      const { fill, stroke } = kit.style(shape);
      return kit.matches(shape, "image, use, foreignObject") || fill !== "none" || stroke !== "none";
    }

    /** Has the link, button or figure around it words or a name? The picture usually repeats them. */
    function isNamedByHolder(): boolean {
      const holder = kit.around(element, "a, button, figure, summary, label, [role=link], [role=button], [role=img], [role=tab], [role=option], [role^=menuitem]");
      return holder !== null && (kit.visibleText(holder) !== "" || kit.name(holder) !== "");
    }

    /** Is it beside a name, in one of several items with such a picture and words, such as comments with their authors? */
    function isPortrait(): boolean {
      const name = isPortraitLike(element) ? lineBeside() : "";
      if (name.length > 40 || !/\p{L}{2}/u.test(name)) return false;
      const signs = ["class", "alt", "src"].map((attribute) => element.getAttribute(attribute) ?? "").join(" ");
      if (/avatar|author(?!i)/i.test(signs)) return true;
      for (let [item, level] = [element.parentElement, 0]; item && level < 6; [item, level] = [kit.parent(item), level + 1]) {
        const localName = kit.localName(item);
        const beside = kit.children(kit.parent(item) ?? item);
        const alike = beside.filter((each) => kit.localName(each) === localName && hasPortraitAndWords(each, name));
        if (alike.includes(item) && alike.length > 2) return true;
      }
      return false;
    }

    /** Has the item more words than a name? Beside little text, a picture may be informative, such as the weather of a day. */
    function hasPortraitAndWords(item: Element, name: string): boolean {
      return kit.visibleText(item).length >= name.length + 20 && kit.inside(item, "img").some(isPortraitLike);
    }

    /** Is the picture small and nearly square? */
    function isPortraitLike(picture: Element): boolean {
      const box = picture.getBoundingClientRect();
      return picture.localName === "img" && Math.max(box.width, box.height) <= 128 && Math.abs(box.width - box.height) <= 8;
    }

    /** Words after the picture, or else before it, in the closest box with any. */
    function lineBeside(): string {
      let box = element.parentElement;
      while (box && kit.visibleText(box) === "") box = kit.parent(box);
      if (!box) return "";
      const isDrawn = ({ parentElement, textContent }: Node) => textContent?.trim() && parentElement && kit.isVisible(parentElement);
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT, (node) => (isDrawn(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP));
      texts.currentNode = element;
      return (texts.nextNode() ?? texts.previousNode())?.textContent?.trim() ?? "";
    }

    /** Does the picture cover the window, behind or beside the content? */
    function isBackdrop(): boolean {
      if (width * height <= innerWidth * innerHeight * 0.8) return false;
      for (let box: Element | null = element; box; box = kit.parent(box)) {
        if (/^(absolute|fixed)$/.test(kit.style(box).position)) return true;
      }
      return false;
    }
  },
};
