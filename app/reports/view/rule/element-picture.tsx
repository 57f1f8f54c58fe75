import { useTranslation } from "react-i18next";
import type { ElementLocationView } from "~/reports/report-view";
import type { Category } from "~/scan/types";

interface ElementPictureProps {
  /** Of the report. */
  base: string;
  category: Category;
  ruleId: string;
  location: Pick<ElementLocationView, "pageId" | "position">;
}

/** Picture of an outlined element, as the check saw it. */
export function ElementPicture({ base, category, ruleId, location }: ElementPictureProps) {
  const { t } = useTranslation("report");
  const { pageId, position } = location;
  return (
    <img
      className="element-picture"
      src={`${base}/picture/${pageId}/${category}/${encodeURIComponent(ruleId)}/${position}`}
      alt={t("element.pictureOf")}
      loading="lazy"
    />
  );
}
