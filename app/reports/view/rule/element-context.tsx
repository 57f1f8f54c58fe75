import { useTranslation } from "react-i18next";
import type { ElementContext, ShownIn } from "~/scan/types";

const LANDMARKS = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"] as const;

/** Position of an element in words, as list items. Texts of the page may be in any language and direction. */
export function ElementContextRows({ landmark, heading, name, role, opened, closed, lang }: ElementContext & { /** Language of the page; "" if it names none. */ lang: string }) {
  const { t } = useTranslation("report");
  const known = LANDMARKS.find((each) => each === landmark?.role);
  return (
    <>
      {opened && (
        <div>
          <dt>{t("element.opened")}</dt>
          <dd>
            <bdi lang={lang || undefined}>{opened}</bdi>
          </dd>
        </div>
      )}
      {closed !== undefined && (
        <div>
          <dt>{t("element.closed")}</dt>
          <dd>{closed ? <bdi lang={lang || undefined}>{closed}</bdi> : t("element.dialog")}</dd>
        </div>
      )}
      {landmark && (
        <div>
          <dt>{t("element.landmark")}</dt>
          <dd>
            {known ? t(`element.landmarks.${known}`) : <code translate="no">{landmark.role}</code>}
            {landmark.name && (
              <>
                {" "}
                (<bdi lang={lang || undefined}>{landmark.name}</bdi>)
              </>
            )}
          </dd>
        </div>
      )}
      {heading && (
        <div>
          <dt>{t("element.above")}</dt>
          <dd>
            <bdi lang={lang || undefined}>{heading}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("element.name")}</dt>
        <dd>{name ? <bdi lang={lang || undefined}>{name}</bdi> : t("element.noName")}</dd>
      </div>
      {role && (
        <div>
          <dt>{t("element.role")}</dt>
          <dd>
            <code translate="no">{role}</code>
          </dd>
        </div>
      )}
    </>
  );
}

/** Conditions of the page in which the finding occurs. */
export function ConditionsRow({ conditions }: { conditions: ShownIn[] }) {
  const { t } = useTranslation("report");
  if (conditions.length === 0) return null;
  return (
    <div>
      <dt>{t("element.conditions")}</dt>
      <dd>{conditions.map((condition) => t(`criteria.conditions.${condition}`)).join(", ")}</dd>
    </div>
  );
}
