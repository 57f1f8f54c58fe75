import { randomBytes } from "node:crypto";
import type { Express, Request, Response } from "express";

export interface Auth0User {
  user_id: string;
  email: string;
  email_verified: boolean;
  name: string;
  password: string;
}

export interface ManagementOptions {
  issuer: string;
  clientId: string;
  /** Scopes of the client's tokens. */
  scopes: string[];
  users: Map<string, Auth0User>;
  /** Recipients of mails with a confirmation link. */
  mails: string[];
}

/** Part of Auth0's Management API that changes users (https://auth0.com/docs/api/management/v2). */
export function addManagement(app: Express, { issuer, clientId, scopes, users, mails }: ManagementOptions) {
  const tokens = new Set<string>();

  const refuse = (response: Response, statusCode: number, error: string, message: string) =>
    void response.status(statusCode).json({ statusCode, error, message });

  const mayUpdate = (request: Request, response: Response): boolean => {
    if (!tokens.has(request.headers.authorization?.replace(/^Bearer /, "") ?? "")) {
      refuse(response, 401, "Unauthorized", "Invalid token");
    } else if (!scopes.includes("update:users")) {
      refuse(response, 403, "Forbidden", "Insufficient scope, expected any of: update:users");
    } else return true;
    return false;
  };

  app.patch("/api/v2/users/:id", (request, response) => {
    if (!mayUpdate(request, response)) return;
    const user = users.get(request.params.id);
    if (!user) return refuse(response, 404, "Not Found", "The user does not exist.");
    const { name, email, verify_email: verifies, client_id: client, ...rest } = request.body as Record<string, unknown>;
    const unknown = Object.keys(rest).filter((key) => !["email_verified", "connection"].includes(key));
    if (unknown.length > 0) return refuse(response, 400, "Bad Request", "Payload validation error");
    if (!user.user_id.startsWith("auth0|")) {
      return refuse(response, 400, "Bad Request", "The following user attributes cannot be updated: name, email.");
    }
    if (typeof email === "string") {
      if (client !== clientId) return refuse(response, 400, "Bad Request", "client_id is required to change an email");
      const isTaken = [...users.values()].some((each) => each !== user && each.email === email);
      if (isTaken) return refuse(response, 400, "Bad Request", "The specified new email already exists");
      Object.assign(user, { email, email_verified: false });
      if (verifies === true) mails.push(email);
    }
    if (typeof name === "string") user.name = name;
    response.json({ user_id: user.user_id, email: user.email, email_verified: user.email_verified, name: user.name });
  });

  app.post("/api/v2/jobs/verification-email", (request, response) => {
    if (!mayUpdate(request, response)) return;
    const { user_id: id = "" } = request.body as Record<string, string>;
    const user = users.get(id);
    if (!user) return refuse(response, 404, "Not Found", "The user does not exist.");
    mails.push(user.email);
    response.status(201).json({ type: "verification_email", status: "pending", id: `job_${randomBytes(8).toString("hex")}` });
  });

  return {
    /** Answers the token endpoint's `client_credentials`; undefined for another API. */
    grant(audience: string | undefined): Record<string, unknown> | undefined {
      if (audience !== `${issuer}api/v2/`) return undefined;
      const token = randomBytes(24).toString("base64url");
      tokens.add(token);
      return { access_token: token, scope: scopes.join(" "), expires_in: 86_400, token_type: "Bearer" };
    },
  };
}
