import { describe, expect, it } from "vitest";
import { readEnv, InvalidSetting } from "~/platform/env.server";

describe("configuration", () => {
  it("needs no variables", () => {
    expect(readEnv({})).toMatchObject({
      PORT: 3000,
      HOST: "127.0.0.1",
      BASE_URL: "http://localhost:3000",
      DATABASE_URL: "file:var/rampe.db",
      BILLING: "demo",
      TRUST_PROXY: 0,
      SCAN_PAGE_SECONDS: 30,
      SCAN_ALLOW_PRIVATE: [],
      FREE_CHECKS_PER_HOUR: 20,
      RETENTION_DAYS: 365,
    });
  });

  it("treats an empty variable as unset", () => {
    expect(readEnv({ PORT: "", BASE_URL: "" })).toMatchObject({ PORT: 3000, BASE_URL: "http://localhost:3000" });
  });

  it("derives defaults from other variables", () => {
    expect(readEnv({ PORT: "8080", DATA_DIR: "/srv/rampe" })).toMatchObject({
      BASE_URL: "http://localhost:8080",
      DATABASE_URL: "file:/srv/rampe/rampe.db",
    });
    expect(readEnv({ BASE_URL: "https://rampe.example/" }).BASE_URL).toBe("https://rampe.example");
    expect(readEnv({ BASE_URL: "https://rampe.example" }).SCAN_USER_AGENT).toContain("+https://rampe.example");
    expect(readEnv({ STRIPE_SECRET_KEY: "sk_test_1" }).BILLING).toBe("stripe");
    expect(readEnv({ BILLING: "demo" }).REGISTRATION).toBe("confirmed");
    expect(readEnv({ BILLING: "off" }).REGISTRATION).toBe("invite");
    expect(readEnv({ BILLING: "off", REGISTRATION: "open" }).REGISTRATION).toBe("open");
    expect(readEnv({ SCAN_ALLOW_PRIVATE: "localhost:80, 10.0.0.0/8 ,"}).SCAN_ALLOW_PRIVATE).toEqual([
      "localhost:80",
      "10.0.0.0/8",
    ]);
  });

  it.each([
    ["NODE_ENV", "staging"],
    ["LOG_LEVEL", "loud"],
    ["PORT", "http"],
    ["PORT", "70000"],
    ["BASE_URL", "rampe.example"],
    ["BASE_URL", "https://rampe.example/sub"],
    ["BASE_URL", "ftp://rampe.example"],
    ["DATABASE_URL", "mysql://db/rampe"],
    ["DATABASE_URL", "rampe.db"],
    ["STORAGE_URL", "var/pictures"],
    ["STORAGE_URL", "https://pictures.example"],
    ["STORAGE_URL", "s3://user:key@pictures"],
    ["ROLE", "master"],
    ["ROLE", "web"],
    ["ROLE", "worker"],
    ["SESSION_SECRET", "short"],
    ["SESSION_DAYS", "0"],
    ["TRUST_PROXY", "yes"],
    ["OIDC_ISSUER", "id.example"],
    ["OIDC_ISSUER", "http://id.example"],
    ["STRIPE_SECRET_KEY", "pk_live_1"],
    ["STRIPE_WEBHOOK_SECRET", "secret"],
    ["BILLING", "paypal"],
    ["BILLING", "stripe"],
    ["SMTP_URL", "https://mail.example"],
    ["MAIL_FROM", "nobody"],
    ["CONTACT_TO", "nobody"],
    ["CONTACT_TO", "Support <help@example.org>"],
    ["CONTACT_TO", "help@example.org, ops@example.org"],
    ["SCAN_CONCURRENCY", "0"],
    ["SCAN_MAX_PAGES", "-1"],
    ["SCAN_PAGE_SECONDS", "1.5"],
    ["SCAN_USER_AGENT", "Prüfer\n"],
    ["FREE_CHECKS_PER_HOUR", "many"],
    ["TRIAL_SCANS", "-1"],
    ["RETENTION_DAYS", "0"],
    ["OPERATOR_EMAIL", "nobody"],
    ["OPERATOR_EMAIL", "Support <help@example.org>"],
    ["OPERATOR_TERMS_URL", "our terms"],
    ["OPERATOR_WITHDRAWAL_URL", "javascript:alert(1)"],
    ["OPERATOR_VAT", "19"],
    ["SOURCE_URL", "git@example.com:rampe"],
    ["RELEASES_URL", "http://releases.example/latest"],
    ["RELEASES_URL", "https://me:secret@releases.example/latest"],
    ["METRICS_TOKEN", "short"],
  ])("names %s when it is %j", (name, value) => {
    const read = () => readEnv({ [name]: value });
    expect(read).toThrow(InvalidSetting);
    expect(read).toThrow(new RegExp(`^${name} is unusable: .+\\.$`));
  });

  it("requires all OpenID variables, and no second provider", () => {
    const oidc = { OIDC_ISSUER: "https://id.example/realm", OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "secret" };
    expect(readEnv(oidc)).toMatchObject(oidc);
    expect(() => readEnv({ OIDC_ISSUER: oidc.OIDC_ISSUER })).toThrow(/^OIDC_ISSUER is unusable: .+OIDC_CLIENT_ID/);
    const auth0 = { AUTH0_DOMAIN: "tenant.auth0.com", AUTH0_CLIENT_ID: "id", AUTH0_CLIENT_SECRET: "secret" };
    expect(() => readEnv({ ...oidc, ...auth0 })).toThrow(/^OIDC_ISSUER is unusable: .+AUTH0_DOMAIN unset.+\.$/);
  });

  it("requires a database and a secret that several processes can share", () => {
    const shared = { ROLE: "web", DATABASE_URL: "postgres://db.example/rampe", SESSION_SECRET: "a secret that all processes have in common" };
    expect(readEnv(shared)).toMatchObject({ ROLE: "web" });
    expect(readEnv({ ...shared, ROLE: "", SESSION_SECRET: "" })).toMatchObject({ ROLE: "all" });
    expect(() => readEnv({ ...shared, SESSION_SECRET: "" })).toThrow(/^ROLE is unusable: web wants .+ SESSION_SECRET/);
    expect(() => readEnv({ ...shared, DATABASE_URL: "" })).toThrow(/^ROLE is unusable: web wants .+ PostgreSQL database/);
  });

  it.each(["help@example.org", "hilfe@bücher.example", "root@localhost"])("takes %s as the recipient of mails", (address) => {
    expect(readEnv({ CONTACT_TO: address, OPERATOR_EMAIL: address })).toMatchObject({ CONTACT_TO: address, OPERATOR_EMAIL: address });
  });

  it("requires all Auth0 variables, or none", () => {
    expect(() => readEnv({ AUTH0_DOMAIN: "tenant.auth0.com" })).toThrow(/AUTH0_CLIENT_ID/);
  });
});
