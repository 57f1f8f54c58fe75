import { useTranslation } from "react-i18next";
import type { PlaceView } from "~/findings/check-view";
import { EnlargeablePicture } from "~/ui/enlargeable-picture";
import { PlaceInWords } from "./place-in-words";

interface PlacesProps {
  /** Title of the problem. */
  title: string;
  places: PlaceView[];
  /** Number of places of the rule, also of those that are not listed. */
  total: number;
}

/** First elements of a problem, in the words of the page, with pictures if available. */
export function Places({ title, places, total }: PlacesProps) {
  const { t } = useTranslation("check");
  const more = total - places.length;
  return (
    <>
      <ol className="places">
        {places.map((place, index) => (
          <li key={index}>
            {place.picture && <EnlargeablePicture className="place-picture" src={place.picture} alt={t("place.picture", { rule: title, position: index + 1 })} />}
            <p>
              <PlaceInWords {...place} />
            </p>
          </li>
        ))}
      </ol>
      {more > 0 && <p className="hint">{t("place.more", { count: more })}</p>}
    </>
  );
}
