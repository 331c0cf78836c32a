/** The stored form of the facts. The file may have come with a project, so its contents are checked. */
import { dialectIds, valueTypes } from "@bridle/warehouse";
import { z } from "zod";
import {
  type ConnectionFacts,
  type DriftEntry,
  type EndCounts,
  type JoinFacts,
  type KeyFacts,
  relationships,
  type TableFacts,
} from "./facts.ts";

const count = z.number().nonnegative();
const share = z.number().min(0).max(1);
const names = z.array(z.string());

const valueProfile = z.object({
  rows: count,
  nulls: count,
  distinct: count,
  min: z.string().optional(),
  max: z.string().optional(),
  shapes: z.array(z.object({ shape: z.string(), rows: count })),
  frequent: z.array(z.object({ value: z.string(), rows: count })),
});

const column = z.object({
  name: z.string(),
  type: z.enum(valueTypes),
  nativeType: z.string(),
  nullable: z.boolean(),
  charset: z.string().optional(),
  comment: z.string().optional(),
  sensitive: z.string().optional(),
  profile: valueProfile.optional(),
});

export const keySchema: z.ZodType<KeyFacts> = z.object({ columns: names, declared: z.boolean(), score: share });

/** A table without its key, which depends on other tables. */
export type MeasuredFacts = Omit<TableFacts, "key">;

export const measuredSchema: z.ZodType<MeasuredFacts> = z.object({
  id: z.string(),
  connection: z.string(),
  schema: z.string(),
  table: z.string(),
  kind: z.enum(["table", "view"]),
  reads: z.union([z.literal("unknown"), z.array(z.object({ schema: z.string(), table: z.string() }))]).optional(),
  columns: z.array(column),
  comment: z.string().optional(),
  rows: count.optional(),
  rowsAreExact: z.boolean(),
  sample: z.string().optional(),
  filter: z.string().optional(),
  problem: z.string().optional(),
  scannedAt: z.string(),
});

const endCounts: z.ZodType<EndCounts> = z.object({
  rows: count,
  filled: count,
  distinct: count,
  isExact: z.boolean(),
});

const joinEnd = z.object({ table: z.string(), columns: names });

export const joinSchema: z.ZodType<JoinFacts> = z.object({
  id: z.string(),
  from: joinEnd,
  to: joinEnd,
  origin: z.enum(["declared", "found", "person", "model"]),
  status: z.enum(["accepted", "review", "rejected"]),
  score: share,
  relationship: z.enum(relationships),
  uniqueness: z.object({ from: endCounts.optional(), to: endCounts.optional() }).optional(),
  condition: z.string().optional(),
  evidence: z.object({ coverage: share, violations: count, examples: names, signals: names }).optional(),
});

/** The stored form of a connection. The connection's counts, and whether a scan was interrupted, are computed from the other tables. */
export type StoredConnection = Omit<ConnectionFacts, "unfinished" | "tables" | "columns" | "joins">;

export const connectionSchema: z.ZodType<StoredConnection> = z.object({
  name: z.string(),
  dialect: z.enum(dialectIds),
  server: z.string(),
  scannedAt: z.string().optional(),
});

export const driftSchema: z.ZodType<DriftEntry> = z.object({
  kind: z.enum([
    "table added",
    "table removed",
    "column added",
    "column removed",
    "type changed",
    "rows changed",
    "key changed",
    "join added",
    "join removed",
    "join weaker",
  ]),
  subject: z.string(),
  detail: z.string(),
});
