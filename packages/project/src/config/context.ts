/** The schema of `context`: the warehouses of a project, the limits of a scan, and the sources of ingest. */
import { sourceSettings } from "@bridle/ingest/definitions";
import { type Connector, commonKeys, connectors } from "@bridle/warehouse/definitions";
import { z } from "zod";

/** The name of a connection. Identifiers and file names begin with it. */
const connectionName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/, "must begin with a letter and have only letters, digits, _ and -.");

/** The checked entry of one connection: the keys of its engine, and the keys that all engines have. */
export interface ConnectionEntry {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Creates the schema of an entry in a file: the keys of one engine and the common keys. A key that the engine needs may be missing here,
 * because its variable may not be set. Then only opening the connection fails. `findConnectionFaults` reports keys that are missing for
 * another reason.
 */
function createMapping({ schema }: Connector) {
  return z.strictObject({ ...withoutNeeds(schema.shape), ...commonKeys });
}

/** Makes all keys except the type optional. */
function withoutNeeds(shape: Readonly<Record<string, unknown>>) {
  const loose = Object.entries(shape).map(([key, value]) => {
    const isNeeded = key !== "type" && value instanceof z.ZodType && !value.safeParse(undefined).success;
    return [key, isNeeded ? value.exactOptional() : value] as const;
  });
  return Object.fromEntries(loose);
}

function createConnectionSchema(): z.ZodType<ConnectionEntry, object> {
  const [first, ...others] = connectors.map(createMapping);
  if (first === undefined) throw new Error("No engine is registered.");
  return z.discriminatedUnion("type", [first, ...others]) as unknown as z.ZodType<ConnectionEntry, object>;
}

/** The checked entry of one ingest source. Keys with unset variables are missing; `findSourceFaults` reports other missing keys. */
export interface SourceEntry {
  readonly type: string;
  readonly [key: string]: unknown;
}

function createSourceSchema(): z.ZodType<SourceEntry, object> {
  const [first, ...others] = sourceSettings.options.map((option) =>
    z.strictObject(withoutNeeds(option.shape)).describe(option.description ?? ""),
  );
  if (first === undefined) throw new Error("No kind of source is registered.");
  return z.discriminatedUnion("type", [first, ...others]) as unknown as z.ZodType<SourceEntry, object>;
}

const budget = (what: string) => z.int().min(1).exactOptional().describe(what);

export const contextSchema = z
  .strictObject({
    connections: z
      .record(connectionName, createConnectionSchema())
      .prefault({})
      .describe("The warehouses that agents of this project may read, by name."),
    scan: z
      .strictObject({
        queries: budget(
          "The maximum number of queries that one scan, or one run of proposals, sends to a warehouse. Default: as many as its tables need.",
        ),
        minutes: budget("The maximum number of minutes for one scan, or one run of proposals. Default: no limit."),
        tokens: budget(
          "The maximum number of model tokens in one command, for descriptions (--describe) and for proposals of joins. Default: no limit.",
        ),
        seconds: budget(
          "Seconds for one statement of a scan. A table that takes longer is listed, and tried again only after it changes or the limit is raised. Default: limits.seconds of the connection, or 60.",
        ),
        sampleRows: budget("The number of rows to sample from a larger table for its profile. Default: 100000."),
      })
      .prefault({})
      .describe("The limits of a scan."),
    sources: z
      .record(connectionName, createSourceSchema())
      .prefault({})
      .describe("The documents and tools that ingest reads, by name."),
    memory: z
      .strictObject({
        capture: z
          .enum(["project", "user"])
          .exactOptional()
          .describe(
            "Whether a chat remembers facts that a person mentions: for everyone, in context/memory.yaml, or only for this user. Default: only facts that someone asks it to remember.",
          ),
      })
      .prefault({})
      .describe("The settings of the memory."),
    commit: z
      .boolean()
      .exactOptional()
      .describe("Whether Bridle commits each of its changes to context files to Git. Default: false."),
  })
  .describe("The warehouses that agents may read, and the knowledge about them.");

export type ContextConfig = z.output<typeof contextSchema>;

/** The settings of a project without `context`. */
export const noContext: ContextConfig = contextSchema.parse({});
