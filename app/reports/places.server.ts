import type { Place, PlaceGroup } from "./report.server";
import type { Category } from "~/scan/types";
import { elementView } from "~/findings/finding-views.server";
import type { Locale } from "~/platform/i18n/i18n";
import { reachedBy } from "~/findings/page-address";
import type { GroupView, PlaceView } from "./report-view";

/** View of a group of elements that look the same. */
export function groupView({ elements, pages, places }: PlaceGroup, locale: Locale, category: Category): GroupView {
  const views = places.map((place) => placeView(place, locale, category));
  const [sample] = views;
  if (!sample) throw new Error("A group has an element at least.");
  return { sample, elements, pages, places: views };
}

export function placeView(place: Place, locale: Locale, category: Category): PlaceView {
  return {
    ...elementView(place, locale, category === "incomplete" ? "incomplete" : "violations"),
    pageId: place.pageId,
    pageUrl: place.pageUrl,
    pageReached: reachedBy({ url: place.pageUrl, finalUrl: place.pageFinalUrl }),
    position: place.position,
    place: place.place ?? null,
    hasPicture: place.hasPicture ?? false,
  };
}
