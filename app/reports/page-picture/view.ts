import type { LocalText } from "~/findings/check-view";
import type { Box } from "~/scan/types";
import type { ElementLocationView } from "~/reports/report-view";

/** Picture of a page with marked violations. */
export interface PagePictureView {
  pageId: number;
  /** Address of the picture. */
  src: string;
  /** Host of the page, for display. */
  host: string;
  /** Size in CSS pixels of the page. */
  width: number;
  height: number;
  /** Marks in the order of their numbers, from 1. */
  marks: MarkView[];
  /** Number of elements with violations on this page without a mark. */
  unmarked: number;
}

interface MarkView {
  box: Box;
  title: LocalText;
  /** Number of the element within its rule on the page, from 1. */
  number: number;
  /** Path of the element in the report. */
  to: string;
  place: Pick<ElementLocationView, "context" | "isWholePage" | "lang">;
}
