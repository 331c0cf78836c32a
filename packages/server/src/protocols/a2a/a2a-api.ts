/** A2A 1.0 over JSON-RPC, with one URL and one card for each agent. */
import type { Logger } from "@bridle/protocol";
import { z } from "zod";
import type { Api } from "../../http/api.ts";
import { RequestProblem } from "../../http/problem.ts";
import { defineRoute, type Route, type RouteReply, type RouteRequest } from "../../http/route.ts";
import { toProblem } from "../../http/to-problem.ts";
import { eventStreamType, toServerSentEvent, withKeepAlive } from "../shared/event-stream.ts";
import { toAgentCard } from "./a2a-card.ts";
import { toRpcError } from "./a2a-errors.ts";
import { type A2aCall, a2aMethods, a2aStreams, noPush } from "./a2a-methods.ts";
import { type A2aUpdate, a2aVersion } from "./a2a-objects.ts";
import { type RpcRequest, rpcRequestSchema } from "./a2a-request.ts";

interface A2aOptions {
  /** Bridle's version, for the cards. */
  readonly version: string;
  readonly logger: Logger;
}

export function createA2aApi({ version, logger }: A2aOptions): Api {
  const card: Route = {
    method: "GET",
    path: "/agents/{agent}/.well-known/agent-card.json",
    role: "viewer",
    summary: "The card of an agent, with its description and its addresses.",
    replies: { 200: z.looseObject({}) },
    handle: async ({ workspace, names, serverUrl }) => {
      const agent = workspace.agents.get(names.agent ?? "");
      return { status: 200, body: toAgentCard(agent, `${serverUrl}/a2a/agents/${agent.id}`, version) };
    },
  };
  const call = defineRoute({
    method: "POST",
    path: "/agents/{agent}",
    role: "viewer",
    body: rpcRequestSchema,
    summary: "Calls a method of A2A. Those that begin, answer or cancel a task need the role operator.",
    replies: { 200: z.looseObject({}) },
    takesFiles: true,
    streams: ({ body }) => Object.hasOwn(a2aStreams, body.method),
    handle: (request) => answerCall(request, logger),
  });
  return {
    id: "a2a",
    base: "/a2a",
    routes: [card, call],
    formatProblem: ({ status, code, detail }) => toRpcError(null, { status, code, message: detail }),
  };
}

async function answerCall(request: RouteRequest<unknown, RpcRequest>, logger: Logger): Promise<RouteReply> {
  const { id = null, method } = request.body;
  try {
    checkVersion(request.headers.get("a2a-version"));
    const call = { ...request, agent: request.workspace.agents.get(request.names.agent ?? "") };
    const begin = Object.hasOwn(a2aStreams, method) ? a2aStreams[method] : undefined;
    if (begin === undefined)
      return { status: 200, body: { jsonrpc: "2.0", id, result: await callMethod(method, call) } };
    const stream = withKeepAlive(write(id, await begin(call), logger));
    return { status: 200, contentType: eventStreamType, stream };
  } catch (error) {
    const problem = toProblem(error);
    if (problem === undefined) throw error;
    return { status: 200, body: toRpcError(id, problem), headers: problem.headers };
  }
}

async function callMethod(method: string, call: A2aCall): Promise<unknown> {
  const perform = Object.hasOwn(a2aMethods, method) ? a2aMethods[method] : undefined;
  if (perform !== undefined) return perform(call);
  if (method.endsWith("PushNotificationConfig") || method.endsWith("PushNotificationConfigs")) throw noPush();
  if (method === "GetExtendedAgentCard")
    throw new RequestProblem(404, "unsupported-operation", "There is one card for all. Read it at its address.");
  const known = [...Object.keys(a2aMethods), ...Object.keys(a2aStreams)].join(", ");
  throw new RequestProblem(404, "no-such-method", `There is no such method. A2A ${a2aVersion} has ${known}.`);
}

/** Rejects clients of other A2A versions, which send other methods and would misinterpret the replies. @throws RequestProblem */
function checkVersion(version: string | null): void {
  if (version === null || version === "" || /^1\.0(\.\d+)?$/.test(version)) return;
  const message = `The server speaks A2A ${a2aVersion}, and the header A2A-Version asks for another version. Change it.`;
  throw new RequestProblem(400, "version-not-supported", message);
}

/** Yields one event for each update. If the stream fails after its start, the last event is the error. */
async function* write(
  id: string | number | null,
  updates: AsyncGenerator<readonly A2aUpdate[]>,
  logger: Logger,
): AsyncGenerator<string> {
  try {
    for await (const page of updates)
      yield page.map((result) => toServerSentEvent({ jsonrpc: "2.0", id, result })).join("");
  } catch (error) {
    const problem = toProblem(error);
    if (problem === undefined) logger.error({ error }, "a stream of A2A failed");
    const unexpected = { status: 500, code: "internal", message: "The stream failed. The task is on record." };
    yield toServerSentEvent(toRpcError(id, problem ?? unexpected));
  }
}
