/** The parts of a Chat Completions request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";
import { content } from "../openai/content.ts";

const toolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer"]), content }),
  z.looseObject({ role: z.literal("user"), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content }),
]);

const toolChoice = z.union([z.string(), z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })]);

export const chatRequest = z.looseObject({
  model: z.string().optional(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  tool_choice: toolChoice.optional(),
  user: z.string().optional(),
});

export type ChatRequest = z.output<typeof chatRequest>;
export type ChatMessage = ChatRequest["messages"][number];
