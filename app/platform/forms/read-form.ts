import { data } from "@remix-run/node";

/** Form data of a request; 400 for any other content. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}

/** Form data with one text per field: the first of several counts. */
export function singleFields(form: FormData): FormData {
  const single = new FormData();
  // A set, because `has` of a form looks at every field: a form may have a hundred thousand.
  const names = new Set<string>();
  for (const [name, value] of form) {
    if (typeof value !== "string" || names.has(name)) continue;
    names.add(name);
    single.append(name, value);
  }
  return single;
}

/** Text of a field; "" if it is missing or a file. The first of several counts. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
