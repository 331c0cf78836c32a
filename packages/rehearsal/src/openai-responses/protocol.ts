import { toOpenAIErrorReply } from "../openai/errors.ts";
import { toChatGptLimitHeaders, toOpenAILimitHeaders } from "../openai/limit-headers.ts";
import type { Arrival, Protocol, Reading, Reply } from "../protocol/protocol.ts";
import { readBody } from "../protocol/read-body.ts";
import { sseContentType } from "../protocol/sse.ts";
import { toCodexConversation, toResponsesConversation } from "./conversation.ts";
import { findResponsesFault } from "./faults.ts";
import { type ResponsesRequest, responsesRequest } from "./request.ts";
import { toResponse } from "./response.ts";
import { toResponsesEvents } from "./stream.ts";

/** OpenAI Responses. */
export const openaiResponses: Protocol = {
  name: "responses",
  path: /\/responses$/,
  requestIdHeader: "x-request-id",
  read: (arrival) => read(arrival, toResponsesConversation),
  error: toOpenAIErrorReply,
  limitHeaders: toOpenAILimitHeaders,
};

/** OpenAI Responses for a ChatGPT account, as Codex uses it. Headers report the account's usage windows. */
export const chatgptResponses: Protocol = {
  ...openaiResponses,
  name: "chatgpt-responses",
  path: /\/backend-api\/codex\/responses$/,
  read: (arrival) => read(arrival, toCodexConversation),
  error: (fault) => toOpenAIErrorReply(fault.isLimit ? { ...fault, type: "usage_limit_reached" } : fault),
  limitHeaders: toChatGptLimitHeaders,
};

function read({ body }: Arrival, toConversation: typeof toResponsesConversation): Reading {
  return readBody(responsesRequest, body, {
    findFault: findResponsesFault,
    toRequest: (request) => ({ conversation: toConversation(request), reply: toReply(request) }),
  });
}

function toReply({ model = "deployment", stream, store, include }: ResponsesRequest): Reply {
  const encryptsReasoning = include?.includes("reasoning.encrypted_content") ?? false;
  const options = { model, isStored: store !== false, encryptsReasoning };
  if (stream !== true) return { kind: "whole", body: (answer) => toResponse(answer, options) };
  return {
    kind: "stream",
    contentType: sseContentType,
    events: (answer, ending) => toResponsesEvents(answer, options, ending),
  };
}
