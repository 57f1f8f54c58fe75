import type { Logger } from "pino";
import type { EventLog } from "~/platform/event-log";

/** Events that are errors although they have no exception. */
const ERRORS = ["mail given up"];
/** Beginnings of events about one page or one connection, whose fields have addresses. */
const OF_PAGES = /^(egress|page)\./;
/** As the number of a run in lists. */
const RUN_CHARACTERS = 8;

/**
 * Privacy: addresses that visitors check, and addresses that these load, appear in a debugging log only. The whole id of a run
 * would open a free check.
 */
export function eventLog(log: Logger): EventLog {
  return (event, given = {}) => {
    const fields = typeof given.run === "string" ? { ...given, run: given.run.slice(0, RUN_CHARACTERS) } : given;
    if (fields.err || ERRORS.includes(event)) log.error(fields, event);
    else if (OF_PAGES.test(event)) log.debug(fields, event);
    else log.info(fields, event);
  };
}
