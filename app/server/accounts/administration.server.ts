import type { Db } from "db/schema";
import { createAdministrators, type Administrators } from "~/administration/administrators.server";
import { createAuditLog, type AuditLog } from "~/administration/audit-log.server";
import { createFirstAdministrator, type FirstAdministrator } from "~/administration/first-administrator.server";
import { createInvitations, type Invitations } from "~/administration/invitations.server";
import { createPersonActions, type PersonActions, type PersonActionsOptions } from "~/administration/person-actions.server";
import { createPeople, type People } from "~/administration/people.server";
import { createRegistration, type Registration } from "~/accounts/registration.server";
import { writeLetter } from "~/mail/letters.server";
import { createMails, type Mails } from "~/mail/outbox.server";
import { createSecretBox } from "~/platform/crypto/secret-box.server";
import { isHosted, type Env } from "~/platform/env.server";
import { accountsOf } from "./accounts.server";
import { openExistingDatabase } from "~/server/storage/database.server";
import { commandRuns } from "~/server/scans/command-runs.server";
import { secretsOf } from "~/server/storage/secrets.server";

export interface AdministrationServices {
  people: People;
  administrators: Administrators;
  firstAdministrator: FirstAdministrator;
  invitations: Invitations;
  registration: Registration;
  personActions: PersonActions;
  auditLog: AuditLog;
}

interface Parts {
  db: Db;
  mails: Mails;
  accounts: PersonActionsOptions["accounts"];
  runs: PersonActionsOptions["runs"];
  onRunChanged?: PersonActionsOptions["onRunChanged"];
}

export function administrationOf(env: Env, { db, mails, accounts, runs, onRunChanged }: Parts): AdministrationServices {
  const { BASE_URL: baseUrl, REGISTRATION: mode } = env;
  const hosted = isHosted(env);
  const firstAdministrator = createFirstAdministrator({ db, hosted });
  const invitations = createInvitations({ db, hosted, mails, write: writeLetter, baseUrl });
  return {
    people: createPeople({ db, hosted }),
    administrators: createAdministrators({ db, hosted }),
    firstAdministrator,
    invitations,
    registration: createRegistration({ mode, links: [firstAdministrator.admissions, invitations.admissions] }),
    personActions: createPersonActions({ db, hosted, accounts, runs, onRunChanged }),
    auditLog: createAuditLog({ db }),
  };
}

/**
 * Opens the administration for a command beside the server; the server sends the mails.
 * @throws {InvalidSetting} if there is no database yet
 */
export async function openAdministration(env: Env): Promise<AdministrationServices & { close: () => Promise<void> }> {
  const db = await openExistingDatabase(env);
  const mails = createMails({ db, box: createSecretBox(secretsOf(env)) });
  const runs = commandRuns(env, db);
  return { ...administrationOf(env, { db, mails, accounts: accountsOf(env, { db, mails, runs }), runs }), close: () => db.destroy() };
}
