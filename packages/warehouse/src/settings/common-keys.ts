/** The keys of every connection in `context.connections`, in addition to those of its engine. */
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
      "The tables to allow, as schema.table with * for any characters. A schema alone means all of its tables. Default: all.",
    ),
  exclude: z.array(tablePattern).exactOptional().describe("The tables of include to forbid. Default: none."),
  filters: z
    .record(tableName, z.string().min(1))
    .exactOptional()
    .describe("A condition for the rows of each table, such as region = 'EU' for sales.orders."),
  views: z
    .array(tablePattern)
    .exactOptional()
    .describe(
      "Views of the scope, as schema.view with * for any characters, to allow even if they show tables outside of the scope or rows that a filter hides. Default: the views that include or filters name.",
    ),
  sensitive: z
    .array(columnPattern)
    .exactOptional()
    .describe(
      "Additional sensitive columns, as schema.table.column with * for any characters. Their values never leave the connection. Other sensitive columns are recognised.",
    ),
  notSensitive: z
    .array(columnPattern)
    .exactOptional()
    .describe("Columns that are wrongly recognised as sensitive. The scan reads their values."),
  reveal: z
    .array(columnPattern)
    .exactOptional()
    .describe("Sensitive columns with values that may appear in results. The scan still stores no values of them."),
  limits: z
    .strictObject({
      rows: limit("The maximum number of rows of a result.", defaultLimits.maxRows),
      bytes: limit("The maximum number of bytes of the values of a result.", defaultLimits.maxBytes),
      seconds: limit("Seconds after which the server ends the statement.", defaultLimits.timeoutMs / 1000),
    })
    .exactOptional()
    .describe("The limits of one statement."),
};

/** The keys of a connection that mean the same for every engine. */
export type CommonSettings = z.output<z.ZodObject<typeof commonKeys>>;
