import { isPlanPause, type PlanPause } from "~/monitoring/plan-pause";
import { EndSchedule } from "./end-schedule";
import { ForgetAccess } from "./forget-access";
import { PlanStep } from "./plan-step";
import { ScheduleForm, type ScheduleFormProps } from "./schedule-form";
import { ScheduleState } from "./schedule-state";
import type { ShownRun } from "./shown-run";

interface RepeatedScanProps extends Omit<ScheduleFormProps, "shown"> {
  /** URL of the scan whose settings the form uses. */
  url: string;
  scope: ShownRun["scope"];
  /** Reason why no plan includes repeating that scan; null if one does. */
  excluded: PlanPause | null;
}

/** State of a schedule, and its actions: set or change it, delete its stored credentials, end it. */
export function RepeatedScan({ url, scope, excluded, ...form }: RepeatedScanProps) {
  const { path, schedule, level = 2 } = form;
  const shown = { url, scope };
  const isOnlyDeletable = excluded !== null || isPlanPause(schedule?.paused ?? null);
  return (
    <>
      <ScheduleState schedule={schedule} />
      {excluded === null ? <ScheduleForm {...form} shown={shown} /> : <PlanStep excluded={excluded} url={url} level={level} />}
      {schedule?.hasAccess && isOnlyDeletable && <ForgetAccess path={path} shown={shown} />}
      {schedule && <EndSchedule path={path} shown={shown} level={level} />}
    </>
  );
}
