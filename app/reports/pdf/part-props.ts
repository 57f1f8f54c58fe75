import type { ReportView } from "./report-view";
import type { Words } from "./words.server";

/** What each part of a report is given. */
export interface PartProps {
  view: ReportView;
  words: Words;
}
