/** Converts model requests from any protocol to one form. */
import { findImages, type SentRequest } from "@bridle/conformance";
import { correctionStart } from "@bridle/protocol";
import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";
import { messagesOf } from "./sent-messages.ts";

const tool = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  input_schema: z.unknown().optional(), // Anthropic
  parameters: z.unknown().optional(), // Responses
  inputSchema: z.unknown().optional(), // the gateway
  function: z
    .looseObject({ name: z.string(), description: z.string().optional(), parameters: z.unknown().optional() })
    .optional(), // Chat Completions
});
const message = z.looseObject({
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
});
const request = z.looseObject({
  instructions: z.string().nullish(),
  system: z.union([z.string(), z.array(z.looseObject({ text: z.string() }))]).optional(),
  messages: z.array(message).optional(),
  input: z.array(message).optional(),
  prompt: z.array(message).optional(),
  tools: z.array(tool).optional(),
  temperature: z.number().optional(),
  inferenceConfig: z.looseObject({ temperature: z.number().optional() }).optional(), // Bedrock
});

/** Returns the requests of steps, without repair requests. */
export function sentRequests(requests: readonly RecordedRequest[]): SentRequest[] {
  return requests
    .filter(({ method }) => method === "POST")
    .map(({ body }) => toSent(body))
    .filter(({ texts }) => !texts.some((text) => text.startsWith(correctionStart)));
}

function toSent(body: unknown): SentRequest {
  const {
    instructions: given,
    system = given ?? "",
    tools = [],
    messages,
    input,
    prompt,
    ...settings
  } = request.parse(body);
  const temperature = settings.temperature ?? settings.inferenceConfig?.temperature;
  const all = messages ?? input ?? prompt ?? [];
  const instructions = all.filter(({ role }) => role === "system" || role === "developer");
  const ownSystem = typeof system === "string" ? system : system.map(({ text }) => text).join("\n");
  return {
    system: [ownSystem, ...instructions.flatMap(({ content }) => textsOf(content))].filter(Boolean).join("\n"),
    tools: tools.map((each) => ({
      name: each.function?.name ?? each.name ?? "",
      description: each.function?.description ?? each.description ?? "",
      inputSchema: each.input_schema ?? each.parameters ?? each.inputSchema ?? each.function?.parameters,
    })),
    texts: all
      .filter(({ role }) => role !== "assistant" && role !== "system" && role !== "developer")
      .flatMap(({ content, output }) => [...textsOf(content), ...textsOf(output)]),
    messages: messagesOf(all),
    images: findImages(all),
    ...(temperature !== undefined && { temperature }),
  };
}

function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (Array.isArray(content)) return content.flatMap(textsOf);
  if (typeof content !== "object" || content === null) return [];
  const { text, content: inner, output, value } = content as Record<string, unknown>;
  return typeof text === "string" ? [text] : [...textsOf(inner), ...textsOf(output), ...textsOf(value)];
}
