/** A kind of source, as the registry knows it. It is loaded with every `bridle.yaml`, so it imports no parser: `load` does. */
import type { Warehouse } from "@bridle/warehouse";
import { z } from "zod";
import type { IngestSource } from "../source.ts";

/** What a source may use beside its settings. */
export interface SourceServices {
  /** Relative paths of settings start here. */
  readonly projectDir: string;
  /** Opens a connection of `context.connections`. Missing if there is none. Rejects with a BridleError. */
  openWarehouse?(connection: string, signal?: AbortSignal): Promise<Warehouse>;
  /** The whole standard input. Missing if there is none. */
  readInput?(): Promise<string>;
  /** Default: the time of the machine. */
  now?(): Date;
  /** Waits before a request is sent again, in milliseconds. Default: those of `sendRest`. */
  readonly waitsMs?: readonly number[] | undefined;
}

export type CreateSource<Settings> = (name: string, settings: Settings, services: SourceServices) => IngestSource;

export interface SourceKind<Schema extends z.ZodObject = z.ZodObject> {
  /** The value of `type` in `context.sources`. */
  readonly type: string;
  /** The keys of an entry. `type` is a literal, and each key has a description. A credential may be missing: its variable may not be set. */
  readonly schema: Schema;
  /** Keys with credentials. Their values are redacted wherever they would be shown or stored. */
  readonly secretKeys: readonly string[];
  /** Imports what reads the source. The function throws ConfigError for settings that cannot work. */
  load(): Promise<{ create(name: string, settings: z.output<Schema>, services: SourceServices): IngestSource }>;
}

const text = z.string().trim().min(1);

const inProject = (what: string) => `${what} A relative path starts in the folder of bridle.yaml.`;

/** Schemas of keys that several kinds have. */
export const sourceFields = {
  text: (description: string) => text.exactOptional().describe(description),
  path: (what: string) => text.describe(inProject(what)),
  optionalPath: (what: string) => text.exactOptional().describe(inProject(what)),
  globs: (description: string) => z.array(text).min(1).exactOptional().describe(description),
  list: (description: string) => z.array(text).min(1).exactOptional().describe(description),
  count: (description: string) => z.int().min(1).exactOptional().describe(description),
  connection: text
    .exactOptional()
    .describe("The connection of the tables that it names. Default: the one whose scan has the table."),
  authority: z
    .enum(["certified", "document", "inferred"])
    .exactOptional()
    .describe("Whose word it is if sources disagree: certified is stronger than document, and inferred is weaker."),
};
