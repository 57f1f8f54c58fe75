import type { ReportView } from "./report-view";
import type { Words } from "./words.server";

/** Props of each part of a report. */
export interface SectionProps {
  view: ReportView;
  words: Words;
}
