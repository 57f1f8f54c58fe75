import { withValues } from "~/platform/i18n/i18n.server";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { PageContext, Texts } from "./page-context";

export interface FieldProblem {
  /** `id` of the field. */
  field: string;
  message: string;
}

interface PageProps {
  context: PageContext;
  /** Path of the pages, such as `/cashier`. */
  base: string;
  title: string;
  problems?: FieldProblem[];
  /** Name of the last action; unknown values are ignored. */
  done?: unknown;
  children: ReactNode;
}

/** Complete page, without scripts. */
export function renderPage(props: PageProps): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(<Page {...props} />)}`;
}

function Page({ context, base, title, problems = [], done, children }: PageProps) {
  const { t, locale, scheme } = context;
  const full = withValues(t.title.full, { title, name: t.name });
  return (
    <html lang={locale} className={scheme === "auto" ? undefined : scheme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{problems.length > 0 ? withValues(t.title.error, { title: full }) : full}</title>
        <link rel="stylesheet" href={`${base}/cashier.css`} />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>
          <p>{t.name}</p>
        </header>
        <main>
          <ErrorSummary t={t} problems={problems} />
          <Done t={t} done={done} />
          <h1>{title}</h1>
          <Notice t={t} />
          {children}
        </main>
      </body>
    </html>
  );
}

function Notice({ t }: { t: Texts }) {
  return (
    <section className="notice" aria-labelledby="notice">
      <h2 id="notice">{t.notice.heading}</h2>
      <p>{t.notice.text}</p>
    </section>
  );
}

function ErrorSummary({ t, problems }: { t: Texts; problems: FieldProblem[] }) {
  if (problems.length === 0) return null;
  return (
    // Gets focus without a script: a screen reader starts with the errors.
    <div className="errors" role="alert" aria-labelledby="errors" tabIndex={-1} autoFocus>
      <h2 id="errors">{t.summary}</h2>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={field + message}>
            <a href={`#${field}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Done({ t, done }: { t: Texts; done: unknown }) {
  const message = typeof done === "string" ? t.done[done as keyof Texts["done"]] : undefined;
  if (typeof message !== "string") return null;
  return (
    <div className="done" role="status">
      <p>{message}</p>
    </div>
  );
}

/** Name and value inside a `<dl>`; on narrow screens one below the other. */
export function Fact({ name, value, total = false }: { name: string; value: string; total?: boolean }) {
  return (
    <div className={total ? "fact total" : "fact"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  hint: string;
  value: string;
  t: Texts;
  problems: FieldProblem[];
  inputMode: "numeric" | "text";
}

/** Label, hint, message and input, connected for assistive technology. */
export function Field({ id, label, hint, value, t, problems, inputMode }: FieldProps) {
  const problem = problems.find(({ field }) => field === id);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <Problem t={t} problem={problem} />
      <input
        id={id}
        name={id}
        defaultValue={value}
        inputMode={inputMode}
        maxLength={254}
        // Only test cards belong here; a browser must not fill in the visitor's real card.
        autoComplete="off"
        spellCheck={false}
        required
        aria-describedby={problem ? `${id}-wrong ${id}-hint` : `${id}-hint`}
        aria-invalid={problem ? true : undefined}
      />
    </div>
  );
}

/** Error message of a field; the field refers to it by `{id}-wrong`. */
export function Problem({ t, problem }: { t: Texts; problem: FieldProblem | undefined }) {
  return (
    problem && (
      <p className="wrong" id={`${problem.field}-wrong`}>
        {t.errorPrefix} {problem.message}
      </p>
    )
  );
}

/** Form with one button for one action. */
export function Action({ name, label }: { name: string; label: string }) {
  return (
    <form method="post">
      <button name="do" value={name}>
        {label}
      </button>
    </form>
  );
}
