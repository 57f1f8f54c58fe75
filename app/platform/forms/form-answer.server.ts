import { secondsUntil } from "~/platform/limits/rate-limit.server";
import { data, type AppLoadContext } from "@remix-run/node";
import type { z } from "zod";
import { SECRET_FIELD, type FormAnswer } from "./form-answer";
import { formatMinutes } from "~/platform/i18n/format-duration";
import { localeOf, textsOf } from "~/platform/i18n/i18n.server";
import { parseForm } from "./parse-form";
import { singleFields } from "./read-form";
import { storageTrouble } from "~/platform/storage-trouble";
import { Unavailable } from "./unavailable";

/** Maximum length of input that is shown again; larger than any field limit. */
const MAX_ECHO = 30_000;
const BUSY_MS = 60_000;

type Notice = NonNullable<FormAnswer["notice"]>;

/** A submitted form, and its possible answers. */
export interface SentForm<Value> {
  /** Parsed by the schema; null when something is missing or wrong. */
  value: Value | null;
  /** 422 for errors of the schema, and for `problems` found later, as problem names by field. */
  refuse(problems?: Partial<Record<string, string>>): ReturnType<typeof answerWith>;
  /** Refusal for a reason outside of the entries. */
  refuseForNow(notice: Notice | null, init: { status: number; headers?: HeadersInit }): ReturnType<typeof answerWith>;
  /** 429, with the waiting time until the next attempt in the text. */
  limit(notice: (wait: string) => Notice, retryAt: number): ReturnType<typeof answerWith>;
  /** 429 or 503: the entries are not the problem. */
  postpone(kind: "throttled" | "guesses" | "busy" | "no_space" | "orders" | "identity", retryAt: number): ReturnType<typeof answerWith>;
  /**
   * Runs `work`, and answers 503 if it throws `Unavailable`.
   * @param undo called when the work was not done, because of that or a storage problem
   */
  unlessBusy<Result>(work: () => Promise<Result>, undo?: () => Promise<void>): Promise<Result | ReturnType<typeof answerWith>>;
}

/**
 * Reads a form by a schema whose messages are the names of problems.
 * @param describe returns their text; the default is `account:problem.…`
 */
export async function parseSentForm<Schema extends z.ZodType>(
  request: Request,
  context: AppLoadContext,
  form: FormData,
  schema: Schema,
  describe?: (problem: string) => string,
): Promise<SentForm<z.output<Schema>>> {
  const locale = await localeOf(request);
  const t = textsOf(locale).getFixedT(null, "account");
  const fields = singleFields(form);
  const parsed = parseForm(fields, schema);
  const values: FormAnswer["values"] = {};
  let hadSecrets = false;
  for (const [name, value] of fields) {
    if (typeof value !== "string") continue;
    if (SECRET_FIELD.test(name)) hadSecrets ||= value !== "";
    else values[name] = value.slice(0, MAX_ECHO);
  }
  const answer = (more: Partial<FormAnswer>): FormAnswer => ({ values, errors: [], notice: null, hadSecrets, ...more });

  const sent: SentForm<z.output<Schema>> = {
    value: parsed.value,
    refuse(problems = {}) {
      const found = { ...parsed.problems, ...problems };
      const errors = Object.entries(found).map(([field, problem = ""]) => ({
        field,
        message: describe ? describe(problem) : t(`problem.${problem as "email_missing"}`),
      }));
      return answerWith(context, answer({ errors }), { status: 422 });
    },
    refuseForNow: (notice, init) => answerWith(context, answer({ notice }), init),
    limit: (notice, retryAt) => retryLater(notice, retryAt, 429),
    postpone(kind, retryAt) {
      const notice = (wait: string) => ({ heading: t(`${kind}.heading`), text: t(`${kind}.text`, { wait }) });
      return retryLater(notice, retryAt, kind === "throttled" || kind === "guesses" ? 429 : 503);
    },
    async unlessBusy(work, undo) {
      try {
        return await work();
      } catch (error) {
        const isUnavailable = error instanceof Unavailable;
        if (isUnavailable || storageTrouble(error) !== null) await undo?.();
        if (!isUnavailable) throw error;
        if (error.kind === "identity") context.log.error({ err: error }, "the identity provider was not to be reached");
        return sent.postpone(error.kind, Date.now() + BUSY_MS);
      }
    },
  };
  return sent;

  function retryLater(notice: (wait: string) => Notice, retryAt: number, status: number) {
    const seconds = secondsUntil(retryAt);
    const wait = formatMinutes(Math.ceil(seconds / 60), locale);
    return sent.refuseForNow(notice(wait), { status, headers: { "Retry-After": String(seconds) } });
  }
}

/** 422 for a form with any number of questions, which are read one by one and not by a schema. */
export function refuseQuestions(context: AppLoadContext, { values, errors }: Pick<FormAnswer, "values" | "errors">) {
  return answerWith(context, { values, errors, notice: null }, { status: 422 });
}

/** Status of a page whose form is in its address: 422 if entries are missing or wrong. */
export function statusOfForm(context: AppLoadContext, hasProblems: boolean): 200 | 422 {
  if (hasProblems) context.formProblem = true;
  return hasProblems ? 422 : 200;
}

function answerWith(context: AppLoadContext, answer: FormAnswer, init: { status: number; headers?: HeadersInit }) {
  context.formProblem = true;
  return data(answer, init);
}
