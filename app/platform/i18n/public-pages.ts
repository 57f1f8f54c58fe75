/** Our pages that are the same for everybody and worth finding, each by one of its paths. */
export const PUBLIC_PAGES = [
  "/",
  "/bfsg",
  "/bfsg/check",
  "/eaa",
  "/wcag",
  "/sample",
  "/api",
  "/contact",
  "/imprint",
  "/privacy",
  "/accessibility",
  "/login",
  "/register",
] as const;
