/** Names the messages that a page may show about what was done before it (`common:flash.…`). */
export type FlashKey =
  | "registered"
  | "signedOut"
  | "signedOutEverywhere"
  | "sessionEnded"
  | "passwordChanged"
  | "passwordReset"
  | "passwordChosen"
  | "nameChanged"
  | "emailVerified"
  | "emailChanged"
  | "confirmedElsewhere"
  | "accountDeleted"
  | "urlAdded"
  | "urlRemoved"
  | "tokenRevoked"
  | "runsRestored"
  | "runsGone"
  | "runCanceled"
  | "reportUnlocked"
  | "printerBusy"
  | "linkTakenBack"
  | "scheduleSet"
  | "scheduleEnded"
  | "portalUnavailable";

/** A message for the next page. */
export interface Flash {
  text: FlashKey;
  kind: "done" | "problem";
  /** What the text names. */
  values?: Record<string, number>;
}
