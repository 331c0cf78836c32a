import type { Arrival, Protocol, Reading, Reply, StreamEvent } from "../protocol/protocol.ts";
import { readBody } from "../protocol/read-body.ts";
import { inFrames, type NamedValue, namedEvent, type SsePart, sseContentType } from "../protocol/sse.ts";
import { toAnthropicConversation } from "./conversation.ts";
import { toAnthropicErrorReply } from "./errors.ts";
import { findAnthropicFault } from "./faults/find-fault.ts";
import { toAnthropicLimitHeaders } from "./limit-headers.ts";
import { toAnthropicMessage } from "./message.ts";
import { messagesRequest } from "./request.ts";
import { toAnthropicEvents } from "./stream.ts";
import { keeping, openThread } from "./threads.ts";

/** Anthropic Messages, version 2023-06-01. */
export const anthropicMessages: Protocol = {
  name: "anthropic",
  path: /\/v1\/messages$/,
  requestIdHeader: "request-id",
  read: (arrival) => readMessages(arrival, serverSentEvents),
  error: toAnthropicErrorReply,
  limitHeaders: toAnthropicLimitHeaders,
};

/** How a host frames the events of a stream. */
export interface Framing {
  readonly contentType: string;
  frame(event: SsePart<NamedValue>): StreamEvent;
}

export const serverSentEvents: Framing = { contentType: sseContentType, frame: namedEvent };

/** Reads a request of the Messages API on any host. */
export function readMessages({ body, memory }: Pick<Arrival, "body" | "memory">, framing: Framing): Reading {
  const opened = openThread(body, memory);
  if ("problem" in opened) return opened;
  return readBody(messagesRequest, opened.body, {
    findFault: findAnthropicFault,
    toRequest: (request) => {
      const reply = request.stream ? toStream(request.model, framing) : toWhole(request.model);
      const conversation = toAnthropicConversation(request);
      return { conversation, reply: opened.keep ? keeping(reply, opened.keep) : reply };
    },
  });
}

function toStream(model: string, { contentType, frame }: Framing): Reply {
  return {
    kind: "stream",
    contentType,
    events: (answer, ending) => inFrames(toAnthropicEvents(answer, model, ending), frame),
  };
}

function toWhole(model: string): Reply {
  return { kind: "whole", body: (answer) => toAnthropicMessage(answer, model) };
}
