import type { IncomingMessage, ServerResponse } from "node:http";
import type { Workspace } from "@bridle/app/serving";
import type { Logger } from "@bridle/protocol";
import { suggestion } from "@bridle/protocol";
import { type Context, Hono } from "hono";
import type { Api } from "./api.ts";
import { pathOf } from "./guards/check-head.ts";
import { readHead } from "./guards/request-head.ts";
import type { HttpLimits } from "./limits.ts";
import { RequestProblem } from "./problem.ts";
import { sendProblem, toFormattedProblem } from "./reply/send-problem.ts";
import { sendReply } from "./reply/send-reply.ts";
import { parseBody, parseQuery } from "./request/parse-input.ts";
import { checkPathNames, toRouterPath } from "./request/path-names.ts";
import { readJson, requireJson } from "./request/read-body.ts";
import type { ResponseSignals } from "./request-signals.ts";
import type { RequestSender, Route, RouteReply, RouteRequest } from "./route.ts";
import { toProblem } from "./to-problem.ts";
import type { UserShares } from "./user-shares.ts";

/** The data that the listener adds to a request after the guards have accepted it. */
interface AppBindings extends ResponseSignals {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly caller: RequestSender;
  readonly serverUrl: string;
  /** Releases the slot of the request. */
  leave(): void;
}

export interface AppOptions {
  readonly apis: readonly Api[];
  readonly limits: HttpLimits;
  readonly logger: Logger;
  /** The prefix of every path, such as `/agents`. Empty for none. The application gets paths without it. */
  readonly basePath: string;
  /** Removes the credentials of a user's project from a body. Default: the body is sent unchanged. */
  redact?(body: unknown, workspace: Workspace): unknown;
  /** Returns the workspace of a caller's user. It stays open until the signal is aborted. */
  workspaceOf(caller: RequestSender, signal: AbortSignal): Promise<Workspace>;
}

interface AppOptionsInUse extends AppOptions {
  readonly shared: UserShares;
}

type AppEnv = { Bindings: AppBindings };
export type ServerApp = Hono<AppEnv>;

/**
 * Creates the application behind the guards, which finds the route and parses the request. The router gets the undecoded path, so that
 * `%2e%2e` is not interpreted as a parent folder.
 */
export function createServerApp(given: AppOptions, shared: UserShares): ServerApp {
  const options: AppOptionsInUse = { ...given, shared };
  const { apis } = options;
  const app: ServerApp = new Hono<AppEnv>({ getPath: (_, use) => pathOf(use?.env?.incoming.url ?? "/") });
  for (const api of apis) {
    refuseRepeated(api);
    for (const route of api.routes) {
      app.on(route.method, api.base + toRouterPath(route.path), (context) => answer(context, api, route, options));
    }
    for (const path of new Set(api.routes.map((route) => route.path))) {
      app.all(api.base + toRouterPath(path), (context) => refuse(context, otherMethod(api, path), api, options));
    }
  }
  app.notFound((context) => refuse(context, notFound(context, apis), apiOf(context, apis), options));
  app.onError((error, context) => refuse(context, error, apiOf(context, apis), options));
  return app;
}

async function answer(context: Context<AppEnv>, api: Api, route: Route, options: AppOptionsInUse): Promise<Response> {
  try {
    const { incoming, outgoing, caller, serverUrl, signal, gone, leave } = context.env;
    requireRole(caller, route);
    const names = context.req.param();
    checkPathNames(names);
    const query = parseQuery(new URLSearchParams(incoming.url?.split("?").slice(1).join("?")), route.query);
    const sent = await readBody(context.env, route, options.limits);
    const workspace = await options.workspaceOf(caller, signal);
    const headers = context.req.raw.headers;
    const request = { names, query, body: sent, headers, caller, workspace, serverUrl, signal, gone };
    if (route.streams?.(request)) return await handleStream(route, request, outgoing, options, leave);
    const work = () => handle(route, request, outgoing, options);
    return await (route.method === "GET" ? options.shared.readings.perform(caller.name, work, signal) : work());
  } catch (error) {
    return refuse(context, error, api, options);
  }
}

/** Handles a stream, which takes a slot among the streams and releases its slot among the requests. */
async function handleStream(
  route: Route,
  request: RouteRequest<unknown, unknown>,
  outgoing: ServerResponse,
  options: AppOptionsInUse,
  leaveRequests: () => void,
): Promise<Response> {
  const leave = options.shared.takeStream(request.caller.name);
  leaveRequests();
  try {
    return await handle(route, request, outgoing, options);
  } finally {
    leave();
  }
}

