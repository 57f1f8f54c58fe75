import { fileURLToPath } from "node:url";

// Before React is loaded, which picks its development build otherwise; hence the dynamic imports.
process.env.NODE_ENV ??= "production";

const build = await import("virtual:remix/server-build");
const { builtAssets } = await import("~/http.server");
const { serve } = await import("~/serve.server");

await serve({ build, assets: builtAssets(fileURLToPath(new URL("../client", import.meta.url))) });
