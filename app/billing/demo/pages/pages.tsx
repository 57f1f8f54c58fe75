import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import type { Store } from "~/billing/demo/store/store";
import { NOTHING_TYPED, readCard, type TypedCard } from "./card-form";
import type { Checkout } from "~/billing/demo/lifecycle/checkout";
import { asksForEmail, CheckoutPage, OverPage } from "./checkout-page";
import { act, actionsOn, actionsOnPayment } from "~/billing/demo/lifecycle/clock";
import { ClockPage } from "./clock-page";
import { StripeError } from "~/billing/demo/protocol/stripe-error";
import { InvoicePage } from "./invoice-page";
import { lineItemsOf } from "~/billing/demo/objects/line-items";
import { idOf } from "~/billing/demo/store/objects";
import { renderPage, type FieldProblem } from "./page";
import { addCard } from "~/billing/demo/objects/payment-methods";
import { actInPortal, PORTAL_SECONDS, portalView } from "~/billing/demo/lifecycle/portal";
import { PortalPage } from "./portal-page";
import { STYLESHEET } from "./stylesheet";
import type { SubscriptionLifecycle } from "~/billing/demo/lifecycle/subscription-lifecycle";
import { itemOf } from "~/billing/demo/objects/subscriptions";
import { fill, voiceOf, type Voice } from "./texts";

export interface PagesOptions {
  store: Store;
  checkout: Checkout;
  life: SubscriptionLifecycle;
  publicUrl: string;
  settlesAfterMs: number;
  log?: (problem: string, error: unknown) => void;
}

