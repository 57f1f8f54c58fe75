import { useLocation } from "@remix-run/react";
import { useEffect, useRef, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { isHydrated } from "~/ui/hydration";

interface FieldError {
  /** `id` of the field with the error; undefined for an error of the whole form. */
  fieldId?: string;
  message: string;
}

interface ErrorSummaryProps {
  errors: FieldError[];
  /** Heading if the errors are not wrong entries. */
  heading?: string;
  /** The action's answer; needed if it does not come with a visit of the page, for example in a dialog. */
  answer?: object;
}

/**
 * Lists the errors above the form, with links to the fields. Takes focus with scripts; without them, the page's title
 * begins with "Error" and the links still work.
 */
export function ErrorSummary({ errors, heading, answer }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const summary = useRef<HTMLDivElement>(null);
  const isRefused = errors.length > 0;
  // The list of errors is a new object on each render, also while the visitor types; this key stays the same.
  const { key: visit } = useLocation();

  useEffect(() => {
    // A visitor who started typing before hydration keeps the focus.
    const isInUse = !isHydrated() && document.activeElement !== document.body;
    if (isRefused && !isInUse) summary.current?.focus();
  }, [isRefused, visit, answer]);

  useTitlePrefix(isRefused ? t("form.titlePrefix", { title: "" }) : "");

  if (!isRefused) return null;
  return (
    <div className="error-summary" ref={summary} tabIndex={-1} role="alert" aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{heading ?? t("form.summary", { count: errors.length })}</h2>
      <ul>
        {errors.map(({ fieldId, message }) => (
          <li key={`${fieldId}${message}`}>
            {fieldId ? (
              <a href={`#${fieldId}`} onClick={(event) => focusOn(fieldId, event)}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** With scripts, a change of the address would be a new visit, and the action's answer would be lost. */
function focusOn(fieldId: string, event: MouseEvent): void {
  const field = document.getElementById(fieldId);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** The server adds the prefix to the title; a form sent by scripts gets no new title from the server. */
function useTitlePrefix(prefix: string): void {
  useEffect(() => {
    const { title } = document;
    if (prefix === "" || title.startsWith(prefix)) return;
    document.title = prefix + title;
    return () => {
      if (document.title === prefix + title) document.title = title;
    };
  }, [prefix]);
}
