/** Actions on an account with one button; each has a text (`admin:person.action.…`). */
const PERSON_ACTIONS = ["confirm", "mailReset", "signOut", "disable", "enable", "makeAdministrator", "takeAdministrator"] as const;
export type PersonAction = (typeof PERSON_ACTIONS)[number];

export function isPersonAction(value: string): value is PersonAction {
  return (PERSON_ACTIONS as readonly string[]).includes(value);
}

interface Person {
  subject: string | null;
  emailVerified: boolean;
  isAdministrator: boolean;
  isDisabled: boolean;
}

/** Possible actions for an account. Administrators cannot disable their own. */
export function actionsFor({ subject, emailVerified, isAdministrator, isDisabled }: Person, isSelf: boolean): PersonAction[] {
  const isLocal = subject === null;
  const makesSense: Record<PersonAction, boolean> = {
    confirm: isLocal && !emailVerified,
    mailReset: isLocal && !isDisabled,
    signOut: !isSelf,
    disable: !isSelf && !isDisabled,
    enable: isDisabled,
    makeAdministrator: !isAdministrator && !isDisabled,
    takeAdministrator: isAdministrator,
  };
  return PERSON_ACTIONS.filter((action) => makesSense[action]);
}
