import { findUnpaired } from "../engine/unpaired.ts";
import { toOpenAILimitHeaders } from "../openai/limit-headers.ts";
import type { Arrival, Protocol, Reading, Reply } from "../protocol/protocol.ts";
import { firstProblem, readBody } from "../protocol/read-body.ts";
import { sseContentType } from "../protocol/sse.ts";
import { toGatewayConversation, toGatewayEntries } from "./conversation.ts";
import { toGatewayErrorReply } from "./errors.ts";
import { type GatewayRequest, gatewayHeaders, gatewayRequest } from "./request.ts";
import { toResult } from "./result.ts";
import { toGatewayEvents } from "./stream.ts";

/** Vercel's AI Gateway, in the format that `@ai-sdk/gateway` 4.0.146 uses. */
export const aiGateway: Protocol = {
  name: "gateway",
  path: /\/language-model$/,
  requestIdHeader: "x-vercel-id",
  read,
  error: toGatewayErrorReply,
  limitHeaders: toOpenAILimitHeaders,
};

function read({ headers, body }: Arrival): Reading {
  const head = gatewayHeaders.safeParse(headers);
  if (!head.success) return { problem: firstProblem(head.error) };
  const { "ai-language-model-id": modelId, "ai-language-model-streaming": streaming } = head.data;
  const reply = streaming === "true" ? toStream(modelId) : toWhole(modelId);
  return readBody(gatewayRequest, body, {
    findFault,
    toRequest: (request) => ({ conversation: toGatewayConversation(request), reply }),
  });
}

/** Finds a fault that every provider behind the gateway refuses. */
function findFault({ prompt, tools }: GatewayRequest): string | undefined {
  const names = tools.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) return `tools: the name '${double}' is used more than once.`;
  const unpaired = findUnpaired(prompt.flatMap(toGatewayEntries));
  if (unpaired?.kind === "stray") return `prompt: no tool call found for the tool result '${unpaired.id}'.`;
  return unpaired === undefined ? undefined : `prompt: no tool result found for tool calls ${unpaired.ids.join(", ")}.`;
}

function toStream(modelId: string): Reply {
  const events: Extract<Reply, { kind: "stream" }>["events"] = (answer, ending) =>
    toGatewayEvents(answer, modelId, ending);
  return { kind: "stream", contentType: sseContentType, events };
}

function toWhole(modelId: string): Reply {
  return { kind: "whole", body: (answer) => toResult(answer, modelId) };
}
