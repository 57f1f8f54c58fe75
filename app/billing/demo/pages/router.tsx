import type { ReactNode } from "react";
import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { isOpen, payCheckout } from "~/billing/demo/lifecycle/checkout";
import { act, actionsOn } from "~/billing/demo/lifecycle/clock";
import { actInPortal, PORTAL_SECONDS, portalView } from "~/billing/demo/lifecycle/portal";
import { payInvoice } from "~/billing/demo/lifecycle/subscription-lifecycle";
import { productName } from "~/billing/demo/objects/catalogue";
import { lineItemsOf } from "~/billing/demo/objects/checkout-sessions";
import { paymentOf } from "~/billing/demo/objects/invoices";
import { addCard } from "~/billing/demo/objects/payment-methods";
import { itemOf } from "~/billing/demo/objects/subscriptions";
import { StripeError } from "~/billing/demo/protocol/stripe-error";
import type { Objects } from "~/billing/demo/store/objects";
import type { Store } from "~/billing/demo/store/store";
import { withValues } from "~/platform/i18n/i18n.server";
import { EMPTY_FORM, readCard, type CardForm } from "./card-form";
import { CheckoutPage, OverPage } from "./checkout-page";
import { ClockPage } from "./clock-page";
import { InvoicePage } from "./invoice-page";
import { renderPage, type FieldProblem } from "./page";
import { pageContext, type PageContext } from "./page-context";
import { PortalPage } from "./portal-page";
import { STYLESHEET } from "./stylesheet";

export interface PagesOptions {
  store: Store;
  publicUrl: string;
  log?: (problem: string, error: unknown) => void;
}

/** Request for the page of one object. */
type Visit = Request<{ id: string }>;

