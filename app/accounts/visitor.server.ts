import type { Cookie } from "@remix-run/node";
import type { Flash } from "~/platform/http/flash";
import { hostCookie, type HostCookieOptions } from "./host-cookie.server";
import type { HostedTokens } from "./hosted/hosted";
import type { KeptForm, NewSession, Session, Sessions } from "./session.server";
import type { KnownBrowsers } from "./known-browser.server";
import type { User } from "./user.server";
import { DAY_SECONDS } from "~/platform/durations";
import { waitBriefly } from "~/platform/async/wait-briefly";
import { randomToken } from "~/platform/crypto/tokens.server";

export interface SessionCookieOptions extends HostCookieOptions {
  /** Lifetime of a signed-in session. */
  days: number;
}

/** Cookie with the session's opaque id. */
export function createSessionCookie({ days, ...options }: SessionCookieOptions): Cookie {
  return hostCookie("session", options, days * DAY_SECONDS);
}

const BROWSER_DAYS = 365;

/** Cookie with a random id of the browser, which stays after signing out. */
export function createBrowserCookie(options: HostCookieOptions): Cookie {
  return hostCookie("browser", options, BROWSER_DAYS * DAY_SECONDS);
}

/** Browser of a request, and its session. */
export interface Visitor {
  session(): Promise<Session | null>;
  /** The signed-in user. */
  user(): Promise<User | null>;
  /**
   * Begins a session with a new id, and ends the previous one; a kept form moves to the new session.
   * @returns true if the user had signed in in this browser before
   */
  signIn(userId: string, tokens?: HostedTokens): Promise<boolean>;
  /** Gives the signed-in user's session a new id, without a new sign-in. */
  renew(): Promise<void>;
  signOut(): Promise<void>;
  /** Id of this browser, if it has signed in to the account with that address before; null otherwise. */
  knownBrowser(email: string): Promise<string | null>;
  /** Name of the browser, for a mail. */
  browserName: string | null;
  /** Stores a message for the next page. */
  flash(flash: Flash): Promise<void>;
  /** Message to show; only `dropShownFlash` deletes it, so that a redirect does not lose it. */
  showFlash(): Promise<Flash | null>;
  dropShownFlash(): Promise<void>;
  keepForm(form: Pick<KeptForm, "path" | "fields">): Promise<void>;
  /** Kept fields of the form at a path; deleted after the first call. */
  takeKept(path: string): Promise<FormFields | null>;
  /** The same for a form with several fields of one name. */
  takeKeptForm(path: string): Promise<FormData | null>;
  setTokens(tokens: HostedTokens | null): Promise<void>;
  /** Sets the cookie of a setting (`settingCookie`). */
  keepSetting(cookie: string): void;
}

type FormFields = Partial<Record<string, string>>;

export interface VisitorOptions {
  sessions: Sessions;
  cookie: Cookie;
  knownBrowsers: KnownBrowsers;
  browserCookie: Cookie;
  cookieHeader: string | undefined;
  userAgent: string | undefined;
  /** Adds a `Set-Cookie` header to the response. */
  setCookie: (value: string) => void;
  /** Handles errors that must not fail the request. */
  onError: (error: unknown) => void;
}

