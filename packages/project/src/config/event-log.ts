/** The schema of `eventLog`: where the events of runs are kept. */
import { z } from "zod";

/** The schema name: lower case without symbols, and so short that a namespace's suffix fits within PostgreSQL's 63 bytes. */
const schemaName = /^[a-z][a-z0-9_]{0,29}$/;

const kinds =
  "The storage of events: a file in the project's folder .bridle (sqlite), or a database for processes on several machines (postgres). Default: sqlite.";

export const eventLogSchema = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("sqlite").describe(kinds) }),
    z.strictObject({
      type: z.literal("postgres").describe(kinds),
      // Missing only if its variable is not set. That is not an error for a status, which needs no event log.
      url: z.string().min(1).exactOptional().describe(`The address of the database, such as \${DATABASE_URL}.`),
      schema: z
        .string()
        .regex(schemaName, "must be a name of at most 30 lower-case letters, digits and underscores.")
        .exactOptional()
        .describe("The schema with the tables. Projects with the same schema share their sessions. Default: bridle."),
      leaseMs: z
        .int()
        .min(100)
        .exactOptional()
        .describe(
          "Milliseconds of silence after which a process counts as dead, and others take over its sessions. Default: 15000.",
        ),
    }),
  ])
  .describe("The storage of the events of runs. Default: sqlite.");

export type EventLogConfig = z.output<typeof eventLogSchema>;
export type PostgresConfig = Extract<EventLogConfig, { type: "postgres" }>;
