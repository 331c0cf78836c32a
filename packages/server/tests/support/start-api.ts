import { setTimeout } from "node:timers/promises";
import type { WorkspaceOptions } from "@bridle/app/serving";
import { expect } from "vitest";
import { openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import { createApiRoutes } from "../../src/api/routes.ts";
import { toRouterPath } from "../../src/http/request/path-names.ts";
import type { Route } from "../../src/http/route.ts";
import { streamRoutes } from "../../src/streams/stream-routes.ts";
import { startTestServer } from "./start-test-server.ts";

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  // The tests compare it with expected values.
  // biome-ignore lint/suspicious/noExplicitAny: a reply of any route
  readonly body: any;
}

/** Starts a real server with the native API for the desk of `deskFiles`. Every reply is validated against the schema of its route. */
export async function startApi(options: WorkspaceOptions = {}, folder?: string) {
  const routes = [...createApiRoutes(), ...streamRoutes];
  const opened = await openTestWorkspace(options, folder);
  const server = await startTestServer({ routes, workspace: opened.workspace });
  const send = async (method: string, path: string, init: RequestInit & { json?: unknown } = {}): Promise<ApiReply> => {
    const response = await server.fetch(`/api/v1${path}`, { method, ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") ?? false;
    const body = isJson ? JSON.parse(text) : text;
    if (response.ok) checkReply(routes, method, path, response.status, body);
    return { status: response.status, headers: response.headers, body };
  };
  return {
    ...opened,
    server,
    get: (path: string, init?: RequestInit) => send("GET", path, init),
    post: (path: string, json: unknown = {}, headers?: Record<string, string>) =>
      send("POST", path, { json, ...(headers && { headers }) }),
    put: (path: string, json: unknown, headers?: Record<string, string>) =>
      send("PUT", path, { json, ...(headers && { headers }) }),
    remove: (path: string) => send("DELETE", path, { headers: { "content-type": "application/json" } }),
    /** Starts a run and waits for its end. */
    async run(session: string, prompt: string) {
      const { body } = await send("POST", `/sessions/${session}/runs`, { json: { prompt } });
      await untilEnd(body.runId, opened.workspace.eventLog);
      while (opened.workspace.runs.has(body.runId)) await setTimeout(5); // the run releases its session
      return body as { readonly runId: string; readonly firstSeq: number };
    },
  };
}

export type TestApi = Awaited<ReturnType<typeof startApi>>;

export async function untilEnd(runId: string, eventLog: TestApi["workspace"]["eventLog"]): Promise<void> {
  for await (const event of eventLog.follow({ runId }, AbortSignal.timeout(30_000))) {
    if (event.type === "run.finished") return;
  }
}

/** Waits for the first question of a run, and returns its event. */
export async function untilAsked(runId: string, eventLog: TestApi["workspace"]["eventLog"]) {
  for await (const event of eventLog.follow({ runId }, AbortSignal.timeout(30_000))) {
    if (event.type === "approval.requested") return event;
  }
  throw new Error("The run asked nothing.");
}

function checkReply(routes: readonly Route[], method: string, path: string, status: number, body: unknown): void {
  const [plain = ""] = path.split("?");
  const route = routes.find((each) => each.method === method && isPathOf(each.path, plain));
  expect(route, `${method} ${path} has a route`).toBeDefined();
  const schema = route?.replies[status];
  expect(schema, `${method} ${route?.path} says that it replies ${status}`).not.toBeUndefined();
  if (schema) schema.parse(body);
}

function isPathOf(path: string, sent: string): boolean {
  const pattern = toRouterPath(path).replaceAll(/:\w+/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(sent);
}
