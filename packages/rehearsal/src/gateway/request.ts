/** The parts of an AI Gateway request that the rehearsal reads. Other parts are ignored. */
import { z } from "zod";

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  output: z.looseObject({ type: z.string(), value: z.unknown().optional() }).optional(),
});
export type GatewayPart = z.output<typeof part>;

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.string() }),
  z.looseObject({ role: z.enum(["user", "assistant", "tool"]), content: z.array(part) }),
]);

/** The body: a prompt of the AI SDK, specification version 4. */
export const gatewayRequest = z.looseObject({
  prompt: z.array(message).min(1),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string() })).default([]),
  toolChoice: z.looseObject({ type: z.string(), toolName: z.string().optional() }).optional(),
});
export type GatewayRequest = z.output<typeof gatewayRequest>;
export type GatewayMessage = GatewayRequest["prompt"][number];

/** The headers, which contain the model and the mode. */
export const gatewayHeaders = z.looseObject({
  "ai-language-model-specification-version": z.enum(["3", "4"]),
  "ai-language-model-id": z.string(),
  "ai-language-model-streaming": z.enum(["true", "false"]),
});
