import { z } from "zod";

/** The body of `application/problem+json`. A problem can have further members, such as `holder`. */
export const problemSchema = z.looseObject({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("The reason and the remedy."),
  code: z.string().describe("Stable, for programs."),
  instance: z.string().describe("The path of the request."),
  retryAfterMs: z.number().optional(),
  errors: z
    .array(z.strictObject({ pointer: z.string().optional(), parameter: z.string().optional(), message: z.string() }))
    .optional()
    .describe("What is wrong in a body, by JSON pointer, or in a query, by parameter."),
});
