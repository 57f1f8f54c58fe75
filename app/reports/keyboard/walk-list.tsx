import { useTranslation } from "react-i18next";
import { namedRole } from "~/findings/named-role";
import { stopsInPicture, type Walk } from "./walk-view";

/** Stops of a walk in words. @param lang language of the page, "" if unknown */
export function WalkList({ walk, lang }: { walk: Walk; lang: string }) {
  const { t } = useTranslation("report");
  const shown = new Set(stopsInPicture(walk).map(({ number }) => number));
  return (
    <ol className="walk-list">
      {walk.stops.map(({ name, role, box }, index) => (
        <li key={index}>
          <Role role={role} /> {name ? <bdi lang={lang}>{name}</bdi> : <em>{t("keyboard.noName")}</em>}
          {!box && ` (${t("keyboard.notDrawn")})`}
          {box && walk.picture && !shown.has(index + 1) && ` (${t("keyboard.outside")})`}
        </li>
      ))}
    </ol>
  );
}

function Role({ role }: { role: string | null }) {
  const { t } = useTranslation(["report", "common"]);
  const named = namedRole(role);
  if (named) return <strong>{t(`common:role.${named}`)}</strong>;
  return role ? <code translate="no">{role}</code> : <strong>{t("keyboard.element")}</strong>;
}
