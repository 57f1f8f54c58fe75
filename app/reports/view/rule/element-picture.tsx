import { useContext } from "react";
import { useTranslation } from "react-i18next";
import type { ElementLocationView } from "~/reports/report-view";
import { PicturesUnreachable } from "~/reports/view/pictures-unreachable";
import type { Category } from "~/scan/types";
import { EnlargeablePicture } from "~/ui/enlargeable-picture";

interface ElementPictureProps {
  /** Path of the report. */
  base: string;
  category: Category;
  ruleId: string;
  location: Pick<ElementLocationView, "pageId" | "position">;
  /** Text alternative that distinguishes several pictures on a page. */
  alt?: string;
}

/** Picture of an outlined element at the time of the check; nothing if pictures cannot be shown at the moment. */
export function ElementPicture({ base, category, ruleId, location, alt }: ElementPictureProps) {
  const { t } = useTranslation("report");
  const { pageId, position } = location;
  if (useContext(PicturesUnreachable)) return null;
  return (
    <EnlargeablePicture
      className="element-picture"
      src={`${base}/picture/${pageId}/${category}/${encodeURIComponent(ruleId)}/${position}`}
      alt={alt ?? t("element.pictureOf")}
      lazy
    />
  );
}
