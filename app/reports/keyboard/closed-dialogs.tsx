import { Fragment } from "react";
import { useTranslation } from "react-i18next";

/** Sentence about the dialogs that were closed before the walk. @param names "" for one without a name @param lang language of the page, "" if unknown */
export function ClosedDialogs({ names, lang }: { names: string[]; lang: string }) {
  const { t } = useTranslation("report");
  if (names.length === 0) return null;
  return (
    <p className="prose-line">
      {t("keyboard.closed", { count: names.length })}{" "}
      {names.map((name, index) => (
        <Fragment key={index}>
          {index > 0 && ", "}
          {name ? <bdi lang={lang || undefined}>{name}</bdi> : <em>{t("keyboard.noName")}</em>}
        </Fragment>
      ))}
      . {t("keyboard.closedHint", { count: names.length })}
    </p>
  );
}
