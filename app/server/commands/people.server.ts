import { COMMAND_LINE } from "~/administration/audit-log.server";
import { grantSchema, limitsSchema } from "~/administration/forms.server";
import type { PersonChange } from "~/administration/person-actions.server";
import type { User } from "~/accounts/user.server";
import { calendarDay } from "~/platform/i18n/calendar-date";
import { openAdministration } from "~/server/accounts/administration.server";
import { WrongUsage, type Command, type CommandContext } from "./command.server";
import { withPerson } from "./person.server";
import { textTable } from "./text-table";

const MOST_SHOWN = 100;
const ACTIONS = { confirm: "confirm", disable: "disable", enable: "enable", "sign-out": "signOut", delete: "remove", "end-administrator": "takeAdministrator", "take-plan-back": "takePlan" } as const;

export const REFUSALS: Record<Exclude<PersonChange, "done" | "unchanged">, string> = {
  self: "That is not possible.",
  last: "This is the only administrator: make another account one first.",
  hosted: "The sign-in service keeps this: change it there.",
  unconfirmed: "The address is not confirmed, so somebody else may have created the account. If you are sure, run `people confirm` with it first.",
  disabled: "The account is disabled: run `people enable` with it first.",
  unknown: "The account is gone.",
};

export const people: Command = {
  takes: [
    "find [TEXT]",
    "confirm|disable|enable|sign-out|delete EMAIL",
    "grant-plan EMAIL basic|pro|enterprise YYYY-MM-DD",
    "end-administrator EMAIL",
    "take-plan-back EMAIL",
    "limits EMAIL [waiting=NUMBER] [pages=NUMBER]",
    "limits EMAIL default",
  ],
  does: "finds, confirms, disables, enables, signs out, deletes accounts; ends the administration of one; grants a plan without payment; limits waiting scans and pages of a website",
  async run([subcommand = "", ...args], context) {
    if (subcommand === "find") return find(args.join(" "), context);
    if (subcommand === "grant-plan") return grant(args, context);
    if (subcommand === "limits") return setLimits(args, context);
    const [email, ...rest] = args;
    if (!Object.hasOwn(ACTIONS, subcommand) || !email || rest.length > 0) throw new WrongUsage();
    const action = ACTIONS[subcommand as keyof typeof ACTIONS];
    return withPerson(email, context, async (person, { personActions, people: all }) => {
      if (action === "remove" && (await all.find(person.id))?.isCustomer) {
        context.complain(`${email} has bought something: delete this account under /admin, which also asks the payment provider.\n`);
        return false;
      }
      return report(await personActions[action](COMMAND_LINE, person.id), email, context);
    });
  },
};

async function grant([email, ...terms]: string[], context: CommandContext): Promise<boolean> {
  const parsed = grantSchema(calendarDay(Date.now())).safeParse({ plan: terms[0], until: terms[1] });
  if (!email || !parsed.success || terms.length > 2) throw new WrongUsage();
  const { plan, until } = parsed.data;
  return withPerson(email, context, async ({ id }, { personActions }) => report(await personActions.grant(COMMAND_LINE, id, { plan, lastDay: until }), email, context));
}

async function setLimits([email, ...words]: string[], context: CommandContext): Promise<boolean> {
  const typed = limitsTyped(words);
  const parsed = limitsSchema.safeParse(typed);
  if (!email || !typed || !parsed.success) throw new WrongUsage();
  return withPerson(email, context, async ({ id }, { personActions, people: all }) => {
    const before = await all.find(id);
    // A limit without a new value stays unchanged.
    const waiting = typed.waiting === undefined ? (before?.mostWaiting ?? null) : parsed.data.waiting;
    const pages = typed.pages === undefined ? (before?.mostPages ?? null) : parsed.data.pages;
    return report(await personActions.setLimits(COMMAND_LINE, id, { waiting, pages }), email, context);
  });
}

/** Limits in the words of the command, as form values: `waiting=5 pages=100`, or `default` for those of the installation. Null for other words. */
function limitsTyped(words: string[]): { waiting?: string; pages?: string } | null {
  if (words.length === 1 && words[0] === "default") return { waiting: "", pages: "" };
  const typed: { waiting?: string; pages?: string } = {};
  for (const word of words) {
    const [, name, limit] = /^(waiting|pages)=(\d+)$/.exec(word) ?? [];
    if ((name !== "waiting" && name !== "pages") || typed[name] !== undefined) return null;
    typed[name] = limit;
  }
  return words.length > 0 ? typed : null;
}

async function find(text: string, { env, say }: CommandContext): Promise<boolean> {
  const opened = await openAdministration(env());
  try {
    const { people: found, total } = await opened.people.list({ text, offset: 0, limit: MOST_SHOWN });
    say(textTable(found.map((person) => [person.email, person.name, stateOf(person)])));
    say(total > found.length ? `The latest ${found.length} of ${total} accounts.\n` : `${total} ${total === 1 ? "account" : "accounts"}.\n`);
    return total > 0;
  } finally {
    await opened.close();
  }
}

function stateOf({ emailVerified, isAdministrator, isDisabled }: User): string {
  return [emailVerified ? "confirmed" : "unconfirmed", isAdministrator && "administrator", isDisabled && "disabled"].filter(Boolean).join(", ");
}

function report(change: PersonChange, email: string, { say, complain }: CommandContext): boolean {
  if (change === "done") say(`Done: ${email}.\n`);
  else if (change === "unchanged") say(`Nothing to do: ${email} is so already.\n`);
  else complain(`${REFUSALS[change]}\n`);
  return change === "done" || change === "unchanged";
}
