/** What an administrator does to an account with one button; each has a text (`admin:person.deed.…`). */
const PERSON_DEEDS = ["confirm", "mailReset", "signOut", "disable", "enable", "makeAdministrator", "takeAdministrator"] as const;
export type PersonDeed = (typeof PERSON_DEEDS)[number];

export function isPersonDeed(value: string): value is PersonDeed {
  return (PERSON_DEEDS as readonly string[]).includes(value);
}

interface Person {
  subject: string | null;
  emailVerified: boolean;
  isAdministrator: boolean;
  isDisabled: boolean;
}

/** What makes sense for an account. Administrators do not disable their own. */
export function deedsFor({ subject, emailVerified, isAdministrator, isDisabled }: Person, isSelf: boolean): PersonDeed[] {
  const isLocal = subject === null;
  const makesSense: Record<PersonDeed, boolean> = {
    confirm: isLocal && !emailVerified,
    mailReset: isLocal && !isDisabled,
    signOut: !isSelf,
    disable: !isSelf && !isDisabled,
    enable: isDisabled,
    makeAdministrator: !isAdministrator && !isDisabled,
    takeAdministrator: isAdministrator,
  };
  return PERSON_DEEDS.filter((deed) => makesSense[deed]);
}
