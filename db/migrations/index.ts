import type { Migration } from "kysely";
import * as runs from "./0001-runs";
import * as crawl from "./0002-crawl";
import * as accounts from "./0003-accounts";
import * as billing from "./0004-billing";
import * as orders from "./0005-orders";
import * as contact from "./0006-contact";
import * as invoices from "./0007-invoices";
import * as following from "./0008-following";
import * as apiTokens from "./0009-api-tokens";
import * as evidence from "./0010-evidence";
import * as components from "./0011-components";
import * as signedIn from "./0012-signed-in";
import * as canonical from "./0013-canonical";
import * as claimed from "./0014-claimed";
import * as linkedFrom from "./0015-linked-from";
import * as waits from "./0016-waits";
import * as fulfilment from "./0017-fulfilment";
import * as plans from "./0018-plans";
import * as violatedRules from "./0019-violated-rules";
import * as placeGivenBack from "./0020-place-given-back";
import * as partlyPages from "./0021-partly-pages";
import * as turns from "./0022-turns";
import * as secretMark from "./0023-secret-mark";
import * as knownBrowsers from "./0024-known-browsers";
import * as evidenceRoom from "./0025-evidence-room";
import * as orderGivenBack from "./0026-order-given-back";
import * as sharedTexts from "./0027-shared-texts";
import * as engines from "./0028-engines";
import * as findingConditions from "./0029-finding-conditions";
import * as pageFacts from "./0030-page-facts";
import * as criterionReviews from "./0031-criterion-reviews";
import * as keyboardWalks from "./0032-keyboard-walks";
import * as pagePictures from "./0033-page-pictures";
import * as acceptances from "./0034-acceptances";
import * as findingNotes from "./0035-finding-notes";
import * as websites from "./0036-websites";
import * as followingWebsites from "./0037-following-websites";
import * as reportCovers from "./0038-report-covers";
import * as pageStages from "./0039-page-stages";
import * as elementFingerprints from "./0041-element-fingerprints";
import * as scheduleAccess from "./0042-schedule-access";
import * as administrators from "./0043-administrators";
import * as invitations from "./0044-invitations";
import * as grantedPlans from "./0045-granted-plans";
import * as secondFactors from "./0046-second-factors";
import * as passkeys from "./0047-passkeys";
import * as allRuns from "./0048-all-runs";
import * as processes from "./0049-processes";
import * as storedPictures from "./0050-stored-pictures";
import * as pageOrder from "./0051-page-order";
import * as invitationLanguages from "./0052-invitation-languages";
import * as addressText from "./0053-address-text";
import * as remoteChecks from "./0054-remote-checks";

// Explicit list instead of the folder, because the server is one bundle. Migrations run in the order of their names.
export const migrations: Record<string, Migration> = {
  "0001-runs": runs,
  "0002-crawl": crawl,
  "0003-accounts": accounts,
  "0004-billing": billing,
  "0005-orders": orders,
  "0006-contact": contact,
  "0007-invoices": invoices,
  "0008-following": following,
  "0009-api-tokens": apiTokens,
  "0010-evidence": evidence,
  "0011-components": components,
  "0012-signed-in": signedIn,
  "0013-canonical": canonical,
  "0014-claimed": claimed,
  "0015-linked-from": linkedFrom,
  "0016-waits": waits,
  "0017-fulfilment": fulfilment,
  "0018-plans": plans,
  "0019-violated-rules": violatedRules,
  "0020-place-given-back": placeGivenBack,
  "0021-partly-pages": partlyPages,
  "0022-turns": turns,
  "0023-secret-mark": secretMark,
  "0024-known-browsers": knownBrowsers,
  "0025-evidence-room": evidenceRoom,
  "0026-order-given-back": orderGivenBack,
  "0027-shared-texts": sharedTexts,
  "0028-engines": engines,
  "0029-finding-conditions": findingConditions,
  "0030-page-facts": pageFacts,
  "0031-criterion-reviews": criterionReviews,
  "0032-keyboard-walks": keyboardWalks,
  "0033-page-pictures": pagePictures,
  "0034-acceptances": acceptances,
  "0035-finding-notes": findingNotes,
  "0036-websites": websites,
  "0037-following-websites": followingWebsites,
  "0038-report-covers": reportCovers,
  "0039-page-stages": pageStages,
  "0041-element-fingerprints": elementFingerprints,
  "0042-schedule-access": scheduleAccess,
  "0043-administrators": administrators,
  "0044-invitations": invitations,
  "0045-granted-plans": grantedPlans,
  "0046-second-factors": secondFactors,
  "0047-passkeys": passkeys,
  "0048-all-runs": allRuns,
  "0049-processes": processes,
  "0050-stored-pictures": storedPictures,
  "0051-page-order": pageOrder,
  "0052-invitation-languages": invitationLanguages,
  "0053-address-text": addressText,
  "0054-remote-checks": remoteChecks,
};
