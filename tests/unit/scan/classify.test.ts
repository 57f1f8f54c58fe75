import german from "locales/de/check.json";
import english from "locales/en/check.json";
import { describe, expect, it } from "vitest";
import { botProtection, type AnswerSigns } from "~/scan/visit/bot-protection";
import { failureOfDocument, failureOfEgress, failureOfLoading, failureOfResponse } from "~/scan/visit/classify";
import { failureKind } from "~/scan/failure-kind";
import { REASONS } from "~/scan/types";

const NO_TRACE = { outcome: undefined };
const SHOP = "https://shop.example/";

describe("an address that could not be loaded has the right reason", () => {
  it.each([
    ["net::ERR_NAME_NOT_RESOLVED", "dns"],
    ["net::ERR_CONNECTION_REFUSED", "refused"],
    ["net::ERR_CONNECTION_RESET", "refused"],
    ["net::ERR_EMPTY_RESPONSE", "refused"],
    ["net::ERR_CONNECTION_TIMED_OUT", "timeout"],
    ["net::ERR_TIMED_OUT", "timeout"],
    ["net::ERR_CERT_AUTHORITY_INVALID", "tls"],
    ["net::ERR_CERT_DATE_INVALID", "tls"],
    ["net::ERR_CERT_COMMON_NAME_INVALID", "tls"],
    ["net::ERR_SSL_PROTOCOL_ERROR", "tls"],
    ["net::ERR_SSL_VERSION_OR_CIPHER_MISMATCH", "tls"],
    ["net::ERR_BAD_SSL_CLIENT_AUTH_CERT", "tls"],
    ["net::ERR_TOO_MANY_REDIRECTS", "redirect_loop"],
    ["net::ERR_UNSAFE_REDIRECT", "blocked_address"],
    ["net::ERR_UNSAFE_PORT", "blocked_address"],
    ["net::ERR_UNKNOWN_URL_SCHEME", "blocked_address"],
    ["net::ERR_ABORTED", "crashed"],
    ["net::ERR_SOMETHING_NEW", "refused"],
  ])("%s means %s", (error, reason) => {
    expect(failureOfLoading(error, NO_TRACE, SHOP)).toEqual({ reason, detail: { technical: error } });
  });

  it.each([
    ["blocked", "blocked_address"],
    ["dns", "dns"],
    ["refused", "refused"],
    ["timeout", "timeout"],
    ["reset", "refused"],
    ["garbled", "refused"],
    ["overflow", "too_large"],
  ] as const)(
    "the egress filter's outcome (%s) counts more than the browser's error about its proxy",
    (kind, reason) => {
      const outcome = { kind, technical: "seen by the filter" };
      const trace = { outcome, address: "10.0.0.1" };
      expect(failureOfLoading("net::ERR_TUNNEL_CONNECTION_FAILED", trace, SHOP)).toEqual({
        reason,
        detail: { technical: "seen by the filter", address: "10.0.0.1" },
      });
      expect(failureOfEgress(outcome).reason).toBe(reason);
    },
  );

  it.each(["ftp://shop.example/", "view-source:https://shop.example/", "javascript:1", "intent://x"])(
    "a redirect to %s is not a crash",
    (url) => {
      expect(failureOfLoading("net::ERR_ABORTED", NO_TRACE, url)).toEqual({
        reason: "blocked_address",
        detail: { technical: "net::ERR_ABORTED", address: url },
      });
    },
  );

  it("a site that claims to be a proxy has answered with an HTTP error", () => {
    expect(failureOfLoading("net::ERR_UNEXPECTED_PROXY_AUTH", NO_TRACE, SHOP)).toMatchObject({
      reason: "http_status",
      detail: { httpStatus: 407 },
    });
  });

  it("a bad certificate is the reason, whatever happens to the connection", () => {
    const outcome = { kind: "reset", technical: "hung up" } as const;
    expect(failureOfLoading("net::ERR_CERT_AUTHORITY_INVALID", { outcome }, SHOP).reason).toBe("tls");
  });
});

