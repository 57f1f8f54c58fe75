import { index, route, type RouteConfig } from "@remix-run/route-config";
import { QUIET_PAGES } from "./lib/quiet-pages";

export default [
  index("routes/home.tsx"),
  route("pricing", "routes/pricing.tsx"),
  route("check/:id", "routes/check.tsx"),
  route("check/:id/events", "routes/check-events.ts"),
  route("locale", "routes/locale.tsx"),
  route("color-scheme", "routes/color-scheme.tsx"),
  ...Object.keys(QUIET_PAGES).map((path) => route(path, "routes/quiet-page.tsx", { id: `quiet-${path}` })),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
