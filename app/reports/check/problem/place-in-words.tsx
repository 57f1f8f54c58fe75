import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PlaceView } from "~/findings/check-view";
import { namedRole } from "~/findings/named-role";

const REGIONS = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"] as const;

/** Where an element is, in one line: what it is, in which region, under which heading. */
export function PlaceInWords({ context, isWholePage, lang }: Pick<PlaceView, "context" | "isWholePage" | "lang">) {
  const { t } = useTranslation(["check", "common"]);
  if (isWholePage) return t("place.whole");
  const parts = context ? partsOf(context) : [];
  if (parts.length === 0) return t("place.unknown");
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ", "}
      {part}
    </Fragment>
  ));

  function partsOf({ role, name, landmark, heading, opened }: NonNullable<PlaceView["context"]>): ReactNode[] {
    const kind = namedRole(role);
    const region = REGIONS.find((each) => each === landmark?.role);
    return [
      (kind || name) && <Named words={kind && t(`common:role.${kind}`)} name={name} lang={lang} />,
      region && <Named words={t(`place.in.${region}`)} name={landmark?.name} lang={lang} />,
      // A heading is not under itself.
      heading && heading !== name && <Named words={t("place.under")} name={heading} lang={lang} />,
      opened && <Named words={t("place.opened")} name={opened} lang={lang} />,
    ].filter(Boolean);
  }
}

/** @param name a text of the page, in any language and direction */
function Named({ words, name, lang }: { words?: string; name?: string; lang: string }) {
  return (
    <>
      {words}
      {words && name && " "}
      {name && (
        <q>
          <bdi lang={lang || undefined}>{name}</bdi>
        </q>
      )}
    </>
  );
}
