/** The part of the report about an ingest run before claims are made: findings, questions and refusals. */
import { z } from "zod";
import { gateNames } from "../claims/gates/gate-names.ts";
import { stageUseSchema } from "../models/stage-use.ts";

/** A candidate that a gate refused. The entry must not contain a secret. */
const rejectionSchema = z.object({
  gate: z.enum(gateNames),
  /** The reason in one sentence. */
  reason: z.string(),
  source: z.string(),
  item: z.string(),
  quote: z.string(),
  /** The statement that was refused. */
  statement: z.string(),
});
export type Rejection = z.output<typeof rejectionSchema>;

/** Items that were not read completely. The next run asks about them again. */
const unfinishedSchema = z.object({
  stage: z.string(),
  /** The name of the unit: the id of its only or first item. */
  unit: z.string(),
  source: z.string(),
  items: z.array(z.string()),
  /** `failed`: an error occurred. `incomplete`: the unit ran out of steps; the proposals made by then count. `left`: not started. */
  state: z.enum(["failed", "incomplete", "left"]),
  reason: z.string(),
});
export type Unfinished = z.output<typeof unfinishedSchema>;

/** Text or a name that addresses an assistant. It was not sent to a model and did not become a claim. */
const foundInstructionSchema = z.object({
  source: z.string(),
  item: z.string(),
  where: z.enum(["text", "name"]),
  quote: z.string(),
  reason: z.string(),
});
export type FoundInstruction = z.output<typeof foundInstructionSchema>;

const fetchedSourceSchema = z.object({
  source: z.string(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  removed: z.array(z.object({ id: z.string(), version: z.string(), movedTo: z.string().optional() })),
  ownOutput: z.array(z.string()),
  isComplete: z.boolean(),
  problems: z.array(z.object({ source: z.string(), item: z.string().optional(), message: z.string() })),
});

/**
 * `complete`: everything was read, or is listed as unfinished with its own reason. `budget`: the budget was not sufficient. `limit`: a
 * usage window is used up. `stopped`: the caller stopped the run.
 */
const ingestEnds = ["complete", "budget", "limit", "stopped"] as const;

export const ingestOutcomeSchema = z.object({
  ended: z.enum(ingestEnds),
  /** The reason for the end in one sentence. Missing if the run is complete. */
  endReason: z.string().optional(),
  /** When the usage window opens again, in ISO 8601, if known. */
  opensAt: z.string().optional(),
  startedAt: z.string(),
  durationMs: z.number(),
  sources: z.array(fetchedSourceSchema),
  /** Sources that are no longer configured. Their items are removed. */
  removedSources: z.array(z.string()),
  /** The number of items in all sources, and the number of items that were read completely. */
  items: z.object({ total: z.int(), finished: z.int() }),
  stages: z.array(stageUseSchema),
  /** The number of candidates that passed every gate. */
  accepted: z.int(),
  rejected: z.array(rejectionSchema),
  unfinished: z.array(unfinishedSchema),
  instructions: z.array(foundInstructionSchema),
  findings: z.array(
    z.object({
      source: z.string(),
      kind: z.enum(["refused", "changed"]),
      subject: z.string(),
      reason: z.string(),
      item: z.string(),
      line: z.number().optional(),
    }),
  ),
  /** Notes for users, for example that nothing was scanned. */
  notes: z.array(z.string()),
});
export type IngestOutcome = z.output<typeof ingestOutcomeSchema>;
