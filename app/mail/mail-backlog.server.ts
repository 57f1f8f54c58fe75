import type { Db } from "db/schema";

/** Mails in the outbox. */
export interface MailBacklog {
  waiting: number;
  givenUp: number;
}

export async function readMailBacklog(db: Db): Promise<MailBacklog> {
  const [waiting, givenUp] = await Promise.all([
    mails().where("given_up_at", "is", null).executeTakeFirstOrThrow(),
    mails().where("given_up_at", "is not", null).executeTakeFirstOrThrow(),
  ]);
  return { waiting: waiting.count, givenUp: givenUp.count };

  function mails() {
    return db.selectFrom("mail").select((eb) => eb.fn.countAll<number>().as("count"));
  }
}
