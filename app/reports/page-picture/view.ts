import type { LocalText } from "~/findings/check-view";
import type { Box } from "~/scan/types";
import type { ElementLocationView } from "~/reports/report-view";

/** A picture of a page on which places of violations are marked. */
export interface PagePictureView {
  pageId: number;
  /** Address of the picture. */
  src: string;
  /** Host of the page, for display. */
  host: string;
  /** In CSS pixels of the page. */
  width: number;
  height: number;
  /** Numbered from 1, in this order. */
  marks: MarkView[];
  /** Elements of violations on this page that have no mark. */
  unmarked: number;
}

interface MarkView {
  box: Box;
  title: LocalText;
  /** Number of the element among those of its rule on the page, from 1. */
  number: number;
  /** Page of the place in the report. */
  to: string;
  place: Pick<ElementLocationView, "context" | "isWholePage" | "lang">;
}
