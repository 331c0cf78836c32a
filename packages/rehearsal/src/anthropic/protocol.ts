import type { Protocol, Reading } from "../protocol/protocol.ts";
import { toConversation } from "./conversation.ts";
import { answerEndpoint } from "./endpoints.ts";
import { toErrorBody } from "./errors.ts";
import { findFault } from "./history.ts";
import { toLimitHeaders } from "./limit-headers.ts";
import { toMessage } from "./message.ts";
import { messagesRequest } from "./request.ts";
import { toEvents } from "./stream.ts";

/** Anthropic Messages, version 2023-06-01. */
export const anthropicMessages: Protocol = {
  path: "/v1/messages",
  read,
  stream: (answer, { model }, ending) => toEvents(answer, model, ending),
  whole: (answer, { model }) => toMessage(answer, model),
  error: toErrorBody,
  limitHeaders: toLimitHeaders,
  other: answerEndpoint,
};

function read(body: unknown): Reading {
  const parsed = messagesRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `${issue?.path.join(".") || "body"}: ${issue?.message}` };
  }
  const fault = findFault(parsed.data);
  if (fault !== undefined) return { problem: fault };
  const { model, stream } = parsed.data;
  return { request: { model, streaming: stream, conversation: toConversation(parsed.data) } };
}
