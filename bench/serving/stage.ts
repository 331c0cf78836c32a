/** Opens a project and its server in this process, for measurements. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withProject } from "@bridle/app/project";
import { createRuntime } from "@bridle/app/runtime";
import { type OpenWorkspace, openWorkspace } from "@bridle/app/serving";
import { silentLogger } from "@bridle/protocol";
import { createApiRoutes } from "../../packages/server/src/api/routes.ts";
import { HttpServer } from "../../packages/server/src/http/http-server.ts";
import { defaultHttpLimits } from "../../packages/server/src/http/limits.ts";
import { noPage, type WebPage } from "../../packages/server/src/http/page.ts";
import { hashToken } from "../../packages/server/src/http/tokens/access-token.ts";
import { streamRoutes } from "../../packages/server/src/streams/stream-routes.ts";
import { printTable } from "../table.ts";

export const benchToken = "a-token-of-the-benchmark";
export const servingFolder = mkdtempSync(join(tmpdir(), "bridle-bench-server-"));

export async function openBenchProject(name: string): Promise<OpenWorkspace> {
  const cwd = join(servingFolder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "bridle.yaml"), "");
  const outside = { cwd, environment: { HOME: cwd }, version: "0.0.0", packageRoot: cwd, createRuntime };
  const trust = { check: async () => [], require: async () => {} };
  return openWorkspace(await withProject({}, { ...outside, trust, onFault: () => () => {} }));
}

export function serveBench(workspace: OpenWorkspace, page: WebPage = noPage): Promise<HttpServer> {
  return HttpServer.listen({
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    isBehindProxy: false,
    page,
    basePath: "",
    isReadOnly: false,
    logger: silentLogger,
    now: Date.now,
    limits: defaultHttpLimits,
    tokens: [{ name: "bench", role: "operator", namespace: undefined, hash: hashToken(benchToken) }],
    workspaceOf: async () => workspace,
    apis: [{ id: "native", base: "/api/v1", routes: [...createApiRoutes(), ...streamRoutes] }],
  });
}

export function openStream(url: string, path: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${benchToken}`, accept: "text/event-stream" };
  return fetch(`${url}/api/v1${path}`, { headers, signal });
}

/** Prints percentiles of times next to a goal. */
export function printShares(title: string, target: string, values: readonly number[]): void {
  const parts = [0.5, 0.95, 0.99].map((part) => ({ name: `p${part * 100}`, values: [share(values, part)] }));
  const worst = { name: "worst", values: [Math.max(...values)] };
  printTable(`${title}, ${values.length} values`, [...parts, worst], { target });
}

function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
