import type { Logger } from "pino";

/** Log function for parts of the application. */
export type EventLog = (event: string, fields?: Record<string, unknown>) => void;

/** Privacy: addresses that visitors check, and addresses that these load, appear in a debugging log only. */
export function eventLog(log: Logger): EventLog {
  return (event, fields = {}) => {
    if (fields.err) log.error(fields, event);
    else if (/^(egress|page)\./.test(event)) log.debug(fields, event);
    else log.info(fields, event);
  };
}
