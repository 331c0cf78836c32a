/**
 * The form of `bridle.yaml`. This one definition is what files are checked against, what `bridle config schema` prints
 * and what the reference is made from.
 */
import { defaultPromptCaching, type PromptCaching } from "@bridle/protocol";
import { z } from "zod";
import { hostOf } from "../hosts/host-registry.ts";
import { editorSchema, type JsonSchemaDocument } from "./editor-schema.ts";
import { embeddingsSchema } from "./embeddings.ts";
import { policySchema } from "./policy.ts";
import { providerSchema } from "./provider.ts";

const modelsSchema = z
  .record(z.string().min(1), z.string().min(1))
  .optional()
  .describe(
    "Roles and the model of each, by alias or full id. A role that is not named here uses default. Without any, default is sonnet on the backends that have Claude.",
  );

const flag = (field: keyof PromptCaching, what: string) =>
  z.boolean().exactOptional().describe(`${what} Default: ${defaultPromptCaching[field]}.`);
const ttl = (field: keyof PromptCaching, what: string) =>
  z.enum(["5m", "1h"]).exactOptional().describe(`${what} Default: ${defaultPromptCaching[field]}.`);

const promptCachingSchema = z
  .strictObject({
    enabled: flag("enabled", "Whether the host may keep prompts for the next call."),
    cacheSystem: flag("cacheSystem", "Whether the system prompt is kept."),
    cacheTools: flag("cacheTools", "Whether the declarations of tools are kept."),
    cacheHistory: flag("cacheHistory", "Whether the conversation so far is kept."),
    systemTtl: ttl("systemTtl", "How long the system prompt is kept."),
    toolsTtl: ttl("toolsTtl", "How long the declarations of tools are kept."),
    historyTtl: ttl("historyTtl", "How long the conversation is kept."),
  } satisfies Record<keyof PromptCaching, z.ZodType>)
  .prefault({})
  .describe("What the host keeps between calls. bridle status names the fields that the chosen backend ignores.");

const price = (what: string) => z.number().min(0).describe(what);

const pricesSchema = z
  .record(
    z.string().min(1),
    z.strictObject({
      input: price("Tokens of the prompt."),
      output: price("Tokens of the answer."),
      cacheRead: price("Tokens that the host had kept.").exactOptional(),
      cacheWrite: price("Tokens that the host keeps for five minutes.").exactOptional(),
      cacheWrite1h: price("Tokens that the host keeps for an hour.").exactOptional(),
    }),
  )
  .optional()
  .describe(
    "By model, US dollars for a million tokens: input, output, and, if they differ, cacheRead, cacheWrite, cacheWrite1h. Over the table that Bridle brings; for model APIs only.",
  );

/** What holds of `llm.limits` where the file says nothing. */
export const limitDefaults = { onUsageLimit: "fail", maxWaitMs: 18_000_000, maxConcurrency: 4 } as const;

const limitsSchema = z
  .strictObject({
    onUsageLimit: z
      .enum(["wait", "fail"])
      .exactOptional()
      .describe(
        `What a run does when a usage window is used up: wait until it opens again, or fail. The command waits where standard output is no terminal. Default: ${limitDefaults.onUsageLimit}.`,
      ),
    maxWaitMs: z
      .number()
      .min(1)
      .exactOptional()
      .describe(
        `The longest wait of one run, in milliseconds; a longer one fails at once. Default: ${limitDefaults.maxWaitMs}.`,
      ),
    maxConcurrency: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        `Runs of the account that are in progress at a time, in one process. Default: ${limitDefaults.maxConcurrency}.`,
      ),
  })
  .prefault({})
  .describe("How the account is used.");

const llmSchema = z
  .strictObject({
    provider: providerSchema.prefault({}).describe("Which host runs the models, and on whose account."),
    models: modelsSchema,
    promptCaching: promptCachingSchema,
    limits: limitsSchema,
    prices: pricesSchema,
  })
  .check(({ value: { provider, prices }, issues }) => {
    if (prices === undefined || hostOf(provider.backend).models.takesPrices) return;
    const message = `is for model APIs, and ${provider.backend} says itself what a run costs. Remove it.`;
    issues.push({ code: "custom", input: prices, path: ["prices"], message });
  })
  .prefault({})
  .describe("The models and where they run.");

export const configSchema = z
  .strictObject({
    llm: llmSchema,
    embeddings: embeddingsSchema.optional().describe("How texts become vectors."),
    policy: policySchema.optional(),
  })
  .describe("A Bridle project.");

/** What a `bridle.yaml` says, with its defaults. */
export type Config = z.output<typeof configSchema>;

/** The JSON Schema of `bridle.yaml`, for editors. */
export function configJsonSchema(): JsonSchemaDocument {
  return editorSchema(configSchema);
}
