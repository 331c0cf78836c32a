/** A kind of source, as the registry knows it. It is loaded with every `bridle.yaml`, so it imports no parser: `load` does. */
import type { Warehouse } from "@bridle/warehouse";
import type { z } from "zod";
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
