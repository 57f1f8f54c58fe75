import { HOUR_SECONDS } from "~/platform/durations";
import { createRateLimit, type Counting } from "~/platform/limits/rate-limit.server";

export const REQUESTS_PER_HOUR = 600;
/** Maximum of requests that start a scan; they also count above. */
export const STARTS_PER_HOUR = 60;

export type ApiLimits = ReturnType<typeof createApiLimits>;

/** Rate limits by id of an API token. */
export const createApiLimits = (counting?: Counting) => ({
  requests: createRateLimit({ name: "api requests", points: REQUESTS_PER_HOUR, seconds: HOUR_SECONDS }, counting),
  starts: createRateLimit({ name: "api starts", points: STARTS_PER_HOUR, seconds: HOUR_SECONDS }, counting),
});
