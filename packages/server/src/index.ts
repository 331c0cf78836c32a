/** Serves agents over HTTP. */
export { createApiRoutes } from "./api/routes.ts";
export type { Api } from "./http/api.ts";
export { RequestProblem } from "./http/problem.ts";
export { ServerEnding } from "./http/request-signals.ts";
export { defineRoute, type Role, type Route, type RouteReply, type RouteRequest } from "./http/route.ts";
export { newTokenSchema, newUserToken } from "./http/tokens/access-token.ts";
export type { ServeOptions } from "./serve/serve-options.ts";
export { type ServeEffects, type ServingInfo, serveProject, servingInfoSchema } from "./serve/serve-project.ts";
