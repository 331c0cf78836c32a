/** The parts of a Responses request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";
import { content } from "../openai/content.ts";

const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  strict: z.boolean().nullish(),
  parameters: z.unknown().optional(),
});

/** An input item. A message has a role; every other item has a type. For newer models, Codex lists the tools in an item. */
const item = z.looseObject({
  type: z.string().default("message"),
  role: z.enum(["user", "assistant", "system", "developer"]).optional(),
  content: content.nullish(),
  id: z.string().nullish(),
  call_id: z.string().nullish(),
  name: z.string().optional(),
  output: content.optional(),
  encrypted_content: z.string().nullish(),
  tools: z.array(z.looseObject({ tools: z.array(tool).optional() })).nullish(),
});

/** The input. A string is equivalent to one user message. */
const input = z.union([
  z.string().transform((text): Item[] => [{ type: "message", role: "user", content: text }]),
  z.array(item).min(1),
]);

const format = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  strict: z.boolean().nullish(),
  schema: z.unknown().optional(),
});

export const responsesRequest = z.looseObject({
  model: z.string().optional(),
  input,
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  include: z.array(z.string()).nullish(),
  previous_response_id: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  text: z.looseObject({ format: format.optional() }).optional(),
  tools: z.array(tool).default([]),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string(), name: z.string().optional() })]).optional(),
});

export type ResponsesRequest = z.output<typeof responsesRequest>;
export type Item = z.output<typeof item>;
