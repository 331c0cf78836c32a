import type { Workspace } from "@bridle/app/serving";
import { type Logger, silentLogger } from "@bridle/protocol";
import { afterAll, onTestFinished } from "vitest";
import type { Api } from "../../src/http/api.ts";
import { HttpServer, type ListenOptions } from "../../src/http/http-server.ts";
import { defaultHttpLimits, type HttpLimits } from "../../src/http/limits.ts";
import { noPage } from "../../src/http/page.ts";
import type { Route } from "../../src/http/route.ts";
import { hashToken } from "../../src/http/tokens/access-token.ts";

export interface TestServerOptions extends Partial<Omit<ListenOptions, "limits" | "workspaceOf">> {
  /** Routes of the native API, at `/api/v1`. */
  readonly routes?: readonly Route[];
  /** Other APIs, besides the native one. */
  readonly apis?: readonly Api[];
  readonly limits?: Partial<HttpLimits>;
  /** The workspace of every caller. Default: none, for routes that need no workspace. */
  readonly workspace?: Workspace;
  /** Replaces `workspace` in tests with several users. */
  readonly workspaceOf?: ListenOptions["workspaceOf"];
  readonly logger?: Logger;
}

/** A test server on a free port of 127.0.0.1. */
export interface TestServer {
  /** The address of the server, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** A token with all permissions. */
  readonly token: string;
  /** A token that may only read. */
  readonly viewerToken: string;
  /** Sends a request with the token. If `json` is set, it is the body, with its content type. */
  fetch(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>;
  /** Closes the server before the end of the test. At the end, it is closed in any case. */
  close(): Promise<void>;
}

const token = "operator-token-of-the-tests-0123456789";
const viewerToken = "viewer-token-of-the-tests-0123456789";

/** Starts a real server for one test. It is closed at the end of the test. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await start(options);
  onTestFinished(server.close);
  return server;
}

/** Starts a server for a whole file: call this outside of tests. The server starts at the first call to the returned function. */
export function startSharedServer(options: TestServerOptions = {}): () => Promise<TestServer> {
  let started: Promise<TestServer> | undefined;
  afterAll(async () => (await started)?.close());
  return () => {
    started ??= start(options);
    return started;
  };
}

async function start(options: TestServerOptions): Promise<TestServer> {
  const { routes = [], apis = [], workspace, ...rest } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const server = await HttpServer.listen({
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    allowedOrigins: [],
    isBehindProxy: false,
    page: noPage,
    basePath: "",
    isReadOnly: false,
    logger: silentLogger,
    now: Date.now,
    tokens: [
      { name: "tests", role: "operator", namespace: undefined, hash: hashToken(token) },
      { name: "watcher", role: "viewer", namespace: undefined, hash: hashToken(viewerToken) },
    ],
    workspaceOf: async () => workspace ?? noWorkspace,
    ...rest,
    limits,
    apis: [{ id: "native", base: "/api/v1", routes }, ...apis],
  });
  const { url } = server;
  const port = url.startsWith("http") ? Number(new URL(url).port) : 0;
  const close = () => server.close();
  return { url, port, token, viewerToken, close, fetch: (path, init) => send(url + path, init) };
}

function send(url: string, { json, ...init }: RequestInit & { readonly json?: unknown } = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  if (json === undefined) return fetch(url, { ...init, headers });
  headers.set("content-type", "application/json");
  return fetch(url, { ...init, headers, body: JSON.stringify(json) });
}

/** The workspace for routes that use none. */
const noWorkspace = new Proxy({} as Workspace, {
  get(_, name) {
    if (name === "then") return undefined;
    throw new Error(`This test server has no workspace, but a route reads ${String(name)} of it.`);
  },
});
