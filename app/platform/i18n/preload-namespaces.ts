import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import i18next from "i18next";
import type { NAMESPACES } from "./i18n";

/**
 * A route's `clientLoader`: on client-side navigation, the texts are loaded before the page is rendered. Full page loads get
 * them through its `handle`.
 */
export function preloadNamespaces(namespaces: (typeof NAMESPACES)[number][]) {
  return async ({ serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const [data] = await Promise.all([serverLoader(), i18next.loadNamespaces(namespaces)]);
    return data;
  };
}
