// Renews the sample report: node scripts/sample.mjs
import { createServer } from "vite";

const vite = await createServer({ server: { middlewareMode: true }, logLevel: "warn" });
try {
  const { makeSample } = await vite.ssrLoadModule("/scripts/sample.ts");
  await makeSample();
} finally {
  await vite.close();
}
