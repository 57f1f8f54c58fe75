/*
 * This function runs inside a page, in a world of our own (see `world.ts`). It is sent as source text: it may use nothing
 * outside itself but types.
 */

/** What a document shows of a sign-in. */
export interface SignInForm {
  /** There is a password field, shown or not. */
  hasPassword: boolean;
  /** One is shown in the content of the page; those in headers and the like stand on every page of many sites. */
  hasPasswordInContent: boolean;
  /** It asks for a password that exists already: registrations ask for a new one, most of them twice. */
  asksForKnownPassword: boolean;
}

export function describeSignInForm(): SignInForm {
  const fields = passwordFields(document);
  const inContent = fields.filter((field) => isShown(field) && !isBesideContent(field));
  return {
    hasPassword: fields.length > 0,
    hasPasswordInContent: inContent.length > 0,
    asksForKnownPassword: inContent.length === 1 && inContent[0]?.getAttribute("autocomplete") !== "new-password",
  };

  function passwordFields(root: Document | ShadowRoot): Element[] {
    return [...root.querySelectorAll("*")].flatMap((element) => [
      ...(Element.prototype.matches.call(element, "input[type=password i]") ? [element] : []),
      ...(element.shadowRoot instanceof ShadowRoot ? passwordFields(element.shadowRoot) : []),
    ]);
  }

  function isShown(field: Element): boolean {
    return Element.prototype.checkVisibility.call(field, { visibilityProperty: true });
  }

  function isBesideContent(field: Element): boolean {
    const beside = "nav, aside, footer, header, [role=banner], [role=navigation], [role=complementary], [role=contentinfo]";
    return Element.prototype.closest.call(field, beside) !== null;
  }
}