describe("an answer is judged by its headers before its body is read", () => {
  const response = (mimeType: string, headers: Record<string, string> = {}, status = 200) => ({
    url: "https://shop.example/",
    status,
    mimeType,
    headers,
  });
  const reasonOf = (...args: Parameters<typeof response>) =>
    failureOfResponse(response(...args), 1_000)?.reason;

  it("HTML, XHTML and SVG are pages", () => {
    expect(reasonOf("text/html")).toBeUndefined();
    expect(reasonOf("image/svg+xml")).toBeUndefined();
    expect(reasonOf("application/xhtml+xml")).toBeUndefined();
  });

  it.each([
    "application/json",
    "application/pdf",
    "text/plain",
    "application/xml",
    "video/mp4",
  ])("%s is not HTML", (type) => expect(reasonOf(type)).toBe("not_html"));

  it("the content type is reported as the server sent it", () => {
    expect(
      failureOfResponse(response("text/plain", { "content-type": "text/plain; charset=x" }), 1_000)?.detail,
    ).toEqual({
      httpStatus: 200,
      contentType: "text/plain; charset=x",
    });
  });

  it("an attachment is a download, even if it is HTML; so is a stream of bytes", () => {
    expect(reasonOf("text/html", { "content-disposition": 'Attachment; filename="x"' })).toBe("download");
    expect(reasonOf("application/octet-stream")).toBe("download");
    expect(reasonOf("text/html", { "content-disposition": "inline" })).toBeUndefined();
  });

  it("an answer with a Content-Length above the limit is too large", () => {
    expect(reasonOf("text/html", { "content-length": "1001" })).toBe("too_large");
    expect(reasonOf("text/html", { "content-length": "1000" })).toBeUndefined();
  });

  it("no content is empty; an error status without HTML is final, one with HTML is judged by its document", () => {
    expect(reasonOf("text/html", {}, 204)).toBe("empty");
    expect(reasonOf("application/json", {}, 500)).toBe("http_status");
    expect(reasonOf("text/html", {}, 404)).toBeUndefined();
    expect(reasonOf("application/json", {}, 401)).toBe("login_required");
  });

  it("a challenge is recognised by its headers", () => {
    expect(reasonOf("text/html", { "cf-mitigated": "challenge" }, 403)).toBe("bot_protection");
  });
});

