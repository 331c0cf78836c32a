/** The API's answers, limited to the fields that are used here. */
import { z } from "zod";

/** The type of a column in a result or in the catalog. */
const typeSchema = z.object({
  type: z.string(),
  length: z.number().nullish(),
  precision: z.number().nullish(),
  scale: z.number().nullish(),
});
export type SnowflakeType = z.output<typeof typeSchema>;

/** The fields of every answer. */
export const statementStatusSchema = z.object({
  code: z.string().default(""),
  sqlState: z.string().default(""),
  message: z.string().default(""),
  statementHandle: z.string().optional(),
});

const rowSchema = z.array(z.string().nullable());

/** The answer for a statement that has ended, with its first rows. */
export const snowflakeResultSchema = z.object({
  statementHandle: z.string(),
  resultSetMetaData: z.object({
    rowType: z.array(typeSchema.extend({ name: z.string() })),
    partitionInfo: z.array(z.unknown()).default([]),
  }),
  data: z.array(rowSchema).default([]),
});
export type SnowflakeResult = z.output<typeof snowflakeResultSchema>;

/** The answer with further rows of a statement. */
export const snowflakePartitionSchema = z.object({ data: z.array(rowSchema) });

export type SnowflakeRow = z.output<typeof rowSchema>;
export type SnowflakeColumn = SnowflakeResult["resultSetMetaData"]["rowType"][number];
