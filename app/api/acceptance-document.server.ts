import type { Acceptance } from "~/findings/acceptance/acceptance";

interface Extent {
  elements: number;
  pages: number;
}

/** Acceptance in the API: `Acceptance` in `public/openapi.json`. Times as ISO 8601. @param extent counts in the requested run */
export function acceptanceDocument({ id, scope, rule, ruleId, pageUrl, html, kind, lastDay, reason, by, at, ended, isOver }: Acceptance, extent: Extent = { elements: 0, pages: 0 }) {
  return {
    id,
    scope,
    source: rule.slice(0, rule.indexOf("/")),
    ...{ ruleId, pageUrl, html, kind, lastDay, reason, by },
    at: new Date(at).toISOString(),
    ended: ended && { by: ended.by, at: new Date(ended.at).toISOString() },
    holds: ended === null && !isOver,
    elements: extent.elements,
    pages: extent.pages,
  };
}
