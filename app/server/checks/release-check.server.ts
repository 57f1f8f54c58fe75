import { askForRelease, isNewer } from "~/administration/release.server";
import type { Env } from "~/platform/env.server";
import { VERSION } from "~/platform/product-name.server";
import { failed, messageOf, notSet, ok, type CheckResult } from "./check.server";

/** Requests the newest version. */
export async function checkRelease({ RELEASES_URL: address }: Env): Promise<CheckResult> {
  if (address === undefined) return notSet(`RELEASES_URL: nobody is asked whether ${VERSION} is the newest`);
  try {
    const { version, url } = await askForRelease(address);
    return ok(isNewer(version, VERSION) ? `${VERSION}; a newer version is available: ${version}, ${url}` : `${VERSION} is the newest`);
  } catch (error) {
    return failed(`see whether RELEASES_URL is right and this server reaches it: ${messageOf(error)}`);
  }
}
