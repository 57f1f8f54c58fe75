/*
 * This function runs inside a page, in an isolated world (see `isolated-world.ts`). It is sent as source text: it may use
 * nothing outside itself except types.
 */

/** Signs of a sign-in in a document. */
export interface SignInForm {
  /** The document has a password field, visible or not. */
  hasPassword: boolean;
  /** A password field is visible in the page's content; many sites have one in headers and the like on every page. */
  hasPasswordInContent: boolean;
  /** The form asks for an existing password: registrations ask for a new one, usually twice. */
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
