/** Messages between a connection and its process. Both sides come from the same build. */
import { z } from "zod";
import { type TableName, valueTypes, type WarehouseStructure } from "../../../port/structure.ts";
import type { WarehouseRow } from "../../../port/values.ts";

export type SqliteRequest =
  | { readonly do: "open"; readonly file: string }
  | { readonly do: "run"; readonly sql: string; readonly maxRows: number; readonly maxBytes: number }
  /** `max` is the maximum number of statements. */
  | { readonly do: "structure"; readonly max: number | undefined }
  | { readonly do: "marks"; readonly tables: readonly TableName[] }
  /** The last batch was consumed, and another one may follow. */
  | { readonly do: "continue" }
  /** No more rows are needed. */
  | { readonly do: "stop" };

/** A failure in SQLite's form. `denied` describes the action that the authorizer refused. */
const sqliteFailure = z.object({
  message: z.string(),
  /** The extended result code, such as 5 for a locked database; undefined for Node.js errors. */
  errcode: z.number().optional(),
  denied: z.string().optional(),
});
export type SqliteFailure = z.infer<typeof sqliteFailure>;

const resultColumn = z.object({ name: z.string(), type: z.enum(valueTypes), nativeType: z.string() });

export const sqliteReply = z.discriminatedUnion("is", [
  z.object({ is: z.literal("opened"), version: z.string() }),
  z.object({ is: z.literal("columns"), columns: z.array(resultColumn) }),
  // The rows are not validated: Bridle starts the process, and a scan reads millions of values.
  z.object({ is: z.literal("rows"), rows: z.custom<readonly WarehouseRow[]>(Array.isArray) }),
  z.object({ is: z.literal("end"), truncated: z.enum(["rows", "bytes"]).optional() }),
  z.object({
    is: z.literal("structure"),
    /** The structure. Undefined if reading it needs more statements than allowed. */
    structure: z.custom<WarehouseStructure>((value) => typeof value === "object").optional(),
    statements: z.number(),
  }),
  z.object({ is: z.literal("marks"), marks: z.array(z.string().optional()), statements: z.number() }),
  z.object({ is: z.literal("failed"), failure: sqliteFailure }),
]);
export type SqliteReply = z.infer<typeof sqliteReply>;
