import type { Logger } from "pino";
import type { EventLog } from "~/platform/event-log";

/** Events that are errors although they have no exception. */
const ERRORS = ["mail given up"];
/** Prefixes of events about one page or connection, whose fields contain addresses. */
const OF_PAGES = /^(egress|page)\./;
/** Length of a run's id in the log, the same as in lists. */
const RUN_CHARACTERS = 8;

/**
 * Privacy: only a debugging log contains addresses that visitors check, and addresses that these load. Ids of runs are shortened:
 * a whole id would open a free check.
 */
export function eventLog(log: Logger): EventLog {
  return (event, given = {}) => {
    const fields = typeof given.run === "string" ? { ...given, run: given.run.slice(0, RUN_CHARACTERS) } : given;
    // The error of a visit is ours: it needs no address.
    if (fields.err && OF_PAGES.test(event)) log.error({ err: fields.err }, event);
    else if (fields.err || ERRORS.includes(event)) log.error(fields, event);
    else if (OF_PAGES.test(event)) log.debug(fields, event);
    else log.info(fields, event);
  };
}
