import type { Logger } from "pino";

/** Where parts of the application report what happened to them. */
export type EventLog = (event: string, fields?: Record<string, unknown>) => void;

/** Addresses that visitors have checked, and what these load, are nobody's business: only a debugging log names them. */
export function eventLog(log: Logger): EventLog {
  return (event, fields = {}) => {
    if (fields.err) log.error(fields, event);
    else if (/^(egress|page)\./.test(event)) log.debug(fields, event);
    else log.info(fields, event);
  };
}
