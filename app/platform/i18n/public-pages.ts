/** Pages that are equal for all visitors and useful in search engines, each by one of its paths. */
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
