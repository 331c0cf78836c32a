/** The known facts about warehouses, as data. Printed by `bridle context … --json`. */
import { z } from "zod";
import { ingestStatusSchema, sourceStatusSchema } from "./ingest-status-schema.ts";

const names = z.array(z.string()).readonly();
const connectionSchema = z.object({
  name: z.string(),
  /** The engine; null if bridle.yaml no longer contains the connection. */
  type: z.string().nullable(),
  /** The location of the database, without credentials. */
  place: z.string().nullable(),
  scan: z
    .object({
      server: z.string(),
      scannedAt: z.string().optional(),
      unfinished: z.boolean(),
      tables: z.number(),
      columns: z.number(),
      joins: z.number(),
      joinsToReview: z.number(),
      problems: z.array(z.object({ table: z.string(), problem: z.string() })).readonly(),
      changes: z.number(),
    })
    .nullable(),
});

export const contextStatusSchema = z.object({
  connections: z.array(connectionSchema).readonly(),
  /** The documents and tools that ingest reads. */
  sources: z.array(sourceStatusSchema).readonly(),
  /** The last run of ingest; null if ingest has never run. */
  ingest: ingestStatusSchema.nullable(),
  fileProblems: names,
});
export type ContextStatus = z.output<typeof contextStatusSchema>;

const descriptionSchema = z.object({ text: z.string(), source: z.string(), from: z.string().optional() });

const columnSchema = z.object({
  name: z.string(),
  type: z.string(),
  nativeType: z.string(),
  nullable: z.boolean(),
  sensitive: z.string().optional(),
  description: descriptionSchema.optional(),
  profile: z
    .object({
      rows: z.number(),
      nulls: z.number(),
      distinct: z.number(),
      min: z.string().optional(),
      max: z.string().optional(),
      shapes: z.array(z.object({ shape: z.string(), rows: z.number() })).readonly(),
      frequent: z.array(z.object({ value: z.string(), rows: z.number() })).readonly(),
    })
    .optional(),
});

const joinEndSchema = z.object({ table: z.string(), columns: names });

/** How often each value of one end occurs. */
const endCountsSchema = z.object({
  rows: z.number(),
  filled: z.number(),
  distinct: z.number(),
  isExact: z.boolean(),
});

export const listedJoinSchema = z.object({
  id: z.string(),
  from: joinEndSchema,
  to: joinEndSchema,
  origin: z.enum(["declared", "found", "person", "model"]),
  status: z.enum(["accepted", "review"]),
  score: z.number(),
  relationship: z.enum(["many-to-one", "one-to-one", "one-to-many", "many-to-many", "unknown"]),
  uniqueness: z.object({ from: endCountsSchema.optional(), to: endCountsSchema.optional() }).optional(),
  condition: z.string().optional(),
  reason: z.string().optional(),
  evidence: z.object({ coverage: z.number(), violations: z.number(), examples: names, signals: names }).optional(),
});
export type ListedJoin = z.output<typeof listedJoinSchema>;
export const listedJoinsSchema = z.object({ joins: z.array(listedJoinSchema).readonly() });

export const shownTableSchema = z.object({
  id: z.string(),
  kind: z.enum(["table", "view"]),
  description: descriptionSchema.optional(),
  rows: z.number().optional(),
  rowsAreExact: z.boolean(),
  sample: z.string().optional(),
  key: z.object({ columns: names, declared: z.boolean(), score: z.number() }).optional(),
  problem: z.string().optional(),
  scannedAt: z.string(),
  columns: z.array(columnSchema).readonly(),
  joins: z.array(listedJoinSchema).readonly(),
});
export type ShownTable = z.output<typeof shownTableSchema>;

export const listedDriftSchema = z.object({
  connections: z
    .array(
      z.object({
        name: z.string(),
        scannedAt: z.string().optional(),
        changes: z.array(z.object({ kind: z.string(), subject: z.string(), detail: z.string() })).readonly(),
      }),
    )
    .readonly(),
});
export type ListedDrift = z.output<typeof listedDriftSchema>;

export const listedChangesSchema = z.object({
  changes: z
    .array(
      z.object({
        at: z.string(),
        author: z.string(),
        source: z.string(),
        reason: z.string().optional(),
        file: z.string(),
        subject: z.string(),
        kind: z.string(),
        before: z.unknown().optional(),
        after: z.unknown(),
        commit: z.string().optional(),
      }),
    )
    .readonly(),
});
export type ListedChanges = z.output<typeof listedChangesSchema>;

export const decidedJoinSchema = z.object({
  /** False if the file already contains the decision. */
  isApplied: z.boolean(),
  message: z.string().optional(),
  /** The path relative to the project. */
  file: z.string(),
  commit: z.string().optional(),
  commitProblem: z.string().optional(),
  join: listedJoinSchema,
});
export type DecidedJoin = z.output<typeof decidedJoinSchema>;
