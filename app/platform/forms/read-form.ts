import { data } from "@remix-run/node";

/** The form of a request; what is none is answered with 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}

/** The form's texts, one for each field: of several the first counts, and what conform would take for a part of one is none. */
export function singleFields(form: FormData): FormData {
  const single = new FormData();
  for (const [name, value] of form) {
    if (typeof value === "string" && !single.has(name) && !/[.[\]]/.test(name)) single.append(name, value);
  }
  return single;
}

/** A field's text; "" where it is missing or a file. Of several, the first counts. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