async function handle(
  route: Route,
  request: RouteRequest<unknown, unknown>,
  outgoing: ServerResponse,
  options: AppOptionsInUse,
): Promise<Response> {
  const reply = await route.handle(request);
  if (reply.stream && !route.streams?.(request))
    throw new Error(`${route.method} ${route.path} streams without a place: see Route.streams.`);
  const body = reply.body === undefined ? undefined : (options.redact?.(reply.body, request.workspace) ?? reply.body);
  const { limits, logger, shared } = options;
  return await sendReply(
    { ...reply, body, headers: belowBase(reply.headers, options) },
    { outgoing, signal: request.signal, logger, limits, unread: shared.unread, user: request.caller.name },
  );
}

/** Adds the base path to headers, because handlers do not know it. */
function belowBase(headers: RouteReply["headers"] = {}, { basePath }: AppOptions): Readonly<Record<string, string>> {
  const { location } = headers;
  return location?.startsWith("/") ? { ...headers, location: basePath + location } : headers;
}

function requireRole({ name, role }: RequestSender, { role: needed }: Route): void {
  if (needed === "viewer" || role === "operator") return;
  const message = `The token ${name} may only read. Use one with the role operator.`;
  throw new RequestProblem(403, "operator-only", message);
}

/** Reads the body. GET never changes anything, so its body is rejected and not read. */
async function readBody({ incoming, outgoing }: AppBindings, route: Route, limits: HttpLimits): Promise<unknown> {
  const head = readHead(incoming);
  const hasBody = head.all("transfer-encoding").length > 0 || Number(incoming.headers["content-length"] ?? 0) > 0;
  if (route.method === "GET") {
    if (hasBody)
      throw new RequestProblem(400, "body-of-get", "A GET request has no body. Send its parameters in the query.");
    return undefined;
  }
  if (hasBody || !route.isBodyless) requireJson(head);
  if (incoming.headers.expect !== undefined) outgoing.writeContinue(); // the client waits for this before it sends its body
  return parseBody(await readJson(incoming, route.takesFiles ? limits.fileBodyBytes : limits.bodyBytes), route.body);
}

function refuse(
  context: Context<AppEnv>,
  error: unknown,
  api: Api | undefined,
  { logger, basePath }: AppOptions,
): Response {
  const { incoming, outgoing } = context.env;
  const problem = toProblem(error) ?? unexpected(error, context, logger);
  return sendProblem(toFormattedProblem(problem, basePath + pathOf(incoming.url ?? "/"), api), { incoming, outgoing });
}

/** Creates the problem for an unexpected error. Its text can contain sensitive data, so only the server's log contains the text. */
function unexpected(error: unknown, { env }: Context<AppEnv>, logger: Logger): RequestProblem {
  if (!isLeft(error, env)) logger.error({ error, method: env.incoming.method }, "a request failed");
  return new RequestProblem(500, "internal", "The request failed for a reason that is in the log of the server.");
}

/** Whether the work ended because the client disconnected, so that no reply is needed. */
function isLeft(error: unknown, { gone }: AppBindings): boolean {
  return gone.aborted && error instanceof Error && error.name === "AbortError";
}

function otherMethod({ routes }: Api, path: string): RequestProblem {
  const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
  const message = `This path has no such method. It has ${allowed.join(", ")}.`;
  return new RequestProblem(405, "method-not-allowed", message, {}, { allow: allowed.join(", ") });
}

function notFound(context: Context<AppEnv>, apis: readonly Api[]): RequestProblem {
  const path = pathOf(context.env.incoming.url ?? "/").slice(0, 200);
  const known = apis.flatMap(({ base, routes }) => routes.map((route) => base + route.path));
  return new RequestProblem(404, "no-such-path", `There is nothing at this path.${suggestion(path, known)}`);
}

function apiOf(context: Context<AppEnv>, apis: readonly Api[]): Api | undefined {
  const path = pathOf(context.env.incoming.url ?? "/");
  return apis.find(({ base }) => path === base || path.startsWith(`${base}/`));
}

function refuseRepeated({ base, routes }: Api): void {
  const keys = routes.map(({ method, path }) => `${method} ${base}${toRouterPath(path)}`);
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
  if (repeated !== undefined) throw new Error(`Two routes have ${repeated}.`);
}
