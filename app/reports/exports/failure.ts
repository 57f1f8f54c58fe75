import { failureKind, type FailureKind } from "~/scan/failure-kind";
import type { UncheckedPage } from "~/scan/types";

const TEXT: Record<FailureKind, string> = {
  invalid_url: "this is no web address",
  blocked_address: "the address is not public",
  dns: "the host has no address",
  refused: "nobody answers there",
  tls: "no secure connection could be made",
  timeout: "it did not answer in time",
  http_status: "the site answered with an error",
  unauthorized: "the site wants a sign-in; a run of an account can be given a password or a cookie",
  forbidden: "the site refuses access; its operator may let this user agent pass",
  not_found: "there is no page at this address",
  too_many_requests: "the site takes no more requests for now; try again later",
  client_error: "the site refused the request",
  server_error: "the site has an error of its own; try again later",
  not_html: "it is not a web page",
  login_required: "it led to a sign-in; a run of an account can be given a password or a cookie",
  bot_protection: "a bot protection answered in the place of the site",
  robots: "robots.txt does not allow it",
  too_large: "the page is too large",
  redirect_loop: "it leads on and on and never arrives",
  download: "it is a file to download",
  crashed: "the browser could not cope with the page",
  empty: "the page shows nothing",
};

/** Reason why a page could not be checked, in English, the same in every report; without text from the site. */
export function failureText({ reason, detail: { httpStatus } }: UncheckedPage): string {
  const text = TEXT[failureKind(reason, httpStatus)];
  return httpStatus !== undefined && httpStatus >= 400 ? `${text} (status ${httpStatus})` : text;
}
