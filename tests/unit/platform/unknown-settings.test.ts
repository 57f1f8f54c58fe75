import { expect, test } from "vitest";
import { SETTINGS } from "~/platform/env.server";
import { unknownSettings } from "~/platform/unknown-settings.server";

test.each([
  ["SMPT_URL", "SMTP_URL"],
  ["SCAN_MAXPAGES", "SCAN_MAX_PAGES"],
  ["DATADIR", "DATA_DIR"],
  ["BASE_URI", "BASE_URL"],
  ["MAIL_FORM", "MAIL_FROM"],
  ["AUTH0_CLIENTID", "AUTH0_CLIENT_ID"],
  ["Stripe_Secret_Key", "STRIPE_SECRET_KEY"],
  ["RETENTION_DAY", "RETENTION_DAYS"],
])("%s is told, with the name it may mean", (name, meant) => {
  expect(unknownSettings({ [name]: "x" })).toEqual([`${name} is set, but there is no such setting: do you mean ${meant}?`]);
});

test("one with our prefix is told, even if it is close to none", () => {
  expect(unknownSettings({ SCAN_EVERYTHING_AT_ONCE: "yes", OPERATOR_DOG: "Rex" })).toEqual([
    "SCAN_EVERYTHING_AT_ONCE is set, but there is no such setting",
    "OPERATOR_DOG is set, but there is no such setting",
  ]);
});

test.each(["SMTP_HOST", "SMTP_USER", "SMTP_PASSWORD", "MAIL_HOST", "OIDC_SCOPE", "OIDC_REDIRECT_URI", "CONTACT_ADDRESS", "METRICS_PORT", "DISK_QUOTA"])("%s, of another program's habits, is told", (name) => {
  expect(unknownSettings({ [name]: "x" })).toEqual([expect.stringMatching(new RegExp(`^${name} is set, but there is no such setting`))]);
});

test("settings, empty variables and those of other programs are not told", () => {
  const others = [
    ...["PATH", "HOME", "USER", "LANG", "SHELL", "PWD", "TERM", "TMPDIR", "HOSTNAME", "HOSTTYPE", "LOGNAME", "MAIL", "EDITOR", "DISPLAY", "PORTS"],
    ...["NODE_OPTIONS", "NODE_VERSION", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "npm_config_user_agent", "npm_package_version", "YARN_VERSION"],
    ...["SESSION_MANAGER", "DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_DIRS", "XDG_SESSION_ID", "CHROME_DESKTOP", "PUPPETEER_CACHE_DIR", "CONTAINER"],
    ...["NOTIFY_SOCKET", "WATCHDOG_USEC", "INVOCATION_ID", "JOURNAL_STREAM", "LISTEN_FDS", "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY", "TZ", "CI"],
  ];
  const set = (names: string[]) => Object.fromEntries(names.map((name) => [name, "x"]));
  expect(unknownSettings(set(others))).toEqual([]);
  expect(unknownSettings(set(SETTINGS.map(({ name }) => name)))).toEqual([]);
  expect(unknownSettings({ SMPT_URL: "" })).toEqual([]);
});
