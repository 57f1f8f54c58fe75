import { useLocation } from "@remix-run/react";
import { useEffect, useRef, type MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { isHydrated } from "~/ui/hydration";

export interface FieldError {
  /** The `id` of the field the message belongs to; without one the message concerns the form as a whole. */
  fieldId?: string;
  message: string;
}

interface ErrorSummaryProps {
  errors: FieldError[];
  /** Where it is not an entry that is wrong. */
  heading?: string;
  /** What an action has answered; needed where no visit of the page brings it, as in a dialog. */
  answer?: object;
}

/**
 * Lists what is wrong above the form, with links to the fields. Takes focus with scripts; without, the page's title
 * begins with "Error" and the links work all the same.
 */
export function ErrorSummary({ errors, heading, answer }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const summary = useRef<HTMLDivElement>(null);
  const isRefused = errors.length > 0;
  // The list of errors is new each time the page is rendered, also while somebody types; this is not.
  const { key: visit } = useLocation();

  useEffect(() => {
    // Whoever has begun to type before the scripts were there goes on typing.
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

/** With scripts, a change of the address would be a visit of its own, and what an action has answered would be gone. */
function focusOn(fieldId: string, event: MouseEvent): void {
  const field = document.getElementById(fieldId);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** The server puts it before the title; a form that scripts have sent gets no new title from there. */
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
