/** The API's answers about jobs, limited to the fields that are used here. */
import { z } from "zod";
import { fieldSchema } from "../values/fields.ts";
import { rowSchema } from "../values/result-values.ts";
import { reasonSchema } from "./failures.ts";

const reference = z.object({ jobId: z.string().optional(), location: z.string().optional() });

/** A job after it was inserted or dry-run. */
export const jobSchema = z.object({
  jobReference: reference.default({}),
  status: z.object({ state: z.string().optional(), errorResult: reasonSchema.optional() }).default({}),
  statistics: z
    .object({
      totalBytesProcessed: z.string().optional(),
      query: z.object({ statementType: z.string().optional(), totalBytesProcessed: z.string().optional() }).optional(),
    })
    .default({}),
});

/** A result page. */
export const resultSchema = z.object({
  jobComplete: z.boolean().default(false),
  jobReference: reference.default({}),
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).optional(),
  rows: z.array(rowSchema).default([]),
  pageToken: z.string().optional(),
});
export type BigQueryPage = z.output<typeof resultSchema>;
