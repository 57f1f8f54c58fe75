import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SettingFormProps {
  action: "/locale" | "/color-scheme";
  /** Accessible name of the group. */
  label: string;
  children: ReactNode;
}

/**
 * Setting as a plain form: each choice is a submit button, and the answer redirects to this page. Each choice adds a
 * space, so that the words stay separate without style sheets.
 */
export function SettingForm({ action, label, children }: SettingFormProps) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={action} className="setting" preventScrollReset>
      <input type="hidden" name="returnTo" value={`${pathname}${search}`} />
      <fieldset>
        <legend className="visually-hidden">{label}</legend>
        {children}
      </fieldset>
    </Form>
  );
}
