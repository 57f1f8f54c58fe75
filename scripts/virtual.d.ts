declare module "virtual:remix/server-build" {
  import type { ServerBuild } from "@remix-run/node";
  const build: ServerBuild;
  export const { assets, assetsBuildDirectory, basename, entry, future, isSpaMode, mode, publicPath, routes }: ServerBuild;
  export default build;
}
