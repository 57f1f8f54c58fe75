import type { Generated } from "kysely";
import type { Level } from "~/scan/types";
import type { JsonText } from "./json-text";

export interface MonitoringTables {
  schedule: ScheduleTable;
}

/** A scheduled, repeated run. */
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
  /** Of the day, in the time zone of this installation; null: at the time of day of `anchor_at`. */
  hour: number | null;
  /** Repetitions are whole days, weeks or months after this time. */
  anchor_at: number;
  next_run_at: number;
  /** When a run was last claimed; null once its result was compared with the one before. */
  awaiting_since: number | null;
  /** Whether its owner wants mails about results. */
  mails: Generated<0 | 1>;
  /** Why no more runs are started. */
  paused: "not_covered" | "level" | "access" | null;
  created_at: number;
  /** Access data of a site that is not public, encrypted. */
  access: string | null;
}
