/** Roles with a commonly known word (`common:role.…`). */
const NAMED_ROLES = [
  ...(["button", "checkbox", "combobox", "dialog", "heading", "iframe", "img", "link", "list", "listbox", "menuitem"] as const),
  ...(["option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "table", "textbox", "treeitem"] as const),
] as const;

/** The role if it has such a word. */
export const namedRole = (role: string | null | undefined): (typeof NAMED_ROLES)[number] | undefined => NAMED_ROLES.find((each) => each === role);
