import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { expect, test } from "vitest";
import { ProposedFix } from "~/reports/view/rule/fix";
import { WhatToDo } from "~/reports/view/rule/what-to-do";
import { AffectedPeople } from "~/reports/view/rule/affected-people";
import { fixOf, impactOnPeople } from "~/findings/rules/catalogue.server";
import type { Locale } from "~/platform/i18n/i18n";
import { textsOf } from "~/platform/i18n/i18n.server";

function shown(element: ReactElement, locale: Locale = "de"): string {
  return renderToStaticMarkup(createElement(I18nextProvider, { i18n: textsOf(locale) }, element));
}

function shownFix(ruleId: string, html: string, data: unknown = null, locale: Locale = "de"): string {
  const checks = [{ group: "any" as const, id: ruleId, data, message: "" }];
  const fix = fixOf(ruleId, { html, htmlCut: false, checks }, locale);
  return shown(createElement(ProposedFix, { fix: fix! }), locale);
}

test("changes in the markup are marked by more than colour, and the page's markup is shown as text", () => {
  const html = shownFix("image-alt", '<img src=x onerror="alert(1)">');
  expect(html).toContain(" <ins>alt=&quot;[Beschreibung des Bildes]&quot;</ins>");
  expect(html).toContain("onerror=&quot;alert(1)&quot;");
  expect(html).not.toContain("<img");
  expect(shownFix("tabindex", '<a tabindex="3">')).toContain("<del>3</del>");
});

test("colours are shown as samples and values, with numbers in the reader's format", () => {
  const data = { fgColor: "#999999", bgColor: "#ffffff", expectedContrastRatio: "4.5:1" };
  const html = shownFix("color-contrast", "<p>", data);
  expect(html).toContain("2,84:1");
  expect(html).toContain('stroke="#999999"');
  expect(html).toMatch(/<ins>#7[0-9a-f]{5}<\/ins>/);
  expect(html).not.toContain("style=");
  expect(shownFix("color-contrast", "<p>", data, "en")).toContain("2.84:1");
});

test("open decisions are worded as proposals, not as faults", () => {
  const fix = fixOf("video-caption", { html: "<video>", htmlCut: false, checks: [] }, "de");
  const html = (category: "violations" | "incomplete") => shown(createElement(WhatToDo, { category, fix, hints: [] }));
  expect(html("incomplete")).toContain("Falls es ein Problem ist");
  expect(html("incomplete")).toContain("<ins>");
  expect(html("violations")).not.toContain("Falls es ein Problem ist");
});

test("people affected by a problem are listed", () => {
  const html = shown(createElement(AffectedPeople, impactOnPeople("color-contrast", [])));
  expect(html.match(/<li>/g)).toHaveLength(3);
  expect(html).toContain("Blasse Schrift");
});
