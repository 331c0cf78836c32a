/** A statement about an item that a parser, a model or a person proposes. It has not been checked yet. */
import { z } from "zod";

const text = (longest: number) => z.string().trim().min(1).max(longest);

/** The categories of statements, in their order on a page. */
export const statementKinds = [
  "definition",
  "rule",
  "exception",
  "unit",
  "caveat",
  "process",
  "ownership",
  "event",
] as const;

/** A sentence for a page. */
const statementBody = z.object({
  kind: z.literal("statement"),
  /** The subject of the statement as a short noun phrase: `gross fare`. */
  subject: text(120),
  /** One sentence that can be understood alone. */
  statement: text(600),
  /** The topic of the page for this statement, in one or two words: `fares`. */
  topic: text(80),
  category: z.enum(statementKinds),
  /** Identifiers of the tables that the statement describes. */
  tables: z.array(text(400)).max(20).default([]),
  /** The first day of validity, if the item states it: 2026-03-01. */
  since: z.iso.date().optional(),
});

/** A description of a table or column. */
const descriptionBody = z.object({
  kind: z.literal("description"),
  /** `connection.schema.table`, or with a column. */
  subject: text(400),
  text: text(600),
});

const joinBody = z.object({
  kind: z.literal("join"),
  /** Identifiers of columns, in the same order. */
  from: z.array(text(400)).min(1).max(8),
  to: z.array(text(400)).min(1).max(8),
  condition: text(400).optional(),
});

/** The parts of a metric model, as in the files of `context/models`. */
export const modelParts = ["model", "join", "dimension", "measure", "metric", "segment"] as const;

/** One entry of a metric model. */
export const modelPartBody = z.object({
  kind: z.literal("model-part"),
  /** The name of the model. */
  model: text(120),
  /** The `connection.schema.table` of the model. Missing if the rows come from a SQL statement, which is in the model's key `sql`. */
  table: text(400).optional(),
  /** The connection of the SQL statement, if the model has one. */
  connection: text(120).optional(),
  part: z.enum(modelParts),
  /** The name of the entry. For `model`: the name of the model, and in claims the name of one of its keys. */
  name: text(120),
  /** The entry in the format of `context/models`. For `model`: its keys without the lists of entries. */
  entry: z.record(z.string(), z.json()),
});

export const candidateBody = z.discriminatedUnion("kind", [statementBody, descriptionBody, joinBody, modelPartBody]);
export type CandidateBody = z.output<typeof candidateBody>;
export type StatementBody = z.output<typeof statementBody>;

/** The scores that a model gives its own candidate, from 0 to 1. */
export const candidateScores = z.object({
  /** How likely the statement is to be true in half a year. */
  durability: z.number().min(0).max(1),
  /** How likely the statement is to come from somebody with the authority to decide. */
  authority: z.number().min(0).max(1),
  /** How likely others are to need the statement. */
  reuse: z.number().min(0).max(1),
  /** How likely the statement is to be new to the context. */
  novelty: z.number().min(0).max(1),
  /** How much harm the statement would do if it were wrong. */
  risk: z.number().min(0).max(1),
});

/** The quote in an item that supports a candidate. */
const evidenceSchema = z.object({
  source: z.string(),
  item: z.string(),
  /** The quote, verbatim except for whitespace. */
  quote: z.string(),
  /** The position of the quote in the stored text. If missing, the quote is searched for. */
  start: z.int().min(0).optional(),
});
export type CandidateEvidence = z.output<typeof evidenceSchema>;

/** The author of a candidate: the source's parser, a model in one request or in a loop, or a person. */
export const origins = ["projection", "extraction", "unit", "person"] as const;

export const candidateSchema = z.object({
  body: candidateBody,
  evidence: evidenceSchema,
  origin: z.enum(origins),
  scores: candidateScores.optional(),
});
export type Candidate = z.output<typeof candidateSchema>;
