import { useTranslation } from "react-i18next";
import type { ElementContext } from "~/scan/types";

const LANDMARKS = ["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"] as const;

/** Position of an element in words, as list items. Texts of the page may be in any language and direction. */
export function ElementContextRows({ landmark, heading, name, role }: ElementContext) {
  const { t } = useTranslation("report");
  const known = LANDMARKS.find((each) => each === landmark?.role);
  return (
    <>
      {landmark && (
        <div>
          <dt>{t("element.landmark")}</dt>
          <dd>
            {known ? t(`element.landmarks.${known}`) : <code translate="no">{landmark.role}</code>}
            {landmark.name && (
              <>
                {" "}
                (<bdi>{landmark.name}</bdi>)
              </>
            )}
          </dd>
        </div>
      )}
      {heading && (
        <div>
          <dt>{t("element.above")}</dt>
          <dd>
            <bdi>{heading}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("element.name")}</dt>
        <dd>{name ? <bdi>{name}</bdi> : t("element.noName")}</dd>
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