/** The cashier's pages for browsers. The address of a page gives access to it, as on Stripe's own pages. */
export function createPages(options: PagesOptions): Router {
  const { store, checkout, life, publicUrl, log } = options;
  const base = new URL(publicUrl).pathname.replace(/\/$/, "");
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({ "Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff" });
    const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";
    if (!response.hasHeader("Content-Security-Policy")) response.set("Content-Security-Policy", policy);
    next();
  });
  router.use(express.urlencoded({ extended: false, limit: "16kb" }));

  router.get("/cashier.css", (_request, response) => {
    response.set("Cache-Control", "max-age=3600").type("css").send(STYLESHEET);
  });

  router.get("/pay/:id", (request, response) => checkoutPage(request, response, NOTHING_TYPED, []));
  router.post("/pay/:id", (request, response) => {
    const session = store.get("checkout.session", request.params.id);
    const form = formOf(request);
    if (form.do === "cancel" && session.status !== "complete" && session.cancel_url) {
      return response.redirect(303, session.cancel_url);
    }
    if (session.status !== "open") return leave(request, response);
    const { t } = voiceOf(request.headers, session.locale);
    const read = readCard(form, t, store.now(), asksForEmail(session));
    if (read.is === "unusable") return checkoutPage(request, response, read.typed, read.problems);
    const result = checkout.pay(session.id, read.payer);
    if (result.is !== "declined") return leave(request, response);
    checkoutPage(request, response, read.typed, [{ field: "number", message: t.problem[result.decline.decline_code] }]);
  });

  router.get("/portal/:id", (request, response) => portalPage(request, response, []));
  router.post("/portal/:id", (request, response) => {
    const session = store.get("billing_portal.session", request.params.id ?? "");
    if (isPast(session.created)) return portalPage(request, response, []);
    const form = formOf(request);
    const done = actInPortal(options, session.customer, form);
    if (done !== "no such plan") return response.redirect(303, `${base}/portal/${session.id}${done ? `?done=${done}` : ""}`);
    const message = voiceOf(request.headers, session.locale).t.problem.price;
    portalPage(request, response, [{ field: `price-${String(form.subscription)}`, message }]);
  });

  router.get("/invoice/:id", (request, response) => invoicePage(request, response, NOTHING_TYPED, []));
  router.post("/invoice/:id", (request, response) => {
    const invoice = store.get("invoice", request.params.id);
    const { t } = voiceOf(request.headers);
    const done = () => response.redirect(303, `${base}/invoice/${invoice.id}?done=pay`);
    if (invoice.status !== "open" || isPending(invoice.id)) return done();
    const read = readCard(formOf(request), t, store.now(), false);
    if (read.is === "unusable") return invoicePage(request, response, read.typed, read.problems);
    const customer = idOf(invoice.customer);
    const paid = store.change(() => {
      const method = addCard(store, { ...read.payer, customer, email: invoice.customer_email });
      return life.payInvoice(invoice.id, method.id);
    });
    if (paid !== "declined") return done();
    invoicePage(request, response, read.typed, [{ field: "number", message: t.problem.generic_decline }]);
  });

  router.get("/clock/:id", clockPage);
  router.post("/clock/:id", (request, response) => {
    const { id = "" } = request.params;
    const { do: wanted } = formOf(request);
    const action = typeof wanted === "string" ? wanted : "";
    const done = act(options, id, action) ? `?done=${action}` : "";
    response.redirect(303, `${base}/clock/${encodeURIComponent(id)}${done}`);
  });

  router.use((request, response) => notFound(request, response));
  router.use(refusal());
  return router;

  function checkoutPage(request: Request, response: Response, typed: TypedCard, problems: FieldProblem[]): void {
    const session = store.get("checkout.session", request.params.id ?? "");
    const voice = voiceOf(request.headers, session.locale);
    const { t } = voice;
    if (session.status !== "open" || session.expires_at <= store.seconds()) return leave(request, response);
    const { subscription } = store.notes("checkout.session", session.id);
    const trialDays = subscription?.trialDays ?? null;
    const lines = lineItemsOf(store, session.id);
    const children = <CheckoutPage {...{ voice, session, lines, trialDays, typed, problems }} />;
    show(response, voice, t.pay.title, children, problems);
  }

  /** End of a session: leads to the address that the shop gave, or shows that the session is over. */
  function leave(request: Request, response: Response): void {
    const session = store.get("checkout.session", request.params.id ?? "");
    const complete = session.status === "complete";
    if (complete && session.success_url && request.method === "POST") {
      return response.redirect(303, session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id));
    }
    const voice = voiceOf(request.headers, session.locale);
    const { pay } = voice.t;
    const [heading, text] = complete ? [pay.paid, pay.paidText] : [pay.gone, pay.goneText];
    const goesTo = complete ? session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id) : session.cancel_url;
    const children = <OverPage heading={heading} text={text} back={goesTo ?? null} backLabel={pay.back} />;
    response.status(complete ? 200 : 410);
    show(response, voice, pay.title, children);
  }

  function portalPage(request: Request, response: Response, problems: FieldProblem[]): void {
    const session = store.get("billing_portal.session", request.params.id ?? "");
    const voice = voiceOf(request.headers, session.locale);
    const { portal } = voice.t;
    if (isPast(session.created)) {
      const over = { heading: portal.expired, text: portal.expiredText, back: session.return_url, backLabel: portal.back };
      response.status(410);
      return show(response, voice, portal.title, <OverPage {...over} />);
    }
    const view = portalView(options, session.customer, session.return_url);
    const children = <PortalPage {...{ voice, base, view, problems }} />;
    show(response, voice, portal.title, children, problems, request.query.done);
  }

  function invoicePage(request: Request, response: Response, typed: TypedCard, problems: FieldProblem[]): void {
    const invoice = store.get("invoice", request.params.id ?? "");
    // A draft has no page yet.
    if (invoice.status === "draft") return notFound(request, response);
    const voice = voiceOf(request.headers);
    const title = fill(voice.t.invoice.title, { number: invoice.number ?? invoice.id });
    const children = <InvoicePage {...{ voice, invoice, pending: isPending(invoice.id), typed, problems }} />;
    show(response, voice, title, children, problems, request.query.done);
  }

  function clockPage(request: Request, response: Response): void {
    const { id = "" } = request.params;
    const voice = voiceOf(request.headers);
    const { t, date, money, status } = voice;
    const subscription = store.find("subscription", id);
    if (!subscription) {
      const intent = store.get("payment_intent", id);
      const charge = store.find("charge", idOf(intent.latest_charge) ?? "");
      const word = charge?.refunded ? "refunded" : charge?.disputed ? "disputed" : intent.status;
      const name = money(intent.amount, intent.currency);
      const actions = actionsOnPayment(options, intent);
      const children = <ClockPage voice={voice} facts={[[t.clock.payment, status(word)]]} actions={actions} />;
      return show(response, voice, fill(t.clock.title, { name }), children, [], request.query.done);
    }
    const item = itemOf(subscription);
    const period = { start: date(item.current_period_start), end: date(item.current_period_end) };
    const name = store.find("product", idOf(item.price.product) ?? "")?.name ?? subscription.id;
    const facts: [string, string][] = [
      [t.clock.status, status(subscription.status)],
      [t.clock.period, fill(t.portal.until, period)],
    ];
    const children = <ClockPage voice={voice} facts={facts} actions={actionsOn(options, subscription)} />;
    show(response, voice, fill(t.clock.title, { name }), children, [], request.query.done);
  }

  function isPending(invoiceId: string): boolean {
    const { paymentIntent } = store.notes("invoice", invoiceId);
    return paymentIntent !== undefined && store.get("payment_intent", paymentIntent).status === "processing";
  }

  function isPast(created: number): boolean {
    return created + PORTAL_SECONDS <= store.seconds();
  }

  function show(
    response: Response,
    voice: Voice,
    title: string,
    children: React.ReactNode,
    problems: FieldProblem[] = [],
    done?: unknown,
  ): void {
    if (problems.length > 0) response.status(422);
    response.set("Content-Language", voice.locale).type("html");
    response.send(renderPage({ voice, base, title, problems, done, children }));
  }

  function notFound(request: Request, response: Response): void {
    const voice = voiceOf(request.headers);
    response.status(404);
    show(response, voice, voice.t.missing.title, <p>{voice.t.missing.text}</p>);
  }

  function refusal(): ErrorRequestHandler {
    return (error: unknown, request, response, next) => {
      if (response.headersSent) return next(error);
      if (error instanceof StripeError && error.status === 404) return notFound(request, response);
      const { status = 500 } = error as { status?: number };
      if (status >= 500) log?.("A page of the cashier broke", error);
      const voice = voiceOf(request.headers);
      response.status(status);
      show(response, voice, voice.t.broken.title, <p>{voice.t.broken.text}</p>);
    };
  }
}

function formOf({ body }: Request): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
