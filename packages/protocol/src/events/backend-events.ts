import { z } from "zod";
import { costSchema, usageSchema } from "../usage/usage.ts";
import { eventDefinitions } from "./events.ts";

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
  "host.message",
] as const;

/** The events that a backend may emit. The engine numbers steps and adds `seq`, `time` and ids. */
export type BackendEvent =
  | {
      [K in (typeof forwarded)[number]]: { type: K } & z.infer<(typeof eventDefinitions)[K]>;
    }[(typeof forwarded)[number]]
  | { type: "step.started"; model?: string | undefined }
  | ({ type: "input.delta" } & z.infer<typeof streamedInput>)
  | ({ type: "step.finished" } & z.infer<typeof finishedStep>);

/** A piece of a call's input. The engine adds the block id that the call with this id will have. */
const streamedInput = z.strictObject({ callId: z.string(), tool: z.string(), text: z.string() });

/** A complete response. */
const finishedStep = z.strictObject({
  usage: usageSchema,
  cost: costSchema.optional(),
  finishReason: z.string().optional(),
});
export type FinishedStep = z.infer<typeof finishedStep>;

/** Validates a backend's events before they reach the event log, because anyone can write a backend. */
export const backendEventSchema = z.discriminatedUnion("type", [
  ...forwarded.map((type) => eventDefinitions[type].extend({ type: z.literal(type) })),
  z.strictObject({ type: z.literal("step.started"), model: z.string().optional() }),
  streamedInput.extend({ type: z.literal("input.delta") }),
  finishedStep.extend({ type: z.literal("step.finished") }),
] as never) as z.ZodType<BackendEvent>;