/** Visitor of a request. Reads the session once, at first use; writes at once, so that no response can forget it. */
export function createVisitor(options: VisitorOptions): Visitor {
  const { sessions, cookie, knownBrowsers, browserCookie, cookieHeader, userAgent, setCookie, onError } = options;
  let current: Promise<Session | null> | undefined;
  let flashShown = false;
  let formerOwner: string | null = null;

  const session = () => (current ??= load());

  async function load(): Promise<Session | null> {
    const id: unknown = cookieHeader === undefined ? null : await cookie.parse(cookieHeader);
    if (typeof id !== "string") return null;
    const found = await sessions.find(id);
    if (!found) formerOwner = await sessions.ownerOf(id);
    else if (await isTouched(found)) {
      setCookie(await cookie.serialize(id));
      // Notes the browser of sessions that are older than this cookie.
      if (found.user) await waitBriefly(noteBrowser(found.user.id), false, onError);
    }
    return found ?? null;
  }

  /** Extends the session. Pages stay readable if the database cannot be written. */
  async function isTouched(found: Session): Promise<boolean> {
    return waitBriefly(sessions.touch(found), false, onError);
  }

  async function browserId(): Promise<string | null> {
    const id: unknown = cookieHeader === undefined ? null : await browserCookie.parse(cookieHeader);
    return typeof id === "string" ? id : null;
  }

  async function noteBrowser(userId: string): Promise<boolean> {
    const id = (await browserId()) ?? randomToken();
    const wasKnown = await knownBrowsers.note(id, userId);
    setCookie(await browserCookie.serialize(id));
    return wasKnown;
  }

  async function begin(userId: string | null, more: Omit<NewSession, "userId" | "browser">) {
    const id = await sessions.begin({ userId, browser: userId && browserOf(userAgent), ...more });
    setCookie(await cookie.serialize(id));
    current = sessions.find(id).then((found) => found ?? null);
  }

  async function takeFields(path: string): Promise<KeptForm["fields"] | null> {
    const present = await session();
    if (present?.kept?.path !== path) return null;
    await sessions.dropKept(present.idHash);
    return present.kept.fields;
  }

  return {
    session,
    keepSetting: setCookie,
    user: async () => (await session())?.user ?? null,
    browserName: browserOf(userAgent),

    async knownBrowser(email) {
      const id = await browserId();
      return id !== null && (await knownBrowsers.isKnown(id, email)) ? id : null;
    },

    async signIn(userId, tokens) {
      const before = await session();
      if (before?.user?.id === userId) await sessions.retire(before.idHash);
      else if (before) await sessions.end(before.idHash);
      // The kept form is only for its owner, not for another user who signs in here.
      const kept = before?.kept;
      const isOthers = kept?.owner && kept.owner !== userId;
      await begin(userId, { tokens, kept: isOthers ? null : kept });
      return noteBrowser(userId);
    },

    async renew() {
      const before = await session();
      if (!before?.user) return;
      const { user, kept, tokens, createdAt } = before;
      await sessions.retire(before.idHash);
      await begin(user.id, { kept, tokens, createdAt });
      await noteBrowser(user.id);
    },

    async signOut() {
      const before = await session();
      if (before) await sessions.end(before.idHash);
      setCookie(await cookie.serialize("", { maxAge: 0 }));
      current = Promise.resolve(null);
    },

    async flash(flash) {
      const present = await session();
      if (present) await sessions.setFlash(present.idHash, flash);
      else await begin(null, { flash });
    },

    async showFlash() {
      const flash = (await session())?.flash ?? null;
      flashShown = flash !== null;
      return flash;
    },

    async dropShownFlash() {
      const present = flashShown && (await session());
      if (present) await waitBriefly(sessions.dropFlash(present.idHash), undefined, onError);
    },

    async keepForm(fields) {
      const present = await session();
      const form = { ...fields, owner: present?.user?.id ?? formerOwner };
      if (present) await sessions.keepForm(present.idHash, form);
      else await begin(null, { kept: form });
    },

    async takeKept(path) {
      const fields = await takeFields(path);
      return fields && Object.fromEntries(fields);
    },

    async takeKeptForm(path) {
      const fields = await takeFields(path);
      if (!fields) return null;
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value);
      return form;
    },

    async setTokens(tokens) {
      const present = await session();
      if (present) await sessions.setTokens(present.idHash, tokens);
    },
  };
}

const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\b(?:w3m|Lynx|Links|ELinks)\b/i, "Textbrowser"],
];
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Names of browser and system, so that users recognise their own browsers; no other part is stored. */
function browserOf(userAgent = ""): string | null {
  const nameIn = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter(Boolean).join(", ") || null;
}
