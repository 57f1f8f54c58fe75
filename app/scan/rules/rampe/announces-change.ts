/** Methods of the kit used here. */
interface WordsKit {
  name(element: Element): string;
  text(element: Element): string;
  visibleText(element: Element): string;
  attribute(element: Element, name: string): string | null;
  referenced(element: Element, attribute: string): Element[];
  around(element: Element, selector: string): Element | null;
  inside(element: Element, selector: string): Element[];
}

/** See `Kit.announcesChange`. Runs inside a page; sent as source text. */
export function announcesChange(kit: WordsKit, field: Element): boolean {
  const longestText = 300;
  const announces =
    /(?<![\p{L}\p{N}])(automati(c|cally|sch\p{L}*)|sofort|immediately|at once|opens|öffnet|führt|leads|loads|lädt|reloads?|(neu )?geladen|submits|submitted|abgesendet|abgeschickt|wechselt|go to|gehe? zu|jumps|spring\p{L}*|takes you)(?![\p{L}\p{N}])/iu;
  const described = kit.referenced(field, "aria-describedby").map((each) => kit.text(each));
  const around = ["p, li, div", "fieldset, form"].map((selector) => kit.around(field, selector)).filter((each) => each !== null);
  const beside = around.map(textWithoutButtons).filter((text) => text.length <= longestText);
  return announces.test([kit.name(field), kit.attribute(field, "title") ?? "", ...described, ...beside].join(" "));

  /** Text of a part without its buttons, which do not describe the field. */
  function textWithoutButtons(part: Element): string {
    const buttons = kit.inside(part, "button, [role=button]").map((button) => kit.visibleText(button));
    return buttons.reduce((text, button) => (button === "" ? text : text.replace(button, " ")), kit.visibleText(part));
  }
}
