import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import type { PlaceView } from "~/findings/check-view";
import { contextParts } from "~/findings/element-context-words";

/** Location of an element in one line: its role and name, its region, its heading. */
export function PlaceInWords({ context, isWholePage, lang }: Pick<PlaceView, "context" | "isWholePage" | "lang">) {
  const { t } = useTranslation(["check", "common"]);
  if (isWholePage) return t("place.whole");
  const parts = context ? contextParts(context) : [];
  if (parts.length === 0) return t("place.unknown");
  return parts.map(({ words, name }, index) => (
    <Fragment key={index}>
      {index > 0 && ", "}
      {words && t(words)}
      {words && name && " "}
      {name && (
        <q>
          <bdi lang={lang || undefined}>{name}</bdi>
        </q>
      )}
    </Fragment>
  ));
}
