import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { type DescribedApi, describeApi } from "./describe-api.ts";

/** Creates the route `GET /openapi.json`. The document is generated on first use. */
export function openApiRoute(api: DescribedApi): Route {
  let document: ReturnType<typeof describeApi> | undefined;
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    summary: "This description of the API, as OpenAPI 3.1.",
    role: "viewer",
    replies: { 200: z.record(z.string(), z.unknown()) },
    async handle() {
      document ??= describeApi(api);
      return { status: 200, body: document };
    },
  });
}
