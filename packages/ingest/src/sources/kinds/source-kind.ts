/** A kind of source in the registry. Its module is loaded with every `bridle.yaml`, so only `load` may import a parser. */
import type { Warehouse } from "@bridle/warehouse";
import type { z } from "zod";
import type { IngestSource } from "../source.ts";

/** The services that a source may use in addition to its settings. */
export interface SourceServices {
  /** The base folder for relative paths in settings. */
  readonly projectDir: string;
  /** Opens a connection of `context.connections`. Missing if none is configured. Rejects with a BridleError. */
  openWarehouse?(connection: string, signal?: AbortSignal): Promise<Warehouse>;
  /** Reads the whole standard input. Missing if there is none. */
  readInput?(): Promise<string>;
  /** Returns the current time. Default: the system time. */
  now?(): Date;
  /** The waits before a request is retried, in milliseconds. Default: those of `sendRest`. */
  readonly waitsMs?: readonly number[] | undefined;
}

export interface SourceKind<Schema extends z.ZodObject = z.ZodObject> {
  /** The value of `type` in `context.sources`. */
  readonly type: string;
  /**
   * The keys of an entry. `type` is a literal, and each key has a description. Keys of credentials are optional, because their variable may
   * not be set.
   */
  readonly schema: Schema;
  /** Keys with credentials. Their values are redacted before they are shown or stored. */
  readonly secretKeys: readonly string[];
  /** Whether an entry without a `path` reads from a service over the network. Such an entry needs trust. */
  readonly reachesService: boolean;
  /** Imports the code that reads the source. The returned function throws ConfigError for settings that cannot work. */
  load(): Promise<{ create(name: string, settings: z.output<Schema>, services: SourceServices): IngestSource }>;
}
