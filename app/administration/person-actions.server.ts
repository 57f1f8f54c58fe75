import type { Db, Trx } from "db/schema";
import { endAccess, endTokens } from "~/accounts/access-grants.server";
import type { Accounts } from "~/accounts/account.server";
import { toUser, type User } from "~/accounts/user.server";
import { grantPlan, takePlanBack } from "~/billing/granted-plan.server";
import type { PlanKey } from "~/billing/plans/plans";
import type { AccountLimits } from "~/runs/account-limits.server";
import type { Runs } from "~/runs/run.server";
import { endOfDay } from "~/platform/i18n/calendar-date";
import { haveAny, setRole, type SignInMode } from "./administrators.server";
import { noteAudit, type Actor, type AuditAction, type AuditDetails } from "./audit-log.server";

/**
 * `unchanged`: it was already so; `self`: not possible for one's own account; `last`: no administrator would be
 * left; `hosted`: the sign-in service is responsible; `unconfirmed`: the address may belong to somebody else.
 */
export type PersonChange = "done" | "unchanged" | "self" | "last" | "hosted" | "unconfirmed" | "disabled" | "unknown";

export interface PlanGrant {
  plan: PlanKey;
  /** Day such as `2027-01-31`. */
  lastDay: string;
}

export interface PersonActionsOptions extends SignInMode {
  db: Db;
  accounts: Pick<Accounts, "mailReset" | "removeByOperator">;
  runs: Pick<Runs, "cancelAllOf">;
  /** Called for each run that was canceled. */
  onRunChanged?: (runId: string) => void;
}

export type PersonActions = ReturnType<typeof createPersonActions>;

/** Actions of administrators on a person's account, all recorded in the audit log. */
export function createPersonActions({ db, hosted, accounts, runs, onRunChanged = () => {} }: PersonActionsOptions) {
  return { confirm, disable, enable, signOut, mailReset, barrierToRemove, remove, makeAdministrator, takeAdministrator, setLimits, grant, takePlan };

  /** Confirms the address on the administrator's responsibility. */
  function confirm(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "address_confirmed", async (trx, person) => {
      if (person.subject !== null) return "hosted";
      if (person.emailVerified) return "unchanged";
      await trx.updateTable("user").set({ email_verified: 1 }).where("id", "=", id).execute();
      return "done";
    });
  }

  /** Blocks sign-in and cancels the person's scans. Deletes only sessions, access tokens and mailed links. */
  async function disable(actor: Actor, id: string): Promise<PersonChange> {
    const details: AuditDetails = {};
    let canceled: string[] = [];
    const work = async (trx: Trx, person: User): Promise<PersonChange> => {
      if (isSelf(actor, id)) return "self";
      if (person.isDisabled) return "unchanged";
      if (person.isAdministrator && !(await haveAny(trx, { hosted, exceptId: id }))) return "last";
      await trx.updateTable("user").set({ disabled_at: Date.now() }).where("id", "=", id).execute();
      await endAccess(trx, id);
      await endTokens(trx, id);
      canceled = await runs.cancelAllOf(trx, id);
      details.canceled = canceled.length;
      return "done";
    };
    const outcome = await change(actor, id, "account_disabled", work, details);
    for (const run of canceled) onRunChanged(run);
    return outcome;
  }

  function enable(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "account_enabled", async (trx, person) => {
      if (!person.isDisabled) return "unchanged";
      await trx.updateTable("user").set({ disabled_at: null }).where("id", "=", id).execute();
      return "done";
    });
  }

  /** Ends the sessions on all devices; access tokens stay. */
  function signOut(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "signed_out", async (trx) => {
      await endAccess(trx, id);
      return "done";
    });
  }

  /** Mails a link to choose a new password. */
  function mailReset(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "password_link_sent", async (trx, person) => {
      if (person.subject !== null) return "hosted";
      await accounts.mailReset(trx, person);
      return "done";
    });
  }

  /** Reason why an account cannot be deleted, checked before its orders are canceled; null for none. */
  async function barrierToRemove(actor: Actor, { id, isAdministrator }: Pick<User, "id" | "isAdministrator">, executor: Db | Trx = db): Promise<"self" | "last" | null> {
    if (isSelf(actor, id)) return "self";
    return isAdministrator && !(await haveAny(executor, { hosted, exceptId: id })) ? "last" : null;
  }

  /** Deletes the account in the same way as its owner would. */
  function remove(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "account_deleted", async (trx, person) => {
      const barrier = await barrierToRemove(actor, person, trx);
      if (barrier) return barrier;
      await accounts.removeByOperator(trx, person);
      return "done";
    });
  }

  function makeAdministrator(actor: Actor, id: string): Promise<PersonChange> {
    return db.transaction().execute((trx) => setRole(trx, actor, id, true, { hosted }));
  }

  function takeAdministrator(actor: Actor, id: string): Promise<PersonChange> {
    return db.transaction().execute((trx) => setRole(trx, actor, id, false, { hosted }));
  }

  /** Null: the limit of the installation. */
  function setLimits(actor: Actor, id: string, { waiting, pages }: AccountLimits): Promise<PersonChange> {
    const set = async (trx: Trx) => {
      await trx.updateTable("user").set({ most_waiting: waiting, most_pages: pages }).where("id", "=", id).execute();
      return "done" as const;
    };
    return change(actor, id, "limits_set", set, { waiting, pages });
  }

  /** Grants a plan without payment. */
  function grant(actor: Actor, id: string, { plan, lastDay }: PlanGrant): Promise<PersonChange> {
    const give = async (trx: Trx) => {
      await grantPlan(trx, id, { plan, until: endOfDay(lastDay) });
      return "done" as const;
    };
    return change(actor, id, "plan_granted", give, { plan, lastDay });
  }

  function takePlan(actor: Actor, id: string): Promise<PersonChange> {
    return change(actor, id, "plan_taken_back", async (trx) => ((await takePlanBack(trx, id)) ? "done" : "unchanged"));
  }

  /** @param work a change, recorded if it returns `done` */
  function change(actor: Actor, id: string, action: AuditAction, work: (trx: Trx, person: User) => Promise<PersonChange>, details?: AuditDetails) {
    return db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
      if (!row) return "unknown";
      const outcome = await work(trx, toUser(row));
      if (outcome === "done") await noteAudit(trx, { actor, action, subject: row, details });
      return outcome;
    });
  }
}

const isSelf = (actor: Actor, id: string) => typeof actor !== "string" && actor.id === id;
