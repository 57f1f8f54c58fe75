import { fileURLToPath } from "node:url";
import * as build from "virtual:remix/server-build";
import { builtAssets } from "~/server/http/app.server";
import { productName } from "~/platform/product-name.server";
import { serve } from "~/server/process/serve.server";

if (process.argv.includes("--version")) process.stdout.write(`${productName()}\n`);
else await serve({ build, assets: builtAssets(fileURLToPath(new URL("../client", import.meta.url))) });
