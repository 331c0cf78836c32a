/** The keys of every connection of `context.connections`, in addition to those of its engine. */
import { z } from "zod";
import { defaultLimits } from "../port/limits.ts";
import { isPattern, splitExactName } from "./name-pattern.ts";

const tablePattern = z
  .string()
  .refine((text) => isPattern(text, 2), "must be a name such as schema.table, with * for any characters.");
const columnPattern = z
  .string()
  .refine((text) => isPattern(text, 3), "must be a name such as schema.table.column, with * for any characters.");
const tableName = z
  .string()
  .refine((text) => splitExactName(text)?.length === 2, "must be a name such as schema.table, without *.");

const limit = (what: string, fallback: number) =>
  z.int().min(1).exactOptional().describe(`${what} Default: ${fallback}.`);

export const commonKeys = {
  include: z
    .array(tablePattern)
    .min(1)
    .exactOptional()
    .describe(
      "The tables that may be read, as schema.table with * for any characters. A schema alone means all of its tables. Default: all.",
    ),
  exclude: z.array(tablePattern).exactOptional().describe("Tables of include that may not be read. Default: none."),
  filters: z
    .record(tableName, z.string().min(1))
    .exactOptional()
    .describe("For a table, such as sales.orders, the condition that its rows must meet, such as region = 'EU'."),
  views: z
    .array(tablePattern)
    .exactOptional()
    .describe(
      "Views of the scope, as schema.view with * for any characters, that may be read although they show rows of tables outside of the scope, or rows that a filter hides. Default: those that include or filters name.",
    ),
  sensitive: z
    .array(columnPattern)
    .exactOptional()
    .describe(
      "Columns whose values never leave the connection, as schema.table.column with * for any characters, beside those that are recognised.",
    ),
  notSensitive: z
    .array(columnPattern)
    .exactOptional()
    .describe("Columns that would be recognised as sensitive and are not. The scan reads their values."),
  reveal: z
    .array(columnPattern)
    .exactOptional()
    .describe("Sensitive columns whose values results may contain. The scan stores none of them all the same."),
  limits: z
    .strictObject({
      rows: limit("Rows of a result.", defaultLimits.maxRows),
      bytes: limit("Bytes of the values of a result.", defaultLimits.maxBytes),
      seconds: limit("Time, after which the statement is ended on the server.", defaultLimits.timeoutMs / 1000),
    })
    .exactOptional()
    .describe("What one statement may use."),
};

/** The keys of a connection that mean the same for every engine. */
export type CommonSettings = z.output<z.ZodObject<typeof commonKeys>>;
