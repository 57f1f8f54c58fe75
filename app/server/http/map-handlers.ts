import type { ActionFunction, LoaderFunction, ServerBuild } from "@remix-run/node";

type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

/** Copy of the build, with the loader and the action of each route replaced. */
export function mapHandlers(build: ServerBuild, replace: <Handler extends LoaderFunction | ActionFunction>(handler: Handler, route: RouteModule) => Handler): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route] as const;
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader ? { loader: replace(loader, route.module) } : {}),
      ...(action ? { action: replace(action, route.module) } : {}),
    };
    return [id, { ...route, module }] as const;
  });
  return { ...build, routes: Object.fromEntries(routes) };
}
