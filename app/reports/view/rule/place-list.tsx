import { Link } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AddressNotes } from "~/findings/view/page-address";
import { pathAndQuery } from "~/findings/page-address";
import { PlaceInWords } from "~/reports/check/problem/place-in-words";
import type { ElementLocationView } from "~/reports/report-view";

interface PlaceListProps {
  /** Path of the rule's page. */
  path: string;
  /** Query that limits the neighbours of an element to its page, or "". */
  search: string;
  places: ElementLocationView[];
}

/** Elements of a rule as links, each with its location in the words of its page. */
export function PlaceList({ path, search, places }: PlaceListProps) {
  const { t } = useTranslation("report");
  return (
    <ul className="plain-list">
      {places.map(({ pageId, position, pageUrl, pageReached, ...place }) => (
        <li key={`${pageId}-${position}`}>
          <Link to={`${path}/${pageId}/${position}${search}`}>
            {t("group.place", { number: position + 1 })} <span className="address">{pathAndQuery(pageUrl)}</span>
          </Link>{" "}
          {(place.context || place.isWholePage) && (
            <span className="hint">
              <PlaceInWords {...place} />
            </span>
          )}
          <AddressNotes reached={pageReached} />
        </li>
      ))}
    </ul>
  );
}
