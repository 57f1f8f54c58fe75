import type { Migration } from "kysely";
import * as runs from "./0001-runs";
import * as crawl from "./0002-crawl";
import * as accounts from "./0003-accounts";
import * as billing from "./0004-billing";

// Listed, not read from the folder: the server is one bundle. They run in the order of their names.
export const migrations: Record<string, Migration> = {
  "0001-runs": runs,
  "0002-crawl": crawl,
  "0003-accounts": accounts,
  "0004-billing": billing,
};
