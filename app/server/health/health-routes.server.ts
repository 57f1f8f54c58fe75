import { Router, type Response } from "express";
import type { Services } from "~/server/services.server";

/** `/healthz`: does everything work? `/readyz`: does this server accept requests? Both answer 503 if not. */
export function healthRoutes({ health, readiness }: Pick<Services, "health" | "readiness">): Router {
  const router = Router();
  router.get("/healthz", async (_request, response) => {
    const report = await health();
    answer(response, report.ok, report);
  });
  router.get("/readyz", async (_request, response) => {
    const report = await readiness();
    answer(response, report.ready, report);
  });
  return router;
}

function answer(response: Response, isGood: boolean, report: object): void {
  response
    .status(isGood ? 200 : 503)
    .setHeader("Cache-Control", "no-store")
    .json(report);
}
