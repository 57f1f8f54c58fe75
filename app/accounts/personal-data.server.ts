import type { Db } from "db/schema";

/** Exported columns, without long texts: an account may have very many runs. */
const EXPORTED_RUN_COLUMNS = [
  "id",
  "url",
  "scope",
  "standard_version",
  "standard_level",
  "status",
  "reason",
  "created_at",
  "finished_at",
  "pages",
  "failed_pages",
  "violations",
  "incomplete",
  "passes",
  "inapplicable",
  "elements",
  "violated_rules",
] as const;

/** Export of all stored data of a user. Times as ISO 8601, amounts in cents. */
export async function personalDataOf(db: Db, id: string) {
  const user = await db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const sessions = await db.selectFrom("session").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
  const browsers = await db.selectFrom("known_browser").select("seen_at").where("user_id", "=", id).orderBy("seen_at").execute();
  const links = await db
    .selectFrom("account_link")
    .select(["email", "expires_at"])
    .where("user_id", "=", id)
    .where("purpose", "=", "change_email")
    .execute();
  const app = await db.selectFrom("code_app").select(["created_at", "confirmed_at"]).where("user_id", "=", id).executeTakeFirst();
  const passkeys = await db.selectFrom("passkey").select(["name", "created_at", "last_used_at"]).where("user_id", "=", id).orderBy("created_at").execute();
  const recoveryCodes = await db.selectFrom("recovery_code").select("used_at").where("user_id", "=", id).orderBy("used_at", (order) => order.asc().nullsFirst()).execute();
  const tokens = await db.selectFrom("api_token").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
  const purchases = await db.selectFrom("purchase").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
  const urls = await db
    .selectFrom("registered_url")
    .innerJoin("purchase", "purchase.id", "registered_url.purchase_id")
    .selectAll("registered_url")
    .where("purchase.user_id", "=", id)
    .orderBy("added_at")
    .orderBy("registered_url.id")
    .execute();
  const invoices = await db.selectFrom("invoice").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
  const orders = await db.selectFrom("checkout_order").selectAll().where("user_id", "=", id).orderBy("created_at").execute();
  const shares = await db
    .selectFrom("share")
    .innerJoin("run", "run.id", "share.run_id")
    .select(["share.run_id", "share.created_at", "share.expires_at"])
    .where("run.owner", "=", id)
    .orderBy("share.created_at")
    .execute();
  const schedules = await db.selectFrom("schedule").selectAll().where("owner", "=", id).orderBy("created_at").execute();
  const reviews = await db.selectFrom("review").selectAll().where("owner", "=", id).orderBy("answered_at").orderBy("origin").orderBy("path").orderBy("rule").orderBy("fingerprint").execute();
  const verdicts = await db.selectFrom("criterion_review").selectAll().where("owner", "=", id).orderBy("answered_at").orderBy("scope").orderBy("address").orderBy("criterion").execute();
  const acceptances = await db.selectFrom("acceptance").selectAll().where("owner", "=", id).orderBy("accepted_at").execute();
  const cover = await db.selectFrom("report_cover").selectAll().where("owner", "=", id).executeTakeFirst();
  const notes = await db.selectFrom("finding_note").selectAll().where("owner", "=", id).orderBy("written_at").execute();
  const administration = await db.selectFrom("audit_entry").select(["at", "action"]).where("subject_id", "=", id).orderBy("at").execute();
  const invitation = await db.selectFrom("invitation").select(["sent_at", "used_at"]).where("user_id", "=", id).executeTakeFirst();
  const runs = await db.selectFrom("run").select(EXPORTED_RUN_COLUMNS).where("owner", "=", id).orderBy("created_at").execute();
  return {
    user: {
      id: user.id,
      subject: user.subject,
      email: user.email,
      emailVerified: user.email_verified === 1,
      name: user.name,
      locale: user.locale,
      createdAt: iso(user.created_at),
      firstSignedInAt: user.signed_in_at === null ? null : iso(user.signed_in_at),
      administrator: user.administrator === 1,
      limits: { waitingScans: user.most_waiting, pagesOfWebsite: user.most_pages },
      disabledAt: user.disabled_at === null ? null : iso(user.disabled_at),
    },
    emailChangesUnderWay: links.map(({ email, expires_at }) => ({ email, expiresAt: iso(expires_at) })),
    sessions: sessions.map(({ browser, created_at, seen_at, expires_at }) => ({
      browser,
      createdAt: iso(created_at),
      seenAt: iso(seen_at),
      expiresAt: iso(expires_at),
    })),
    knownBrowsers: browsers.map(({ seen_at }) => ({ seenAt: iso(seen_at) })),
    secondFactor: {
      app: app ? { createdAt: iso(app.created_at), confirmedAt: app.confirmed_at === null ? null : iso(app.confirmed_at) } : null,
      passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
        name,
        createdAt: iso(created_at),
        lastUsedAt: last_used_at === null ? null : iso(last_used_at),
      })),
      recoveryCodes: recoveryCodes.map(({ used_at }) => ({ usedAt: used_at === null ? null : iso(used_at) })),
    },
    accessTokens: tokens.map(({ name, scopes, created_at, expires_at, last_used_at }) => ({
      name,
      scopes: JSON.parse(scopes) as string[],
      createdAt: iso(created_at),
      expiresAt: expires_at === null ? null : iso(expires_at),
      lastUsedAt: last_used_at === null ? null : iso(last_used_at),
    })),
    purchases: purchases.map(({ id: purchaseId, kind, status, plan_name, amount, currency, created_at, granted }) => ({
      id: purchaseId,
      kind,
      status,
      plan: plan_name,
      granted: granted === 1,
      amountInCents: amount,
      currency,
      createdAt: iso(created_at),
      urls: urls.filter(({ purchase_id }) => purchase_id === purchaseId).map(({ url }) => url),
    })),
    invoices: invoices.map((invoice) => ({
      id: invoice.id,
      number: invoice.number,
      plan: invoice.plan_name,
      status: invoice.status,
      amountInCents: invoice.amount,
      currency: invoice.currency,
      createdAt: iso(invoice.created_at),
    })),
    orders: orders.map(({ id: orderId, url, way, created_at, fulfilled_at }) => ({
      id: orderId,
      url,
      way,
      createdAt: iso(created_at),
      concludedAt: fulfilled_at === null ? null : iso(fulfilled_at),
    })),
    shareLinks: shares.map(({ run_id, created_at, expires_at }) => ({
      run: run_id,
      createdAt: iso(created_at),
      expiresAt: iso(expires_at),
    })),
    schedules: schedules.map(({ url, scope, every, hour, next_run_at, access }) => ({ url, scope, every, hour, nextRunAt: iso(next_run_at), hasAccess: access !== null })),
    reviews: reviews.map(({ origin, path, rule, answer, reason, answered_at }) => ({
      url: `${origin}${path}`,
      rule,
      answer,
      reason,
      answeredAt: iso(answered_at),
    })),
    criterionReviews: verdicts.map(({ scope, address, criterion, verdict, note, answered_at }) => ({
      url: address,
      scope,
      criterion,
      verdict,
      note,
      answeredAt: iso(answered_at),
    })),
    acceptances: acceptances.map(({ origin, path, scope, rule, html, kind, last_day, reason, accepted_at, ended_at }) => ({
      url: `${origin}${path ?? ""}`,
      scope,
      rule,
      html,
      kind,
      lastDay: last_day,
      reason,
      acceptedAt: iso(accepted_at),
      endedAt: ended_at === null ? null : iso(ended_at),
    })),
    reportCover: cover
      ? { name: cover.name, color: cover.color, logo: cover.logo && { type: cover.logo_type, base64: Buffer.from(cover.logo).toString("base64") } }
      : null,
    findingNotes: notes.map(({ origin, path, rule, text, written_at }) => ({ url: `${origin}${path}`, rule, text, writtenAt: iso(written_at) })),
    invitation: invitation ? { sentAt: iso(invitation.sent_at), usedAt: invitation.used_at === null ? null : iso(invitation.used_at) } : null,
    byAdministrators: administration.map(({ at, action }) => ({ at: iso(at), action })),
    trialScans: user.trial_scans,
    runs: runs.map((run) => ({
      id: run.id,
      url: run.url,
      scope: run.scope,
      standard: `WCAG ${run.standard_version} ${run.standard_level}`,
      status: run.status,
      reason: run.reason,
      createdAt: iso(run.created_at),
      finishedAt: run.finished_at === null ? null : iso(run.finished_at),
      stats: {
        pages: run.pages,
        failedPages: run.failed_pages,
        violations: run.violations,
        incomplete: run.incomplete,
        passes: run.passes,
        inapplicable: run.inapplicable,
        elements: run.elements,
        violatedRules: run.violated_rules === null ? 0 : (JSON.parse(run.violated_rules) as string[]).length,
      },
    })),
  };
}

const iso = (at: number) => new Date(at).toISOString();
