import { z } from "zod";
import { eventDefinitions } from "./events.ts";
import { costSchema, usageSchema } from "./usage.ts";

const forwarded = [
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

type Forwarded = (typeof forwarded)[number];
type Definitions = typeof eventDefinitions;

/** The events that a backend may emit. The engine numbers steps and adds `seq`, `time` and ids. */
export type BackendEvent =
  | { [K in Forwarded]: { type: K } & z.infer<Definitions[K]> }[Forwarded]
  | { type: "step.started"; model?: string | undefined }
  | { type: "step.finished"; usage: z.infer<typeof usageSchema>; cost?: z.infer<typeof costSchema> | undefined };

/** Anyone can write a backend, so its events are validated before they reach the event log. */
export const backendEventSchema = z.discriminatedUnion("type", [
  ...forwarded.map((type) => eventDefinitions[type].extend({ type: z.literal(type) })),
  z.strictObject({ type: z.literal("step.started"), model: z.string().optional() }),
  z.strictObject({ type: z.literal("step.finished"), usage: usageSchema, cost: costSchema.optional() }),
] as never) as z.ZodType<BackendEvent>;
