import type { Kysely, Transaction } from "kysely";
import type { AccountTables } from "./tables/accounts";
import type { AdministrationTables } from "./tables/administration";
import type { ApiTables } from "./tables/api";
import type { BillingTables } from "./tables/billing";
import type { FindingTables } from "./tables/findings";
import type { MailTables } from "./tables/mail";
import type { MonitoringTables } from "./tables/monitoring";
import type { ReportTables } from "./tables/reports";
import type { RunTables } from "./tables/runs";
import type { ServiceTables } from "./tables/service";

/** Columns named `…_at`, `…_until` and `run_at` hold Unix time in ms; `…_cut` is 0 or 1. */
export interface Database
  extends RunTables,
    FindingTables,
    ReportTables,
    AccountTables,
    MailTables,
    BillingTables,
    MonitoringTables,
    ApiTables,
    AdministrationTables,
    ServiceTables {}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
