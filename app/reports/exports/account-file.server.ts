import type { Run } from "~/runs/run";
import { isOver } from "~/runs/run";
import { jsonParts } from "./json";
import type { Exports } from "./export.server";
import type { ScanRequests } from "~/runs/scan-request.server";
import type { Users } from "~/accounts/user.server";
import type { Runs } from "~/runs/run.server";

export interface AccountFileSources {
  users: Pick<Users, "personalDataOf">;
  runs: Pick<Runs, "ofOwner">;
  scanRequests: Pick<ScanRequests, "isUnlocked">;
  exports: Exports;
}

type Everything = Awaited<ReturnType<Users["personalDataOf"]>>;

/**
 * All stored data of an account, as JSON. Each run has its `report` with all findings, as in `export.json`; null if the
 * account owner may not read it. Needs the memory of the largest page of a run.
 */
export async function* accountFileParts(
  { users, runs, scanRequests, exports }: AccountFileSources,
  userId: string,
): AsyncGenerator<string, void> {
  const { runs: own, ...rest }: Everything = await users.personalDataOf(userId);
  const head = JSON.stringify({ schema: 1, exportedAt: new Date().toISOString(), ...rest }, null, 2);
  yield `${head.slice(0, -2)},\n  "runs": [`;
  let between = "\n";
  for (const each of own) {
    const run = await runs.ofOwner(each.id, userId);
    // Without accepted findings, as in the report.
    const stats = run ? exports.stats(run) : each.stats;
    yield `${between}${JSON.stringify({ ...each, stats }).slice(0, -1)},"report":`;
    between = ",\n";
    yield* isReadable(run) && (await scanRequests.isUnlocked(userId, run)) ? reportParts(run) : ["null"];
    yield "}";
  }
  yield "]\n}\n";

  async function* reportParts(run: Run): AsyncGenerator<string, void> {
    yield* jsonParts(await exports.facts(run), exports.stats(run), exports.pages(run));
  }
}

const isReadable = (run: Run | undefined): run is Run => run !== undefined && isOver(run);
