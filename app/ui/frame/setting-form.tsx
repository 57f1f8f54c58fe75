import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";

interface SettingFormProps {
  action: "/locale" | "/color-scheme";
  /** Names the group of buttons. */
  label: string;
  children: ReactNode;
}

/**
 * A setting as a plain form: each choice is a submit button, and the answer leads back to this page. Choices bring a
 * space each, so that their words do not run together where no style sheet keeps them apart.
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
