import type { Db } from "db/schema";
import { readMailBacklog, type MailBacklog } from "~/mail/mail-backlog.server";
import { readJobBacklog, type JobBacklog } from "~/runs/job-backlog.server";

/** Waiting and running work, for monitoring by the operator. */
export interface Backlog {
  jobs: JobBacklog[];
  mails: MailBacklog;
}

export async function readBacklog(db: Db): Promise<Backlog> {
  const [jobs, mails] = await Promise.all([readJobBacklog(db), readMailBacklog(db)]);
  return { jobs, mails };
}
