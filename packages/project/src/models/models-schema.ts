import { z } from "zod";

const usd = z.number();

/** The output of `bridle models --json`. Each figure has its source. */
export const modelsSchema = z.strictObject({
  backend: z.string(),
  asked: z.boolean().describe("Whether the host listed the names. If false, they are from the table."),
  reason: z.string().nullable().describe("Why the host was not asked; null if it was."),
  tableDate: z.iso.date().describe("When the table that comes with Bridle was last compared with its sources."),
  models: z.array(
    z.strictObject({
      id: z.string(),
      source: z
        .enum(["host", "table", "bridle.yaml"])
        .describe("The source of the name. bridle.yaml: a role uses a model that is not listed."),
      displayName: z.string().nullable(),
      aliases: z.array(z.string()).describe("Shorter names of the model."),
      roles: z.array(z.string()).describe("Roles of the project that use it."),
      contextWindow: z.strictObject({ tokens: z.number(), source: z.enum(["host", "table"]) }).nullable(),
      price: z
        .strictObject({
          input: usd,
          output: usd,
          cacheRead: usd.nullable(),
          cacheWrite: usd.nullable(),
          cacheWrite1h: usd.nullable(),
          source: z.enum(["table", "bridle.yaml"]),
        })
        .nullable()
        .describe("US dollars for a million tokens; null if the price is not known, or if a subscription pays."),
    }),
  ),
});

/** The models of a backend. */
export type Models = z.output<typeof modelsSchema>;
export type ModelRow = Models["models"][number];
