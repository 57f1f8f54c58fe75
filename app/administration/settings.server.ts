import { givenSetting, SETTINGS, type Env } from "~/platform/env.server";

/** Names of secret values, by their last word; also of settings that are added later. */
const SECRET = /(^|_)(SECRET|TOKEN|PASSWORD)(_|$)|_KEY$/;
const MASK = "***";

export interface SettingRow {
  name: string;
  /** Without passwords; null if it is unset or secret. */
  value: string | null;
  isSecret: boolean;
  isSet: boolean;
  /** `start`: made at the first start. */
  from: "environment" | "file" | "default" | "start";
  /** Accepted values, in English. */
  wants: string;
}

/** All settings as they are in use, for administrators: no value of a secret. */
export function settingRows(env: Env, given = givenSetting): SettingRow[] {
  return SETTINGS.map(({ name, wants, fallback }) => {
    const own = given(name);
    const isSecret = SECRET.test(name);
    const text = own?.text ?? fallback ?? textOf(env[name as keyof Env]);
    // An installation without one has made its own.
    const isMade = name === "SESSION_SECRET" && !own;
    return {
      ...{ name, wants, isSecret },
      value: isSecret || text === null || text === "" ? null : withoutPassword(text),
      isSet: isMade || (text !== null && text !== ""),
      from: own?.from ?? (isMade ? "start" : "default"),
    };
  });
}

/** A default that was computed. */
function textOf(value: Env[keyof Env]): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Hides what an address has in front of its host, but for the name beside a password, and options behind it. */
function withoutPassword(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  // Its parts cannot be told apart, but the program that uses it may understand it.
  if (!URL.canParse(text)) return MASK;
  const url = new URL(text);
  const isPage = /^https?:$/.test(url.protocol);
  // A password with a character that wants an escape looks like a host and a path.
  if (!isPage && `${url.pathname}${url.hash}`.includes("@")) return MASK;
  if (!url.username && !url.password && (isPage || !url.search)) return text;
  if (url.password) url.password = MASK;
  else if (url.username) url.username = MASK;
  if (!isPage && url.search) url.search = MASK;
  return url.href;
}
