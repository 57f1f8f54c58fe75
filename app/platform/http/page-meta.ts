import type { MetaDescriptor } from "@remix-run/node";

export interface PageMeta {
  title: string;
  description: string;
}

/** Meta tags of a page from its translated title and description, which the loader returns. */
export function pageMeta(texts: PageMeta | undefined): MetaDescriptor[] {
  if (!texts) return [];
  const { title, description } = texts;
  return [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
  ];
}
