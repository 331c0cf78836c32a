import { dialectIds } from "@bridle/warehouse/definitions";
import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const queryHistorySettingsSchema = z
  .strictObject({
    type: z.literal("query_history"),
    connection: sourceFields.text("The connection to read statements from. They name its tables."),
    path: sourceFields.optionalPath(
      "A log of statements as CSV or JSONL, or a folder of logs. Instead of the connection's own.",
    ),
    days: sourceFields.count("How many days back the history of a connection is read. Default: 30."),
    minRuns: sourceFields.count("Statements that ran fewer times are left out. Default: 2."),
    dialect: z
      .enum(dialectIds)
      .exactOptional()
      .describe(
        "The engine that ran the SQL of a log. In mysql and bigquery, double quotes enclose values. Default: as backticks in it suggest.",
      ),
    region: sourceFields.text("The region of the jobs, for BigQuery. Default: us."),
  })
  .describe("The statements that people run: their joins and filters, without values and names of users.");

export type QueryHistorySettings = z.output<typeof queryHistorySettingsSchema>;