/** The cashier's pages for browsers. The address of a page gives access to it, as on Stripe's own pages. */
export function createPages({ store, publicUrl, log }: PagesOptions): Router {
  const base = new URL(publicUrl).pathname;
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

  router.get("/pay/:id", (request, response) => checkoutPage(request, response));
  router.post("/pay/:id", (request, response) => {
    const session = store.get("checkout.session", request.params.id);
    const form = formOf(request);
    if (form.do === "cancel" && session.status !== "complete" && session.cancel_url) {
      return response.redirect(303, session.cancel_url);
    }
    if (session.status !== "open") return leave(request, response);
    const { t } = pageContext(request.headers, session.locale);
    const { typed, problems, card } = readCard(form, t, store.now());
    if (!card) return checkoutPage(request, response, { typed, problems });
    const declined = payCheckout(store, session.id, card);
    if (!declined) return leave(request, response);
    checkoutPage(request, response, { typed, problems: [{ field: "number", message: t.problem[declined.decline_code] }] });
  });

  router.get("/portal/:id", (request, response) => portalPage(request, response));
  router.post("/portal/:id", (request, response) => {
    const session = store.get("billing_portal.session", request.params.id);
    if (isPast(session.created)) return portalPage(request, response);
    const form = formOf(request);
    const done = actInPortal(store, session.customer, form);
    if (done !== "no such plan") return response.redirect(303, `${base}/portal/${session.id}${done ? `?done=${done}` : ""}`);
    const message = pageContext(request.headers, session.locale).t.problem.price;
    portalPage(request, response, [{ field: `price-${String(form.subscription)}`, message }]);
  });

  router.get("/invoice/:id", (request, response) => invoicePage(request, response));
  router.post("/invoice/:id", (request, response) => {
    const invoice = store.get("invoice", request.params.id);
    const { t } = pageContext(request.headers);
    const done = () => response.redirect(303, `${base}/invoice/${invoice.id}?done=pay`);
    if (invoice.status !== "open" || isPending(invoice.id)) return done();
    const { typed, problems, card } = readCard(formOf(request), t, store.now());
    if (!card) return invoicePage(request, response, { typed, problems });
    const result = store.change(() => payInvoice(store, invoice.id, addCard(store, invoice.customer, card)));
    if (result !== "declined") return done();
    invoicePage(request, response, { typed, problems: [{ field: "number", message: t.problem.generic_decline }] });
  });

  router.get("/clock/:id", clockPage);
  router.post("/clock/:id", (request, response) => {
    const { id } = request.params;
    const action = String(formOf(request).do);
    const done = act(store, id, action) ? `?done=${action}` : "";
    response.redirect(303, `${base}/clock/${encodeURIComponent(id)}${done}`);
  });

  router.use((request, response) => notFound(request, response));
  router.use(errorPage());
  return router;

  function checkoutPage(request: Visit, response: Response, form: CardForm = EMPTY_FORM): void {
    const session = store.get("checkout.session", request.params.id);
    if (!isOpen(store, session)) return leave(request, response);
    const context = pageContext(request.headers, session.locale);
    const children = <CheckoutPage {...{ context, session, lines: lineItemsOf(store, session.id), form }} />;
    show(response, context, context.t.pay.title, children, form.problems);
  }

  /** Ends a visit: redirects to the shop's address, or shows that the session is over. */
  function leave(request: Visit, response: Response): void {
    const session = store.get("checkout.session", request.params.id);
    const isComplete = session.status === "complete";
    const success = session.success_url?.replaceAll("{CHECKOUT_SESSION_ID}", session.id) ?? null;
    if (isComplete && success && request.method === "POST") return response.redirect(303, success);
    const context = pageContext(request.headers, session.locale);
    const { pay } = context.t;
    const over = isComplete
      ? { heading: pay.paid, text: pay.paidText, back: success }
      : { heading: pay.gone, text: pay.goneText, back: session.cancel_url };
    response.status(isComplete ? 200 : 410);
    show(response, context, pay.title, <OverPage {...over} backLabel={pay.back} />);
  }

  function portalPage(request: Visit, response: Response, problems: FieldProblem[] = []): void {
    const session = store.get("billing_portal.session", request.params.id);
    const context = pageContext(request.headers, session.locale);
    const { portal } = context.t;
    if (isPast(session.created)) {
      const over = { heading: portal.expired, text: portal.expiredText, back: session.return_url, backLabel: portal.back };
      response.status(410);
      return show(response, context, portal.title, <OverPage {...over} />);
    }
    const view = portalView(store, session.customer);
    const children = <PortalPage {...{ context, base, returnUrl: session.return_url, view, problems }} />;
    show(response, context, portal.title, children, problems, request.query.done);
  }

  function invoicePage(request: Visit, response: Response, form: CardForm = EMPTY_FORM): void {
    const invoice = store.get("invoice", request.params.id);
    // A draft has no page yet.
    if (invoice.status === "draft") return notFound(request, response);
    const context = pageContext(request.headers);
    const title = withValues(context.t.invoice.title, { number: invoice.number ?? invoice.id });
    const children = <InvoicePage {...{ context, invoice, isPending: isPending(invoice.id), form }} />;
    show(response, context, title, children, form.problems, request.query.done);
  }

  function clockPage(request: Visit, response: Response): void {
    const { id } = request.params;
    const context = pageContext(request.headers);
    const about = store.find("subscription", id) ?? store.get("payment_intent", id);
    const { name, facts } = about.object === "subscription" ? aboutSubscription(context, about) : aboutPayment(context, about);
    const { clock } = context.t;
    const children = <ClockPage t={context.t} facts={facts} actions={actionsOn(store, about)} />;
    show(response, context, withValues(clock.title, { name }), children, [], request.query.done);
  }

  function aboutSubscription({ t, status, period }: PageContext, subscription: Objects["subscription"]): About {
    const { price, current_period_start: start, current_period_end: end } = itemOf(subscription);
    const facts: About["facts"] = [[t.clock.status, status(subscription.status)], [t.clock.period, period(start, end)]];
    return { name: productName(store, price.id), facts };
  }

  function aboutPayment({ t, status, money }: PageContext, intent: Objects["payment_intent"]): About {
    const charge = store.find("charge", intent.latest_charge ?? "");
    const word = charge?.refunded ? "refunded" : charge?.disputed ? "disputed" : intent.status;
    return { name: money(intent.amount, intent.currency), facts: [[t.clock.payment, status(word)]] };
  }

  function isPending(invoiceId: string): boolean {
    return paymentOf(store, invoiceId)?.status === "processing";
  }

  function isPast(created: number): boolean {
    return created + PORTAL_SECONDS <= store.seconds();
  }

  function show(
    response: Response,
    context: PageContext,
    title: string,
    children: ReactNode,
    problems: FieldProblem[] = [],
    done?: unknown,
  ): void {
    if (problems.length > 0) response.status(422);
    response.set("Content-Language", context.locale).type("html");
    response.send(renderPage({ context, base, title, problems, done, children }));
  }

  function notFound(request: Request, response: Response): void {
    const context = pageContext(request.headers);
    response.status(404);
    show(response, context, context.t.missing.title, <p>{context.t.missing.text}</p>);
  }

  function errorPage(): ErrorRequestHandler {
    return (error: unknown, request, response, next) => {
      if (response.headersSent) return next(error);
      if (error instanceof StripeError && error.status === 404) return notFound(request, response);
      const { status = 500 } = error as { status?: number };
      if (status >= 500) log?.("A page of the cashier broke", error);
      const context = pageContext(request.headers);
      response.status(status);
      show(response, context, context.t.broken.title, <p>{context.t.broken.text}</p>);
    };
  }
}

/** Subject of the clock page. */
interface About {
  name: string;
  facts: [name: string, value: string][];
}

function formOf({ body }: Request): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
