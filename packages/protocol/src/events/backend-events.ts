import { z } from "zod";
import { eventDefinitions } from "./events.ts";
import { usageSchema } from "./usage.ts";

const passed = [
  "text.delta",
  "text.completed",
  "reasoning.delta",
  "reasoning.completed",
  "retry.scheduled",
  "limit.warned",
  "limit.reached",
  "usage.reported",
  "notice",
] as const;

type Passed = (typeof passed)[number];
type Definitions = typeof eventDefinitions;

/** What a backend tells; the engine counts steps and gives every event its place. */
export type BackendEvent =
  | { [K in Passed]: { type: K } & z.infer<Definitions[K]> }[Passed]
  | { type: "step.started"; model?: string | undefined }
  | { type: "step.finished"; usage: z.infer<typeof usageSchema> };

/** Backends are written by others too: what they tell is checked before it reaches the record. */
export const backendEventSchema = z.discriminatedUnion("type", [
  ...passed.map((type) => eventDefinitions[type].extend({ type: z.literal(type) })),
  z.strictObject({ type: z.literal("step.started"), model: z.string().optional() }),
  z.strictObject({ type: z.literal("step.finished"), usage: usageSchema }),
] as never) as z.ZodType<BackendEvent>;
