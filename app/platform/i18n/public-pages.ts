/** Public pages, the same for all visitors and useful in search engines; one path of each. */
export const PUBLIC_PAGES = [
  "/",
  "/bfsg",
  "/bfsg/check",
  "/eaa",
  "/wcag",
  "/rules",
  "/sample",
  "/api",
  "/contact",
  "/imprint",
  "/privacy",
  "/accessibility",
  "/login",
  "/register",
] as const;
