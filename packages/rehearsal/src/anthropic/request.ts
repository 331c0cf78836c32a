/** The parts of a Messages request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";

const contentBlock = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
export type RequestBlock = z.output<typeof contentBlock>;

/** A string means one block of text. */
const content = z.union([
  z.string().transform((text): RequestBlock[] => [{ type: "text", text }]),
  z.array(contentBlock),
]);

export const messagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.number().int().positive(),
  messages: z.array(z.looseObject({ role: z.enum(["user", "assistant", "system"]), content })).min(1),
  system: content.optional(),
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
});

export type MessagesRequest = z.output<typeof messagesRequest>;
export type AnthropicMessage = MessagesRequest["messages"][number];

/** The texts of a tool result, which is a string or a list of blocks. */
export function readAnthropicTexts(value: unknown): string[] {
  const parsed = content.safeParse(value ?? "");
  return parsed.success ? parsed.data.flatMap((block) => block.text ?? []) : [JSON.stringify(value)];
}
