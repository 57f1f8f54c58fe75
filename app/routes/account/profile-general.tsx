import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { AccountLinks } from "~/accounts/view/account-links";
import { ChangeEmail } from "~/accounts/view/change-email";
import { ChangeName } from "~/accounts/view/change-name";
import { SessionList } from "~/accounts/view/session-list";
import { SignOutForm, AccountSummary } from "~/accounts/view/account-summary";
import { OpenInvoices } from "~/billing/view/open-invoices";
import { PaidInvoices } from "~/billing/view/paid-invoices";
import { PurchaseList } from "~/billing/view/purchase-list";
import { DialogLink } from "~/ui/dialog/dialog-link";
import { NewRun } from "~/runs/view/new-run";
import { LocaleSwitcher } from "~/ui/frame/locale-switcher";
import { canChangeProfile, requireUser } from "~/accounts/guard.server";
import { DEFAULT_LOCALE, isLocale } from "~/platform/i18n/i18n";
import { localeOf } from "~/platform/i18n/i18n.server";
import { invoiceViews, paidInvoiceViews } from "~/billing/invoice-views";
import { accountPageMeta } from "~/platform/forms/page-texts.server";
import { pageMeta } from "~/platform/http/page-meta";
import { purchaseSummary } from "~/billing/purchase-summary";
import { methodNotAllowed } from "~/platform/http/method-not-allowed";
import { sessionViews } from "~/accounts/session-views.server";
import { preloadNamespaces } from "~/platform/i18n/preload-namespaces";
import { viewOfUser } from "~/accounts/user-view";

export const handle = { i18n: ["account", "billing", "runs"] };
export const clientLoader = preloadNamespaces(["account", "billing", "runs"]);

export async function loader(args: LoaderFunctionArgs) {
  const user = await requireUser(args);
  const { billing, purchases, entitlements, scheduleLists, env } = args.context.services;
  const locale = await localeOf(args.request);
  return data({
    meta: await accountPageMeta(args, "profile"),
    user: viewOfUser(user),
    canChange: canChangeProfile(args.context, user),
    sessions: await sessionViews(args.context, user.id),
    selling: billing !== null,
    entitled: await entitlements.isEntitled(user.id),
    bought: purchaseSummary(await purchases.of(user.id), locale),
    invoices: billing ? invoiceViews(await billing.openInvoices(user.id), locale, env.BASE_URL) : [],
    hasSchedules: await scheduleLists.hasAny(user.id),
    paid: billing ? paidInvoiceViews(await billing.paidInvoices(user.id), locale, env.BASE_URL) : [],
  });
}

export const action = methodNotAllowed;

export const meta: MetaFunction<typeof loader> = ({ data: page }) => pageMeta(page?.meta);

export default function Profile() {
  const { user, canChange, sessions, selling, entitled, bought, invoices, hasSchedules, paid } = useLoaderData<typeof loader>();
  const { t, i18n } = useTranslation("account");
  const { t: billingTexts } = useTranslation("billing");
  const { t: runTexts } = useTranslation("runs");
  return (
    <article className="account-page wrap">
      <header className="page-head">
        <h1>{t("profile.heading")}</h1>
        {entitled && (
          <DialogLink className="button" to="/runs/new" view={NewRun}>
            {runTexts("list.new")}
          </DialogLink>
        )}
      </header>
      <section aria-labelledby="person">
        <h2 id="person">{t("profile.person")}</h2>
        <AccountSummary user={user} />
        {canChange ? (
          <p className="button-row">
            <DialogLink className="button button-quiet" to="/profile/name" view={ChangeName}>
              {t("name.title")}
            </DialogLink>{" "}
            <DialogLink className="button button-quiet" to="/profile/email" view={ChangeEmail}>
              {t("email.title")}
            </DialogLink>
          </p>
        ) : (
          <p>{t("profile.elsewhere")}</p>
        )}
      </section>
      <OpenInvoices invoices={invoices} />
      {selling && (
        <section aria-labelledby="bought">
          <h2 id="bought">{billingTexts("purchases.heading")}</h2>
          {bought.purchases.length > 0 ? <PurchaseList {...bought} /> : <p>{billingTexts("purchases.none")}</p>}
          <p>
            {bought.usage.length > 0 ? (
              <Link to="/profile/urls">{billingTexts("purchases.urls")}</Link>
            ) : (
              <Link to="/setup">{billingTexts("purchases.choose")}</Link>
            )}
          </p>
        </section>
      )}
      <PaidInvoices invoices={paid} />
      <section aria-labelledby="language">
        <h2 id="language">{t("profile.language")}</h2>
        <p>{t("profile.languageHint")}</p>
        <LocaleSwitcher current={isLocale(i18n.language) ? i18n.language : DEFAULT_LOCALE} />
      </section>
      <section aria-labelledby="sessions">
        <h2 id="sessions">{t("sessions.heading")}</h2>
        <SessionList sessions={sessions} />
      </section>
      <section aria-labelledby="reports">
        <h2 id="reports">{t("profile.reports")}</h2>
        <p>
          <Link to="/profile/report-cover">{t("profile.reportCover")}</Link>
        </p>
      </section>
      <section aria-labelledby="programs">
        <h2 id="programs">{t("profile.programs")}</h2>
        <p>
          <Link to="/profile/tokens">{t("profile.tokens")}</Link>
        </p>
      </section>
      <section aria-labelledby="account">
        <h2 id="account">{t("profile.account")}</h2>
        <AccountLinks isHosted={user.isHosted} isProfile hasSchedules={hasSchedules} />
        <SignOutForm />
      </section>
    </article>
  );
}
