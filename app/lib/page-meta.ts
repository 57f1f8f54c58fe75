import type { MetaDescriptor } from "@remix-run/node";

export interface PageMeta {
  title: string;
  description: string;
}

/** A page's title and description; the texts come translated from its loader. */
export function pageMeta(texts: PageMeta | undefined): MetaDescriptor[] {
  if (!texts) return [];
  return [{ title: texts.title }, { name: "description", content: texts.description }];
}
