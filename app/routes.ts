import { index, route, type RouteConfig } from "@remix-run/route-config";

const QUIET_PAGES = [
  "bfsg",
  "eaa",
  "wcag",
  "contact",
  "kontakt",
  "imprint",
  "impressum",
  "privacy",
  "datenschutz",
  "accessibility",
  "barrierefreiheit",
  "login",
  "register",
  "setup",
];

export default [
  index("routes/home.tsx"),
  route("pricing", "routes/pricing.tsx"),
  route("check/:id", "routes/check.tsx"),
  route("check/:id/events", "routes/check-events.ts"),
  route("locale", "routes/locale.tsx"),
  route("color-scheme", "routes/color-scheme.tsx"),
  ...QUIET_PAGES.map((path) => route(path, "routes/quiet-page.tsx", { id: `quiet-${path}` })),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
