/** The parts of a Messages request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";

const contentBlock = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  source: z
    .looseObject({ type: z.string(), media_type: z.string().optional(), data: z.string().optional() })
    .optional(),
});
export type RequestBlock = z.output<typeof contentBlock>;

/** A message's content. A string is equivalent to one block of text. */
const content = z.union([
  z.string().transform((text): RequestBlock[] => [{ type: "text", text }]),
  z.array(contentBlock),
]);

const tool = z.looseObject({
  name: z.string(),
  type: z
    .string()
    .nullish()
    .transform((type) => type ?? undefined),
  input_schema: z.looseObject({ type: z.unknown() }).optional(),
});

const tokens = z.number().int();
const atLeast = (min: number) => `Input should be greater than or equal to ${min}`;

export const messagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: tokens.min(1, atLeast(1)),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant", "system"]), content })).min(1),
  system: content.optional(),
  stream: z.boolean().default(false),
  tools: z.array(tool).default([]),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: tokens.min(1024, atLeast(1024)).optional() }).optional(),
  temperature: z.number().min(0, atLeast(0)).max(1, "Input should be less than or equal to 1").optional(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
});

export type MessagesRequest = z.output<typeof messagesRequest>;
export type AnthropicMessage = MessagesRequest["messages"][number];

/** Returns the strings in a tool result, which is a string or a list of blocks. */
export function readAnthropicTexts(value: unknown): string[] {
  const parsed = content.safeParse(value ?? "");
  return parsed.success ? parsed.data.flatMap((block) => block.text ?? []) : [JSON.stringify(value)];
}
