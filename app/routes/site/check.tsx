import { data, redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CheckForm } from "~/runs/view/check-form";
import { Failure } from "~/reports/check/failure";
import { Progress } from "~/reports/check/progress";
import { Result } from "~/reports/check/result";
import { useHeadingFocus } from "~/ui/use-heading-focus";
import { loadedHeaders } from "~/platform/http/answer-headers";
import { localeOf } from "~/platform/i18n/i18n.server";
import { pageMeta } from "~/platform/http/page-meta";
import { choicePath } from "~/billing/plans/choice";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { reloadOf } from "~/platform/http/reload";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { isOver } from "~/runs/run";

export const handle = { i18n: ["check", "home", "fixes"] };
export const clientLoader = preloadNamespaces(["check", "home", "fixes"]);

// Time in which most checks end, so that the first answer shows the result without scripts.
const WAIT_MS = 8_000;
const RELOAD_SECONDS = 15;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { runs, checks, events, billing, entitlements } = context.services;
  const id = params.id ?? "";
  const user = await context.visitor.user();
  // The owner gets the full report, except after a refund.
  if (user && (await runs.ofOwner(id, user.id)) && (await entitlements.wasEntitled(user.id))) throw redirect(`/run/${id}`, 303);
  const run = await runs.find(id, null);
  if (!run) throw data(null, { status: 404 });

  const over = async () => isOver(await runs.find(id, null));
  await events.waitFor(id, over, patience(request, run.createdAt), request.signal);

  const check = await checks.show(id, await localeOf(request));
  if (!check) throw data(null, { status: 404 });
  // The link to the plans includes the result, unless an account already owns it.
  const choice = { url: run.url, check: run.claimedAt === null ? id : "" };
  const unlockAt = choicePath(billing && !user ? "/#pricing" : "/setup", choice);
  const unattended = check.state === "waiting" && check.status === "queued" && (await context.services.isUnattended());
  const reload = check.state === "waiting" ? reloadOf(request, `/check/${id}`, RELOAD_SECONDS) : null;
  return data({ ...check, unattended, reload, unlockAt, sold: billing !== null }, { headers: { "X-Robots-Tag": "noindex" } });
}

/**
 * Waiting time for a result. None for a request by script: its page already shows the progress.
 * @returns ms
 */
function patience(request: Request, createdAt: number): number {
  const byScript = request.headers.get("Sec-Fetch-Dest") === "empty";
  return byScript ? Math.max(0, createdAt + WAIT_MS - Date.now()) : WAIT_MS;
}

export const headers = loadedHeaders;

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: check }) => pageMeta(check?.meta);

export default function Check() {
  const check = useLoaderData<typeof loader>();
  useHeadingFocus(check.state);
  switch (check.state) {
    case "waiting":
      return check.reload && <Progress {...check} reload={check.reload} />;
    case "failed":
      return (
        <Failure {...check}>
          <CheckForm typed={check.url} />
        </Failure>
      );
    case "done":
      return <Result {...check} />;
  }
}
