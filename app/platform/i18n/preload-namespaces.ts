import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import i18next from "i18next";
import type { NAMESPACES } from "./i18n";

/**
 * A route's `clientLoader`: where scripts lead to a page, its texts are there before it is rendered. Visits that begin on
 * the page have them by its `handle`.
 */
export function preloadNamespaces(namespaces: (typeof NAMESPACES)[number][]) {
  return async ({ serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const [data] = await Promise.all([serverLoader(), i18next.loadNamespaces(namespaces)]);
    return data;
  };
}
