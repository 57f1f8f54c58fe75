import type { Args } from "~/accounts/guard.server";
import { titledMeta } from "~/platform/forms/page-texts.server";
import type { PageMeta } from "~/platform/http/page-meta";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";

/** Pages of the administration, by the key of their texts in `admin`. */
export type AdministrationPageName =
  | "deletion"
  | "first"
  | "invitations"
  | "people"
  | "person"
  | "queue"
  | "queueChange.cancel"
  | "queueChange.delete"
  | "messages"
  | "messageDelete"
  | "mails"
  | "mailDelete"
  | "settings"
  | "audit";

/** Title and description of a page; the title marks a refused form. @param values of the title */
export async function administrationMeta(args: Args, page: AdministrationPageName, values: { email?: string } = {}): Promise<PageMeta> {
  const t = textsOf(await localeOf(args.request)).getFixedT(null, "admin");
  return titledMeta(args, { title: t(`${page}.title`, values), description: t(`${page}.description`) });
}
