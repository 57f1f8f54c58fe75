import type { ElementLocation, LocationGroup } from "./report.server";
import type { Category } from "~/scan/types";
import { elementView } from "~/findings/finding-views.server";
import type { Locale } from "~/platform/i18n/i18n";
import { reachedBy } from "~/findings/page-address";
import type { GroupView, ElementLocationView } from "./report-view";

/** View of a group of elements that look the same. */
export function groupView({ elements, pages, locations }: LocationGroup, locale: Locale, category: Category): GroupView {
  const views = locations.map((location) => locationView(location, locale, category));
  const [sample] = views;
  if (!sample) throw new Error("A group has an element at least.");
  return { sample, elements, pages, locations: views };
}

export function locationView(location: ElementLocation, locale: Locale, category: Category): ElementLocationView {
  return {
    ...elementView(location, locale, category === "incomplete" ? "incomplete" : "violations"),
    pageId: location.pageId,
    pageUrl: location.pageUrl,
    pageReached: reachedBy({ url: location.pageUrl, finalUrl: location.pageFinalUrl }),
    position: location.position,
    context: location.context ?? null,
    conditions: location.conditions ?? [],
    hasPicture: location.hasPicture ?? false,
  };
}
