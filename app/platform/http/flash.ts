/** Names of messages that a page may show about the previous action (`common:flash.…`). */
type FlashKey =
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
  | "secondFactorOn"
  | "secondFactorOff"
  | "secondFactorNeeded"
  | "signInExpired"
  | "accountDeleted"
  | "urlAdded"
  | "urlRemoved"
  | "tokenRevoked"
  | "runsRestored"
  | "runsGone"
  | "checkStarted"
  | "runCanceled"
  | "scansCanceled"
  | "scansDeleted"
  | "messageDeleted"
  | "mailDue"
  | "mailDeleted"
  | "nothingToDo"
  | "reportUnlocked"
  | "reportWithoutScan"
  | "scanNeedsAccess"
  | "printerBusy"
  | "linkTakenBack"
  | "answersSaved"
  | "noteSaved"
  | "noteDeleted"
  | "coverSaved"
  | "coverRemoved"
  | "scheduleSet"
  | "scheduleEnded"
  | "accessForgotten"
  | "findingAccepted"
  | "acceptanceEnded"
  | "portalUnavailable";

/** A message for the next page. */
export interface Flash {
  text: FlashKey;
  kind: "done" | "problem";
  /** Values in the text. */
  values?: Record<string, number>;
}
