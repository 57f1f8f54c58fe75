import { data } from "@remix-run/node";

/** The form of a request; what is none is answered with 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw data(null, { status: 400 });
  }
}

/** A field's text; "" where it is missing or a file. Of several, the first counts. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
