import type { ReportView } from "./report-view";
import type { Words } from "./words.server";

/** Props of each part of a report. */
export interface PartProps {
  view: ReportView;
  words: Words;
}
