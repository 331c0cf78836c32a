import { toOpenAIErrorReply } from "../openai/errors.ts";
import { toOpenAILimitHeaders } from "../openai/limit-headers.ts";
import type { Arrival, Protocol, Reading, Reply } from "../protocol/protocol.ts";
import { readBody } from "../protocol/read-body.ts";
import { sseContentType } from "../protocol/sse.ts";
import { toCompletion } from "./completion.ts";
import { toChatConversation } from "./conversation.ts";
import { findChatFault } from "./faults.ts";
import { type ChatRequest, chatRequest } from "./request.ts";
import { toChunkEvents } from "./stream.ts";

/** OpenAI Chat Completions, which most other servers also use. */
export const openaiChat: Protocol = {
  name: "chat",
  path: /\/chat\/completions$/,
  requestIdHeader: "x-request-id",
  read,
  error: toOpenAIErrorReply,
  limitHeaders: toOpenAILimitHeaders,
};

function read({ body }: Arrival): Reading {
  return readBody(chatRequest, body, {
    findFault: findChatFault,
    toRequest: (request) => ({ conversation: toChatConversation(request), reply: toReply(request) }),
  });
}

/** Returns the reply. On Azure, the path contains the deployment, and the body may have no model. */
function toReply({ model = "deployment", stream, stream_options }: ChatRequest): Reply {
  if (stream !== true) return { kind: "whole", body: (answer) => toCompletion(answer, model) };
  const options = { model, includesUsage: stream_options?.include_usage === true };
  return {
    kind: "stream",
    contentType: sseContentType,
    events: (answer, ending) => toChunkEvents(answer, options, ending),
  };
}
