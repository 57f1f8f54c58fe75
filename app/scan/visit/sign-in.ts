import type { SignInForm } from "./sign-in-form";
import { isHashRoute } from "~/scan/redirect";

/** Path segments that only a sign-in page has, without separators and endings such as `.php`. */
const SIGN_IN = new RegExp(
  `^(?:(?:wp|user|member|customer|client|partner|admin|account|web|my|do|auth|sso|portal|shop|kunden|mitglieder|benutzer|nutzer)?(?:${[
    "login|logon|signin|einloggen|kundenanmeldung|benutzeranmeldung",
    "connexion|seconnecter|iniciarsesion|iniciosesion|iniciarsessao|accedi|inloggen|loggain|logind|logginn",
    "kirjaudu|kirjautuminen|logowanie|zaloguj|zalogujsie|prihlaseni|prihlasit|prihlasenie|bejelentkezes|autentificare",
    "вход|войти|ログイン|登录|登入",
  ].join("|")})(?:form|page|seite)?)$`,
);

/** Segments that often mean something else: a course registration, documentation. */
const MAY_BE_SIGN_IN = new RegExp(
  `^(?:${[
    "anmelden|anmeldung|aanmelden|acceso|accesso|acceder|entrar|prijava|giris|identification|identify|authentification",
    "auth|authenticate|authentication|authorize|oauth|oauth2|sso|saml|saml2|cas|adfs|idp|openid",
  ].join("|")})$`,
);

const SIGN_IN_HOST = /^(?:login|signin|auth|sso|idp|accounts?|id|oauth|keycloak|adfs|cas)\d*\./;

/** Segments of articles about sign-ins. */
const ARTICLES =
  /^(?:docs?|doku|dokumentation|documentation|help|hilfe|blog|wiki|handbuch|manual|faqs?|news|artikel|articles?|support|kb|guides?|ratgeber|magazin)$/;

/** Parameters that always name the address to return to after a sign-in. */
const RETURN =
  /^(?:return(?:to|url|uri|path)|redirect(?:to|url|uri)|back(?:url|to)|target(?:url|path)|continueurl|requested(?:url|uri)|relaystate|callbackurl|successurl)$/;
/** Parameters that name that address only if their value is the requested address. */
const MAY_RETURN =
  /^(?:return|redirect|redir|next|nexturl|continue|goto|dest|destination|target|from|back|url|uri|ref|referer|referrer|r|rd|ru|u|service|wreply|callback|origin|forward|path|source|then|after)$/;

/** Does the reached address differ enough from the requested one to be another page? */
export function isAnotherPage(asked: string, reached: string): boolean {
  if (!URL.canParse(asked) || !URL.canParse(reached)) return false;
  const [from, to] = [new URL(asked), new URL(reached)];
  return (
    hostOf(from) !== hostOf(to) ||
    pathOf(from) !== pathOf(to) ||
    (isSignInRoute(to) && routesOf(from).join() !== routesOf(to).join())
  );
}

/**
 * Did a request for a page lead to a sign-in instead? A sign-in page requested by its own address is a page like any
 * other.
 * @param form form of the document at the reached address
 */
export function ledToSignIn(asked: string, reached: string, form: SignInForm): boolean {
  if (!isAnotherPage(asked, reached)) return false;
  const [from, to] = [new URL(asked), new URL(reached)];
  const leadsBack = returnValues(to).some(({ value }) => isPathOf(value, from, to));
  if (isSignInPage(from) || isSignInRoute(from)) return false;
  if (mayBeSignInPage(from) && !leadsBack) return false;

  const isOtherHost = hostOf(from) !== hostOf(to);
  if (isSignInProtocol(to) && (isOtherHost || mayBeSignInPage(to))) return true;
  const isNamedSignIn = (isBelowSignIn(to) && (leadsBack || !isArticle(to))) || isSignInRoute(to);
  const mayBeNamedSo = mayBeSignInPage(to) || (isOtherHost && SIGN_IN_HOST.test(to.hostname));
  // Some sites ask for the user name first, and for the password on the next page.
  if (!form.hasPassword) return leadsBack && (isNamedSignIn || (mayBeNamedSo && !isArticle(to)));
  if (isNamedSignIn) return true;
  if (!form.hasPasswordInContent) return false;
  if (mayBeNamedSo && form.asksForKnownPassword && !isArticle(to)) return true;
  return leadsBack || returnValues(to).some(({ isCertain, value }) => isCertain && /^(?:\/|https?:|%2f)/i.test(value));
}

