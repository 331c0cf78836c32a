/** Reads requests to the model in OpenAI's protocol Responses. */
import { findImages, type SentRequest } from "@bridle/conformance";
import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";
import { messagesOf } from "./sent-messages.ts";

const message = z.looseObject({
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
});
const request = z.looseObject({
  instructions: z.string().nullish(),
  input: z.array(message),
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string().default(""), parameters: z.unknown() }))
    .default([]),
});

export function sentRequests(requests: readonly RecordedRequest[]): SentRequest[] {
  return requests.filter(({ method }) => method === "POST").map(({ body }) => toSent(body));
}

function toSent(body: unknown): SentRequest {
  const { instructions, input, tools } = request.parse(body);
  return {
    system: instructions ?? "",
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    texts: input
      .filter(({ role }) => role !== "assistant")
      .flatMap(({ content, output }) => [...textsOf(content), ...textsOf(output)]),
    messages: messagesOf(input),
    images: findImages(input),
  };
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: { text?: unknown }) => (typeof part.text === "string" ? [part.text] : []));
}
