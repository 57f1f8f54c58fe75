import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** A field without a name and without content near it. Words or pictures near a field may be its label, so the rule does not apply then. */
export const visibleLabel: PageRule = {
  id: "rampe-visible-label",
  since: "1.12.0",
  criteria: ["3.3.2"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "input:not([type=hidden], [type=submit], [type=button], [type=image], [type=reset], [type=checkbox], [type=radio], [type=range], [type=color]), textarea, select:not([multiple])",
  judge(element, kit) {
    const field = element as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
    const [mostFields, mostNeighbors, nearPx, asidePx] = [20, 5_000, 60, 400];
    const isFramed = (globalThis as { parent?: unknown }).parent !== globalThis;
    const box = field.getBoundingClientRect();
    if (isFramed || field.getRootNode() !== document || !kit.isVisible(field) || field.matches(":disabled") || field.tabIndex < 0) return undefined;
    const labels = [...(field.labels ?? []), ...kit.referenced(field, "aria-labelledby")];
    if (labels.some((label) => kit.isVisible(label) && kit.visibleText(label) !== "")) return "passes";
    if (labels.length > 0 || ["aria-label", "title", "placeholder", "alt"].some((name) => field.getAttribute(name)?.trim())) return undefined;
    if (showsWords() || isOutOfSight() || kit.around(field, "table, [role=table], [role=grid], [contenteditable]")) return undefined;
    const looked = kit.once("fields looked around", () => ({ count: 0 }));
    looked.count += 1;
    const { texts, elements } = kit.once("what may label a field", neighbors);
    if (looked.count > mostFields || texts.length + elements.length > mostNeighbors) return undefined;
    const hasText = texts.some(({ holder, rect }) => isNear(rect) && !isOfOther(holder));
    return hasText || elements.some(({ holder, rect }) => isNear(rect) && speaks(holder)) ? undefined : { fails: "alone" };

    function showsWords(): boolean {
      if (field instanceof HTMLSelectElement) return [...field.selectedOptions].some((option) => option.text.trim() !== "");
      return field.type !== "file" && field.value.trim() !== "";
    }

    /** Transparent, tiny, outside of the page, or covered: such fields are honeypots. */
    function isOutOfSight(): boolean {
      if (!field.checkVisibility({ opacityProperty: true }) || box.width < 8 || box.height < 8) return true;
      if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || box.left >= innerWidth) return true;
      const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      return top !== null && top !== field && !kit.contains(top, field);
    }

    function neighbors() {
      const shown: { holder: Element; rect: DOMRect }[] = [];
      const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node = walker.nextNode(); node && shown.length <= mostNeighbors; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (!holder || kit.matches(holder, "script, style, noscript, template, option, title") || !/\S/.test((node as Text).data)) continue;
        range.selectNodeContents(node);
        shown.push({ holder, rect: range.getBoundingClientRect() });
      }
      const all = [...document.querySelectorAll("body *")].slice(0, mostNeighbors + 1);
      return { texts: shown, elements: all.map((holder) => ({ holder, rect: kit.box(holder) })) };
    }

    /** Is it on the field's line, or just above or below it? */
    function isNear({ top, right, bottom, left, width, height }: DOMRect): boolean {
      if (width === 0 || height === 0) return false;
      const isOnLine = bottom > box.top && top < box.bottom;
      const isBeside = box.left - right < asidePx && left - box.right < asidePx;
      return isOnLine || (box.top - bottom < nearPx && top - box.bottom < nearPx && isBeside);
    }

    /** Can it be a label: a picture, a button, or an element with words or pictures of a style sheet or a shadow tree? */
    function speaks(other: Element): boolean {
      if (kit.matches(other, "img, svg, canvas, object, embed, iframe, video, button, [role=button], [role=img], input[type=submit], input[type=image], input[type=button], input[type=reset]")) return true;
      if (kit.localName(other).includes("-") && other !== field) return true;
      // The background of a large box belongs to a whole part of the page.
      const mostAround = 200;
      if (kit.contains(other, field) && kit.box(other).height > box.height + mostAround) return false;
      const { backgroundImage, maskImage } = kit.style(other);
      const isWritten = ["::before", "::after"].some((part) => !/^(none|normal|["\s]*)$/.test(getComputedStyle(other, part).content));
      return isWritten || backgroundImage !== "none" || maskImage !== "none";
    }

    /**
     * Does the text belong to something else? It may be the main heading of a page with several fields; for a file field, also the label
     * around another field. Two text fields can share a label, like parts of a phone number.
     */
    function isOfOther(holder: Element): boolean {
      const fields = "input:not([type=hidden], [type=submit], [type=button]), select, textarea";
      if (kit.closest(holder, "h1")) return kit.all(fields).filter((each) => kit.isVisible(each)).length > 1;
      const label = kit.closest(holder, "label") as HTMLLabelElement | null;
      const isChoice = label?.control?.matches("[type=checkbox], [type=radio]") ?? true;
      return field.type === "file" && label !== null && !isChoice && label.contains(label.control) && !label.contains(field);
    }
  },
};
