import { givenSetting, SETTINGS, type Env } from "~/platform/env.server";

/** Names of secret values, by their last word; this also covers future settings. */
const SECRET = /(^|_)(SECRET|TOKEN|PASSWORD)(_|$)|_KEY$/;
const MASK = "***";

export interface SettingRow {
  name: string;
  /** Value without passwords; null if it is unset or secret. */
  value: string | null;
  isSecret: boolean;
  isSet: boolean;
  /** `start`: generated at the first start. */
  from: "environment" | "file" | "default" | "start";
  /** Accepted values, in English. */
  wants: string;
}

/** All settings in use, for administrators, without secret values. */
export function settingRows(env: Env, given = givenSetting): SettingRow[] {
  return SETTINGS.map(({ name, wants, fallback }) => {
    const own = given(name);
    const isSecret = SECRET.test(name);
    const text = own?.text ?? fallback ?? textOf(env[name as keyof Env]);
    // An installation without this setting has generated a secret.
    const isMade = name === "SESSION_SECRET" && !own;
    return {
      ...{ name, wants, isSecret },
      value: isSecret || text === null || text === "" ? null : withoutPassword(text),
      isSet: isMade || (text !== null && text !== ""),
      from: own?.from ?? (isMade ? "start" : "default"),
    };
  });
}

/** Text of a computed default. */
function textOf(value: Env[keyof Env]): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Hides the credentials of an address (but not the user name beside a password) and its query. */
function withoutPassword(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  // An address that we cannot parse may still work in the program that uses it.
  if (!URL.canParse(text)) return MASK;
  const url = new URL(text);
  const isPage = /^https?:$/.test(url.protocol);
  // With an unescaped special character, part of a password looks like host and path.
  if (!isPage && `${url.pathname}${url.hash}`.includes("@")) return MASK;
  if (!url.username && !url.password && (isPage || !url.search)) return text;
  if (url.password) url.password = MASK;
  else if (url.username) url.username = MASK;
  if (!isPage && url.search) url.search = MASK;
  return url.href;
}
