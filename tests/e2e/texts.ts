import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createInstance, type TFunction } from "i18next";
import { i18nOptions, LOCALES, NAMESPACES, type Locale } from "~/platform/i18n/i18n";

const read = (locale: Locale, namespace: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../locales/${locale}/${namespace}.json`, import.meta.url)), "utf8"));

const texts = createInstance({
  ...i18nOptions,
  initImmediate: false,
  resources: Object.fromEntries(
    LOCALES.map((locale) => [locale, Object.fromEntries(NAMESPACES.map((name) => [name, read(locale, name)]))]),
  ),
});
await texts.init();

export type Texts = TFunction<typeof NAMESPACES>;

/** Texts of the product in one language. */
export const textsIn = (locale: Locale): Texts => texts.getFixedT(locale, NAMESPACES);
