/** Agents over HTTP. */
export { createApiRoutes } from "./api/routes.ts";
export type { Api } from "./http/api.ts";
export { Problem } from "./http/problem.ts";
export { defineRoute, type Reply, type Role, type Route, type RouteRequest } from "./http/route.ts";
