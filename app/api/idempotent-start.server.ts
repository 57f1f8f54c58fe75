import type { SubmitOptions } from "~/runs/scan-request.server";
import type { ApiRequest, OwnRun } from "./route.server";
import { ApiProblem } from "./problem-answer.server";
import { hashOf } from "~/platform/crypto/tokens.server";

const HEADER = "Idempotency-Key";
/** Accepted keys: visible ASCII, 1 to 255 characters. */
const USABLE = /^[\x21-\x7e]{1,255}$/;
const RETRY_SECONDS = 2;

/**
 * Starts a run. With an idempotency key that was used before, returns the run of the first request. After a refusal, the
 * client may retry with the same key.
 * @param start starts the run; its argument must be called in the same transaction
 * @throws {ApiProblem} if the key was used for another request, or is in use at this moment
 */
export async function idempotently(
  { request, context, tokenId, user }: ApiRequest,
  body: object,
  start: (together?: SubmitOptions["together"]) => Promise<OwnRun>,
): Promise<{ run: OwnRun; replayed: boolean }> {
  const { idempotency, runs } = context.services;
  const key = request.headers.get(HEADER);
  if (key === null) return { run: await start(), replayed: false };
  if (!USABLE.test(key)) throw new ApiProblem("invalid", { entries: [{ in: "header", name: HEADER, problem: "key" }] });

  const claim = await idempotency.claim({ tokenId, key }, hashOf(JSON.stringify(body)));
  if (claim.kind === "other_request") throw new ApiProblem("key-reused");
  if (claim.kind === "under_way") {
    throw new ApiProblem("request-under-way", { headers: { "Retry-After": String(RETRY_SECONDS) } });
  }
  if (claim.kind === "settled") {
    const run = await runs.ofOwner(claim.runId, user.id);
    if (!run) throw new ApiProblem("not-found");
    return { run, replayed: true };
  }
  try {
    return { run: await start((trx, runId) => idempotency.settle(trx, { tokenId, key }, runId)), replayed: false };
  } catch (error) {
    await idempotency.release({ tokenId, key });
    throw error;
  }
}