describe("a document is judged by its content", () => {
  const signs = (more: Partial<AnswerSigns> = {}): AnswerSigns => ({
    status: 200,
    headers: {},
    title: "",
    markup: "",
    ...more,
  });

  const page = { hasContent: true, isPicture: false };

  it("a drawing is no page", () => {
    expect(failureOfDocument(signs({ headers: { "content-type": "image/svg+xml" } }), { ...page, isPicture: true })).toMatchObject({
      reason: "not_html",
      detail: { contentType: "image/svg+xml" },
    });
  });

  it("a page needs content and no error status", () => {
    expect(failureOfDocument(signs(), page)).toBeUndefined();
    expect(failureOfDocument(signs(), { ...page, hasContent: false })?.reason).toBe("empty");
    expect(failureOfDocument(signs({ status: 404 }), page)).toEqual({
      reason: "http_status",
      detail: { httpStatus: 404 },
    });
  });

  it.each<[string, Partial<AnswerSigns>]>([
    ["Cloudflare", { status: 403, title: "Just a moment..." }],
    ["Cloudflare", { status: 403, title: "Attention Required! | Cloudflare" }],
    ["DataDome", { status: 403, markup: '<script src="https://geo.captcha-delivery.com/captcha/">' }],
    ["DataDome", { status: 403, headers: { "x-datadome": "protected" } }],
    ["Akamai", { status: 403, headers: { server: "AkamaiGHost" } }],
    ["Akamai", { title: "Access Denied", markup: "Reference&#32;&#35;18 https://errors.edgesuite.net/18.x" }],
    ["HUMAN (PerimeterX)", { status: 403, markup: '<div id="px-captcha">' }],
    ["Imperva", { markup: '<iframe id="main-iframe" src="/_Incapsula_Resource?x">' }],
    ["AWS WAF", { status: 202, headers: { "x-amzn-waf-action": "challenge" } }],
    ["Vercel", { status: 429, headers: { "x-vercel-mitigated": "challenge" } }],
    ["a captcha", { status: 429, markup: '<div class="h-captcha" data-sitekey="x">' }],
    ["a check of the browser", { title: "Checking your browser before accessing" }],
  ])("%s is recognised", (vendor, more) => {
    expect(botProtection(signs(more))).toBe(vendor);
    expect(failureOfDocument(signs(more), page)?.reason).toBe("bot_protection");
  });

  it.each<[string, Partial<AnswerSigns>]>([
    [
      "a shop behind Cloudflare",
      {
        headers: { server: "cloudflare", "cf-ray": "1" },
        markup: "/cdn-cgi/challenge-platform/scripts/jsd/main.js",
      },
    ],
    ["a page behind DataDome", { headers: { "x-datadome": "protected" }, markup: "js.datadome.co/tags.js" }],
    ["a page with PerimeterX' script", { markup: "window._pxAppId = 'PX1'" }],
    ["a page with Imperva's script", { markup: '<script src="/_Incapsula_Resource?x">' }],
    ["a form with a captcha", { markup: '<div class="g-recaptcha">' }],
    ["an article about security checks", { title: "How a security check works" }],
    ["Akamai's error for a missing page", { status: 404, headers: { server: "AkamaiGHost" } }],
  ])("%s is not a challenge", (_name, more) => {
    expect(botProtection(signs(more))).toBeUndefined();
  });

  it("markup that is made to be searched for ever is judged at once", () => {
    for (const part of ["/TSPD/", "/TSPD/x", "<iframe", "<iframe x", "/cdn-cgi/challenge-platform/"]) {
      expect(botProtection(signs({ markup: `<!-- ${part.repeat(50_000 / part.length)} -->` }))).toBeUndefined();
    }
  });

  it("F5's page is recognised by two signs in their order", () => {
    const notice = "Please enable JavaScript to view the page content.";
    expect(botProtection(signs({ markup: `<script src="/TSPD/08a?type=9"></script>${notice}` }))).toBe("F5");
    expect(botProtection(signs({ markup: `${notice}<script src="/TSPD/08a?type=9"></script>` }))).toBeUndefined();
  });
});

describe("an HTTP status gives a more exact reason", () => {
  it.each([
    ["http_status", 400, "client_error"],
    ["http_status", 403, "forbidden"],
    ["http_status", 404, "not_found"],
    ["http_status", 407, "client_error"],
    ["http_status", 410, "not_found"],
    ["http_status", 429, "too_many_requests"],
    ["http_status", 500, "server_error"],
    ["http_status", 503, "server_error"],
    ["http_status", 206, "http_status"],
    ["http_status", null, "http_status"],
    ["login_required", 401, "unauthorized"],
    ["login_required", null, "login_required"],
    ["timeout", 404, "timeout"],
  ] as const)("%s with %s is %s", (reason, status, kind) => expect(failureKind(reason, status)).toBe(kind));

  it("every reason has its own sentence in every language", () => {
    const statuses = [401, 403, 404, 429, 500, 418, 206];
    const kinds = [...REASONS, ...statuses.map((status) => failureKind(status === 401 ? "login_required" : "http_status", status))];
    for (const texts of [german, english]) {
      const sentences = [...new Set(kinds)].map((kind) => texts.reasons[kind].what);
      expect(new Set(sentences).size).toBe(REASONS.length + 6);
    }
    expect(german.reasons.forbidden.try).toContain("{{userAgent}}");
  });
});
