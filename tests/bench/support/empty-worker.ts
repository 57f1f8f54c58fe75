import { openPostgres } from "db/postgres.server";
import { joinInstallation } from "~/platform/installation/postgres-installation.server";
import { createDatabaseQueue } from "~/platform/jobs/database-queue.server";

/* Process that takes jobs without doing anything; its only argument is the address of the database. */

const url = process.argv[2] ?? "";
const installation = await joinInstallation({ url, mayLead: false });
const queue = createDatabaseQueue({ db: await openPostgres(url), installation, log: (event, fields) => console.error(event, fields) });
await queue.work({ work: () => Promise.resolve(() => Promise.resolve()), putBack: () => Promise.resolve(), giveUp: () => Promise.resolve() }, { concurrency: 8 });
process.send?.("ready");
