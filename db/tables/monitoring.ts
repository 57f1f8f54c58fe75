import type { Generated } from "kysely";
import type { Level } from "~/scan/types";
import type { JsonText } from "./json-text";

export interface MonitoringTables {
  schedule: ScheduleTable;
}

/** Schedule of repeated runs. */
export interface ScheduleTable {
  id: string;
  owner: string;
  url: string;
  scope: "page" | "site";
  level: Level;
  max_pages: number | null;
  left_out: JsonText | null;
  wait_ms: number | null;
  wait_for: string | null;
  every: "day" | "week" | "month";
  /** Hour of the day, in the time zone of this installation; null for the time of day of `anchor_at`. */
  hour: number | null;
  /** Start of the schedule: repetitions are whole days, weeks or months later. */
  anchor_at: number;
  next_run_at: number;
  /** Time when a run was last claimed; null after its result was compared with the previous one. */
  awaiting_since: number | null;
  /** 1 if the owner wants mails about results. */
  mails: Generated<0 | 1>;
  /** Reason why no more runs are started. */
  paused: "not_covered" | "level" | "access" | null;
  created_at: number;
  /** Access data of a site that is not public, encrypted. */
  access: string | null;
}
