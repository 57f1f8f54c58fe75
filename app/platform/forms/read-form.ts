import { data } from "@remix-run/node";

/** The form of a request; anything else is answered with 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}

/** The form's texts, one per field: the first of several counts. */
export function singleFields(form: FormData): FormData {
  const single = new FormData();
  // `has` looks at every field: a form may have a hundred thousand.
  const names = new Set<string>();
  for (const [name, value] of form) {
    if (typeof value !== "string" || names.has(name)) continue;
    names.add(name);
    single.append(name, value);
  }
  return single;
}

/** A field's text; "" if it is missing or a file. The first of several counts. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
