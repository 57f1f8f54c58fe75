import type { LoaderFunctionArgs } from "@remix-run/node";
import { describe, expect, test } from "vitest";
import { loader as invitation } from "~/routes/account/invitation";
import { loader as login } from "~/routes/account/login";
import { loader as resetPassword } from "~/routes/account/reset-password";
import { loader as orderDone } from "~/routes/billing/setup-done";
import { loader as unsubscribe } from "~/routes/runs/schedule-unsubscribe";

type Loader = (args: LoaderFunctionArgs) => Promise<unknown>;

const ORDER = { outcome: "failed", way: "checkout", url: null, wanted: { plan: null, rhythm: null, url: null, checkId: null }, fulfilled: true, scanId: null, orderedAt: 0 };
const ADA = { id: "ada", email: "ada@example.org", subject: null };

async function titleOf(loader: Loader, { path = "/page", services = {}, user = null as object | null }): Promise<string> {
  const context = { services, visitor: { user: async () => user, session: async () => user && { user } } } as never;
  const request = new Request(`https://rampe.example${path}`, { headers: { Cookie: "locale=de" } });
  const { data } = (await loader({ request, params: { token: "abc" }, context })) as { data: { meta: { title: string } } };
  return data.meta.title;
}

describe("the title says what the page has to tell", () => {
  test("about a link for a new password that has expired", async () => {
    const reset = (owner: object | null) => titleOf(resetPassword, { services: { hosted: null, accounts: { ownerOfReset: async () => owner, hasNoPassword: async () => false } } });
    expect([await reset(ADA), await reset(null)]).toEqual(["Neues Passwort – Rampe", "Dieser Link gilt nicht mehr – Rampe"]);
  });

  test("about an invitation that has expired", async () => {
    const invited = (admission: object | null) => titleOf(invitation, { user: ADA, services: { registration: { admissionOf: async () => admission } } });
    expect([await invited({}), await invited(null)]).toEqual(["Einladung – Rampe", "Diese Einladung gilt nicht mehr – Rampe"]);
  });

  test("about a sign-in that failed", async () => {
    const services = { hosted: null, registration: { isClosed: false } };
    const at = (path: string) => titleOf(login, { path, services });
    expect([await at("/login"), await at("/login?problem=expired")]).toEqual(["Anmelden – Rampe", "Fehler: Anmelden – Rampe"]);
  });

  test("about an order that failed, is unpaid, or cannot be asked about", async () => {
    const done = (outcome: string) => titleOf(orderDone, { path: "/setup/done?order=o1", user: ADA, services: { billing: { outcomeOf: async () => ({ ...ORDER, outcome }) }, env: {} } });
    expect([await done("failed"), await done("open"), await done("unknown")]).toEqual([
      "Der Kauf ist nicht zustande gekommen – Rampe",
      "Noch nicht bezahlt – Rampe",
      "Der Zahlungsdienst antwortet gerade nicht – Rampe",
    ]);
  });

  test("about mails that are stopped", async () => {
    const about = (mails: boolean) => titleOf(unsubscribe, { services: { schedules: { unsubscribed: async () => ({ url: "https://shop.example/", mails }) } } });
    expect([await about(true), await about(false)]).toEqual(["E-Mails abbestellen – Rampe", "Die E-Mails sind abbestellt – Rampe"]);
  });
});
