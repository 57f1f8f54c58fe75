import { expect, test } from "vitest";
import { reachedElsewhere } from "~/scan/redirect";
import { ledToSignIn } from "~/scan/visit/sign-in";
import type { SignInForm } from "~/scan/visit/sign-in-form";

const SITE = "https://www.example.com";
const at = (path: string) => new URL(path, SITE).href;

const NONE: SignInForm = { hasPassword: false, hasPasswordInContent: false, asksForKnownPassword: false };
/** Sign-in form in a closed menu. */
const ASIDE: SignInForm = { ...NONE, hasPassword: true };
const NEW_PASSWORD: SignInForm = { ...ASIDE, hasPasswordInContent: true };
const FORM: SignInForm = { ...NEW_PASSWORD, asksForKnownPassword: true };

test.each([
  ["/konto", "/login"],
  ["/", "/login"],
  ["/", "/de/login/"],
  ["http://example.com/konto", "/Login.aspx?ReturnUrl=%2fkonto"],
  ["/konto", "/anmelden"],
  ["/konto", "/de/anmeldung"],
  ["/konto", "/kunden-login.html"],
  ["/konto", "/mein-konto?redirect_to=%2Fkonto"],
  ["/wp-admin/", "/wp-login.php?redirect_to=https%3A%2F%2Fwww.example.com%2Fwp-admin%2F&reauth=1"],
  ["/orders", "/users/sign_in"],
  ["/orders", "/session/new"],
  ["/orders", "/customer/account/login/referer/aHR0cHM6Ly93d3c/"],
  ["/orders", "/login/password"],
  ["/index.php?route=account/account", "/index.php?route=account/login"],
  ["/index.php?option=com_users&view=profile", "/index.php?option=com_users&view=login"],
  ["/mitglieder", "/start?return=L21pdGdsaWVkZXI="],
  ["/mitglieder", "/willkommen?next=%252Fmitglieder"],
  ["/app/orders", "/account/connexion"],
  ["/auth/profile", "/auth/login"],
  ["/auth", "/enter?returnTo=/auth"],
  ["/anmeldung", "/login?returnTo=/anmeldung"],
  ["/", "/#/login"],
  ["/#/orders", "/#/login?returnTo=%2Forders"],
  ["/orders", "https://auth.example.com/realms/shop"],
  ["/orders", "https://sso.example.org/auth"],
  ["/konto", "/вход"],
  ["/konto", "/ログイン"],
])("a request for %s that ends at the password form %s was led to a sign-in", (asked, reached) => {
  expect(ledToSignIn(at(asked), at(reached), FORM)).toBe(true);
});

test.each<[string, string, SignInForm, string]>([
  ["/konto", "/login", ASIDE, "the field is shown only later"],
  ["/konto", "/login?returnTo=/konto", NONE, "the form asks for the user name first"],
  ["/konto", "/anmelden?returnTo=%2Fkonto", NONE, "the same under a German name"],
  ["/konto", "https://login.example.org/u?return_to=https%3A%2F%2Fwww.example.com%2Fkonto", NONE, "the same on another host"],
  ["/konto", "/oauth2/authorize?client_id=1&redirect_uri=https%3A%2F%2Fwww.example.com%2Fcb", NONE, "OpenID Connect of the site itself"],
  ["/konto", "https://id.example.org/v2/authorize?client_id=1&redirect_uri=https%3A%2F%2Fwww.example.com%2Fcb", NONE, "OpenID Connect"],
  ["/konto", "https://idp.example.org/saml?SAMLRequest=fZJ", NONE, "SAML"],
  ["/konto", "https://adfs.example.org/adfs/ls/?wa=wsignin1.0&wtrealm=x", NONE, "WS-Federation"],
  ["/konto", "/registrieren?returnTo=/konto", NEW_PASSWORD, "a registration instead of the page"],
])("%s that led to %s is a sign-in: %s", (asked, reached, form) => {
  expect(ledToSignIn(at(asked), at(reached), form)).toBe(true);
});

test.each<[string, string, SignInForm, string]>([
  ["/kurs", "/anmeldung", NONE, "a registration for a course"],
  ["/konto", "/hilfe/anmelden?returnTo=%2Fkonto", NONE, "an article"],
  ["/login", "/login", FORM, "the requested sign-in page"],
  ["/login", "/de/login", FORM, "the requested sign-in page in another language"],
  ["http://example.com/login", "/login/", FORM, "the requested sign-in page at another scheme and host name"],
  ["/login?next=/konto", "/login/?next=/konto", FORM, "the requested sign-in page with a return address"],
  ["/login", "https://id.example.org/authorize?client_id=1&response_type=code", FORM, "the requested sign-in page of another provider"],
  ["/konto", "/konto?step=1", FORM, "the same path"],
  ["/old", "/new", FORM, "a newsletter with a password"],
  ["/old", "/new?from=newsletter", FORM, "a campaign"],
  ["/old", "/new?utm_source=x&ref=/home", FORM, "a parameter that names another page"],
  ["/old", "/new?from=/old", ASIDE, "a password field in the menu of every page"],
  ["/", "/start?from=/", FORM, "a parameter that only names the start page"],
  ["/konto", "/login", NONE, "a page about a login, without a password field"],
  ["/kurse", "/kurse/anmeldung", NEW_PASSWORD, "a registration for a course"],
  ["/kurse", "/kurse/anmeldung", ASIDE, "a registration for a course, with a password field in the menu"],
  ["/hilfe/zugang", "/hilfe/login", FORM, "an article"],
  ["/docs", "/docs/auth", FORM, "documentation"],
  ["/author", "/authors/jane", FORM, "a word that is only part of another word"],
  ["/old-post", "/blog/how-to-fix-your-login", FORM, "an article's name"],
  ["/oauth-explained", "/topics?client_id=1", FORM, "only part of a protocol"],
  ["/shop", "/shop?lang=login", NONE, "a parameter without a password field"],
  ["not an address", "/login", FORM, "no address"],
])("%s that led to %s is not a sign-in: %s", (asked, reached, form) => {
  const url = asked === "not an address" ? asked : at(asked);
  expect(ledToSignIn(url, at(reached), form)).toBe(false);
});

test("an address that is made to be read for ever is judged at once", () => {
  expect(ledToSignIn(at("/shop"), at(`/${";".repeat(60_000)}%0A`), FORM)).toBe(false);
  expect(ledToSignIn(at("/shop"), at("/login.php;jsessionid=1;x=2"), FORM)).toBe(true);
});

test("the address reached is reported if it differs from the requested one", () => {
  const reached = (url: string, finalUrl: string | null) => reachedElsewhere({ url, finalUrl });
  expect(reached("http://a.example/", "https://a.example/")).toBe("https://a.example/");
  expect(reached("https://a.example/x", "https://a.example/x/")).toBe("https://a.example/x/");
  expect(reached("https://a.example/", "https://a.example/#/login")).toBe("https://a.example/#/login");
  expect(reached("https://a.example/x#part", "https://a.example/x")).toBeNull();
  expect(reached("https://a.example/x", "https://a.example/x#part")).toBeNull();
  expect(reached("no address", "no address")).toBeNull();
  expect(reached("https://a.example/", null)).toBeNull();
});
