import type { PageRule } from "~/scan/rules/rampe/page-rule";

/** WCAG failures F36 and F37: a choice or typed text already sends the form, or leaves the page. */
export const changeOfContext: PageRule = {
  id: "rampe-change-of-context",
  since: "1.0.0",
  criteria: ["3.2.2"],
  level: "wcag2a",
  category: "forms",
  impact: "serious",
  selector: "input, select, textarea",
  judge(element, kit) {
    if (!kit.isFieldVisible(element as HTMLInputElement) || element.matches("[type=submit], [type=button], [type=reset], [type=image]")) return undefined;
    const isChoice = element.matches("[type=radio], [type=checkbox]");
    const events = ["onchange", "oninput", "onkeyup", "onblur", "onselect", ...(isChoice ? ["onclick"] : [])];
    // Dialogs and pickers within the page have a function with this name too.
    const opensWindow = /(?<![\w$.])open\s*\(|\b(window|self|top|parent|globalThis)\.open\s*\(/;
    // Variables and other objects have a property with this name too.
    const leaves =
      /\.submit\s*\(|requestSubmit\s*\(|(?<![\w$.])(?<!\b(?:const|let|var)\s+)(?:(?:window|document|self|top|parent|globalThis)\.)*location(?:(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\s*\()/;
    const isEnter = /["'`]Enter["'`]|\b(keyCode|which)\s*[!=]==?\s*13\b/;
    const handlers = events.flatMap((event) => (element.hasAttribute(event) ? [[event, element.getAttribute(event) ?? ""] as const] : []));
    const [event] = handlers.find(([event, code]) => changesContext(event, code + sourceOfCalled(code))) ?? [];
    if (event === undefined) return handlers.length > 0 ? "passes" : undefined;
    // Unlike submit(), it runs the form's listeners first: scripts often answer within the page.
    const mayStay = handlers.every(([type, code]) => !changesContext(type, (code + sourceOfCalled(code)).replace(/requestSubmit\s*\(/g, "")));
    return kit.announcesChange(element) || mayStay ? { asks: "leaves", data: { event } } : { fails: "leaves", data: { event } };

    /** Enter always sends a form: users know that. */
    function changesContext(event: string, code: string): boolean {
      return (leaves.test(code) || opensWindow.test(code)) && !(event === "onkeyup" && isEnter.test(code));
    }

    /** Source of the functions that a handler calls by name, in scripts of the document. */
    function sourceOfCalled(code: string): string {
      const scripts = kit.scripts();
      return kit
        .called(code)
        .map((name) => {
          const start = scripts.search(new RegExp(`function\\s+${name.replace(/\$/g, "\\$")}\\s*\\(`));
          return start < 0 ? "" : bodyFrom(scripts, start);
        })
        .join("\n");
    }

    function bodyFrom(source: string, start: number): string {
      let depth = 0;
      for (let at = source.indexOf("{", start); at >= 0 && at < source.length; at += 1) {
        if (source[at] === "{") depth += 1;
        if (source[at] === "}" && (depth -= 1) === 0) return source.slice(start, at);
      }
      return "";
    }
  },
};
