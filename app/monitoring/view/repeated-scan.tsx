import { isPlanPause, type PlanPause } from "~/monitoring/plan-pause";
import { EndSchedule } from "./end-schedule";
import { ForgetAccess } from "./forget-access";
import { PlanStep } from "./plan-step";
import { ScheduleForm, type ScheduleFormProps } from "./schedule-form";
import { ScheduleState } from "./schedule-state";

interface RepeatedScanProps extends ScheduleFormProps {
  /** Of the scan whose settings the form takes. */
  url: string;
  /** Why no plan includes repeating that scan; null if one does. */
  excluded: PlanPause | null;
}

/** State of a schedule, and what can be done with it: set or change it, delete its stored access, end it. */
export function RepeatedScan({ url, excluded, ...form }: RepeatedScanProps) {
  const { path, schedule, level = 2 } = form;
  const isOnlyDeletable = excluded !== null || isPlanPause(schedule?.paused ?? null);
  return (
    <>
      <ScheduleState schedule={schedule} />
      {excluded === null ? <ScheduleForm {...form} /> : <PlanStep excluded={excluded} url={url} level={level} />}
      {schedule?.hasAccess && isOnlyDeletable && <ForgetAccess path={path} />}
      {schedule && <EndSchedule path={path} level={level} />}
    </>
  );
}