/** Host names with and without `www.`, and both schemes, are one site. */
const hostOf = ({ hostname, port }: URL) => `${hostname.replace(/^www\./, "")}:${port}`;

const pathOf = (url: URL) => segmentsOf(url).join("/");

function segmentsOf(url: URL): string[] {
  const route = isHashRoute(url) ? url.hash.replace(/^#!?/, "").replace(/\?.*$/, "") : "";
  return `${url.pathname}${route}`.split("/").filter(Boolean).map(plain);
}

/** Plain word of a segment: `Sign-In.aspx` is `signin`. */
function plain(segment: string): string {
  const withoutAccents = decoded(segment).normalize("NFKD").replace(/(?<=\p{Script=Latin})\p{M}+/gu, "");
  const name = withoutAccents.normalize("NFC").toLowerCase();
  const [withoutParameters = ""] = name.split(";", 1);
  return withoutParameters.replace(/\.(?:php\d?|html?|aspx?|jspx?|jsf|do|action|cgi|xhtml)$/, "").replace(/[-_.\s]+/g, "") || name;
}

/** Is the address part of a sign-in? Its later steps are below its path. */
const isBelowSignIn = (url: URL) => segmentsOf(url).some((segment) => SIGN_IN.test(segment)) || isSignInPage(url);

function isSignInPage(url: URL): boolean {
  const [last = "", before = ""] = segmentsOf(url).reverse();
  return SIGN_IN.test(last) || (/^(?:user)?sessions?$/.test(before) && last === "new");
}

const mayBeSignInPage = (url: URL) => MAY_BE_SIGN_IN.test(segmentsOf(url).at(-1) ?? "");

const isArticle = (url: URL) => segmentsOf(url).some((segment) => ARTICLES.test(segment));

/** Routes of systems that name their pages in the query, as in `route=account/login`. */
function routesOf({ searchParams }: URL): string[] {
  return [...searchParams].flatMap(([name, value]) => {
    const last = plain(value.split("/").at(-1) ?? "");
    return !RETURN.test(plain(name)) && !MAY_RETURN.test(plain(name)) && SIGN_IN.test(last) ? [`${name}=${value}`] : [];
  });
}

const isSignInRoute = (url: URL) => routesOf(url).length > 0;

/** Is it a request of OAuth 2, OpenID Connect, SAML or WS-Federation, according to the address? */
function isSignInProtocol({ searchParams }: URL): boolean {
  const names = new Set([...searchParams.keys()].map((name) => name.toLowerCase()));
  if (names.has("samlrequest") || searchParams.get("wa") === "wsignin1.0") return true;
  return names.has("client_id") && (names.has("redirect_uri") || names.has("response_type"));
}

/** Values of parameters for the return address, also of those inside the fragment. */
function returnValues(url: URL): { value: string; isCertain: boolean }[] {
  const inRoute = isHashRoute(url) ? (url.hash.split("?")[1] ?? "") : "";
  return [...url.searchParams, ...new URLSearchParams(inRoute)].flatMap(([name, value]) => {
    const known = plain(name);
    const isCertain = RETURN.test(known);
    return isCertain || MAY_RETURN.test(known) ? [{ value, isCertain }] : [];
  });
}

/** Does a value name the requested page? It may be an address, encoded twice, or Base64. */
function isPathOf(value: string, asked: URL, reached: URL): boolean {
  const path = pathOf(asked);
  // Any site's address names its start page.
  if (path === "") return false;
  const inBase64 = /^[\w+/-]{4,}={0,2}$/.test(value) ? Buffer.from(value, "base64").toString("utf8") : value;
  return [value, decoded(value), inBase64].some((written) => {
    if (!/^(?:\/|https?:)/i.test(written) || !URL.canParse(written, reached.href)) return false;
    return pathOf(new URL(written, reached.href)) === path;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
