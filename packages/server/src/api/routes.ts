/** The native API, at `/api/v1`. */
import type { Route } from "../http/route.ts";
import { createAgentRoutes } from "./agents.ts";
import { approvalRoutes } from "./approvals.ts";
import { artifactRoutes } from "./artifacts.ts";
import { dataContextRoutes } from "./data-context.ts";
import { documentRoutes } from "./documents.ts";
import { permissionRoutes } from "./permissions.ts";
import { ruleRoutes } from "./rules.ts";
import { runRoutes } from "./runs.ts";
import { sessionRoutes } from "./sessions.ts";
import { createStatusRoutes } from "./status.ts";
import { createTestRoutes } from "./test-runs.ts";
import { transcriptRoutes } from "./transcripts.ts";

/** Creates the routes of one server. The routes keep track of the server's test runs in progress. */
export function createApiRoutes(): readonly Route[] {
  return [
    ...createStatusRoutes(),
    ...createAgentRoutes(),
    ...sessionRoutes,
    ...transcriptRoutes,
    ...runRoutes,
    ...approvalRoutes,
    ...permissionRoutes,
    ...ruleRoutes,
    ...createTestRoutes(),
    ...documentRoutes,
    ...dataContextRoutes,
    ...artifactRoutes,
  ];
}
