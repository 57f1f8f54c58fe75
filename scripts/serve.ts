import { fileURLToPath } from "node:url";
import * as build from "virtual:remix/server-build";
import { builtAssets } from "~/server/app.server";
import { serve } from "~/server/serve.server";

await serve({ build, assets: builtAssets(fileURLToPath(new URL("../client", import.meta.url))) });
