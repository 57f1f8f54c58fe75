import type { PageRule } from "~/scan/rules/rampe/page-rule";

/**
 * WCAG failure F103 for messages without a user action, such as a lost connection: the text of an element for messages changes by itself,
 * outside of live regions. `changing-text` judges texts that change all the time.
 */
export const statusByItself: PageRule = {
  id: "rampe-status-by-itself",
  since: "1.17.0",
  criteria: ["4.1.3"],
  level: "wcag21aa",
  category: "name-role-value",
  impact: "moderate",
  selector: "body *",
  isAdvanced: true,
  isWatched: true,
  judge(element, kit) {
    // Frames are not watched.
    if (self !== top) return undefined;
    const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log], [role=alertdialog], [role=timer], [role=marquee], [role=progressbar], output";
    const message = kit.once("messages by themselves", findMessages).get(element);
    if (message === undefined) return undefined;
    if (isTold()) return "passes";
    // Usually one answer applies to all messages of a page.
    const asked = kit.once("asked messages", () => new Set<Element>());
    asked.add(element);
    return asked.size === 1 ? { asks: "untold", data: { text: message } } : undefined;

    /** Is it in a live region, or does a hidden live region say the same? */
    function isTold(): boolean {
      const isSaid = [...kit.textChanges()].some(([other, changes]) => isLive(other) && changes.some(({ text }) => text.includes(message ?? "")));
      return isLive(element) || isSaid || kit.all(live).some((region) => kit.text(region).replace(/\s+/g, " ").includes(message ?? ""));
    }

    function isLive(changed: Element): boolean {
      return kit.matches(changed, live) || kit.around(changed, live) !== null;
    }

    function findMessages(): Map<Element, string> {
      const limits = { loadedMs: 3_000, changes: 3, characters: 150 };
      const found = new Map<Element, string>();
      for (const [changed, changes] of kit.textChanges()) {
        const last = changes.at(-1);
        // While a page loads, much of it changes.
        if (!last || last.at < limits.loadedMs || changes.length > limits.changes || last.text.length > limits.characters) continue;
        if (!isMessage(last.text) || !isPlaceForMessages(changed) || !kit.isVisible(changed) || kit.visibleText(changed) === "") continue;
        found.set(changed, last.text);
      }
      return new Map([...found].filter(([changed]) => ![...found.keys()].some((other) => other !== changed && kit.contains(changed, other))));
    }

    function isMessage(text: string): boolean {
      const words =
        /\b(new|unread) (message|notification|comment|mail|e mail|order|repl)|\b(saved|offline|disconnected|reconnect\w*|connection|expire[sd]?|signed out|logged out|failed|error|completed?|finished|uploaded|received|sold out|updated)\b|\b(neue|ungelesene) (nachricht|mitteilung|benachrichtigung|kommentar|mail|e mail|bestellung|antwort)|\b(gespeichert|getrennt|verbindung|abgelaufen|läuft ab|abgemeldet|fehlgeschlagen|fehler|abgeschlossen|fertig|hochgeladen|empfangen|ausverkauft|aktualisiert)\b/;
      return words.test(kit.plain(text));
    }

    /** Is the element for messages, by its names or those of the element around it? */
    function isPlaceForMessages(changed: Element): boolean {
      const names = /(^|[\s_-])(status|alert|toast|snackbar|notif\w*|messages?|msg|feedback|warning|error|success|connection|infobar|meldung(en)?|hinweis|nachricht(en)?)([\s_-]|$)/i;
      return [changed, kit.parent(changed)].some((each) => each && each !== document.body && names.test(`${kit.attribute(each, "class") ?? ""} ${kit.attribute(each, "id") ?? ""}`));
    }
  },
};
