import { z } from "zod";

const usd = z.number();

/** What `bridle models --json` prints. Each figure says who it is from. */
export const modelsSchema = z.strictObject({
  backend: z.string(),
  asked: z.boolean().describe("Whether the names were asked of the host; else they are those of the table."),
  reason: z.string().nullable().describe("Why the host was not asked."),
  tableDate: z.iso.date().describe("When the table that comes with Bridle was last compared with its sources."),
  models: z.array(
    z.strictObject({
      id: z.string(),
      source: z
        .enum(["host", "table", "bridle.yaml"])
        .describe("Who named it; bridle.yaml: a role uses it, and it is not listed."),
      displayName: z.string().nullable(),
      aliases: z.array(z.string()).describe("Shorter names that stand for it now."),
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
        .describe("US dollars for a million tokens; null where it is not known, and on a subscription."),
    }),
  ),
});

/** The models of a backend. */
export type Models = z.output<typeof modelsSchema>;
export type ModelRow = Models["models"][number];
