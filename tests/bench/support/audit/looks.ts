import type { Page } from "puppeteer";

/** Light or dark as in the visitor's system, or forced colours: a small palette for everything. */
type Colors = "light" | "dark" | "forced";

export interface Look {
  colors: Colors;
  /** Width in CSS px. */
  width: number;
}

export const ALL_LOOKS: Look[] = (["light", "dark", "forced"] as const).flatMap((colors) =>
  [320, 768, 1280].map((width) => ({ colors, width })),
);

/** Looks for tools that ignore forced colours, or are slow. */
export const FEW_LOOKS: Look[] = [
  { colors: "light", width: 1280 },
  { colors: "dark", width: 1280 },
  { colors: "light", width: 320 },
];

export async function showAs(page: Page, { colors, width }: Look): Promise<void> {
  await page.setViewport({ width, height: width === 320 ? 568 : 800 });
  const session = await page.createCDPSession();
  // Puppeteer itself supports only some of these features.
  await session.send("Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-color-scheme", value: colors === "dark" ? "dark" : "light" },
      { name: "forced-colors", value: colors === "forced" ? "active" : "none" },
      // Prevents colour transitions.
      { name: "prefers-reduced-motion", value: "reduce" },
    ],
  });
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => undefined)");
  await session.detach();
}
