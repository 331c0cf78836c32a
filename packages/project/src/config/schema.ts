/**
 * The schema of `bridle.yaml`. Bridle checks files against this schema, `bridle config schema` prints it, and the reference is generated
 * from it.
 */
import { projectPolicySchema } from "@bridle/core";
import { defaultPromptCaching, type PromptCaching } from "@bridle/protocol";
import { z } from "zod";
import { hostOf } from "../registries/host-registry.ts";
import { contextSchema } from "./context.ts";
import { editorSchema, type JsonSchemaDocument } from "./editor-schema.ts";
import { embeddingsSchema } from "./embeddings.ts";
import { eventLogSchema } from "./event-log.ts";
import { providerSchema } from "./provider.ts";
import { serveSchema } from "./serve.ts";

const modelsSchema = z
  .record(z.string().min(1), z.string().min(1))
  .optional()
  .describe(
    "The model of each role, by alias or full id. A role without an entry uses default. Without this setting, default is the usual model of the backend, such as sonnet, if it has one.",
  );

const flag = (field: keyof PromptCaching, what: string) =>
  z.boolean().exactOptional().describe(`${what} Default: ${defaultPromptCaching[field]}.`);
const ttl = (field: keyof PromptCaching, what: string) =>
  z.enum(["5m", "1h"]).exactOptional().describe(`${what} Default: ${defaultPromptCaching[field]}.`);

const promptCachingSchema = z
  .strictObject({
    enabled: flag("enabled", "Whether the host may cache prompts for the next call."),
    cacheSystem: flag("cacheSystem", "Whether the system prompt is cached."),
    cacheTools: flag("cacheTools", "Whether tool declarations are cached."),
    cacheHistory: flag("cacheHistory", "Whether the conversation so far is cached."),
    systemTtl: ttl("systemTtl", "How long the system prompt is cached."),
    toolsTtl: ttl("toolsTtl", "How long tool declarations are cached."),
    historyTtl: ttl("historyTtl", "How long the conversation is cached."),
  } satisfies Record<keyof PromptCaching, z.ZodType>)
  .prefault({})
  .describe(
    "The parts of a prompt that the host caches between calls. bridle status lists the fields that the chosen backend ignores.",
  );

const price = (what: string) => z.number().min(0).describe(what);

const pricesSchema = z
  .record(
    z.string().min(1),
    z.strictObject({
      input: price("Tokens of the prompt."),
      output: price("Tokens of the answer."),
      cacheRead: price("Tokens read from the cache.").exactOptional(),
      cacheWrite: price("Tokens written to the cache for five minutes.").exactOptional(),
      cacheWrite1h: price("Tokens written to the cache for an hour.").exactOptional(),
    }),
  )
  .optional()
  .describe(
    "Prices by model, in US dollars per million tokens: input, output, and, if they differ, cacheRead, cacheWrite, cacheWrite1h. They override Bridle's own table. Not for a backend that reports the cost of a run itself, such as claude-code.",
  );

/** The defaults of `llm.limits`. */
export const limitDefaults = { onUsageLimit: "fail", maxWaitMs: 18_000_000, maxConcurrency: 4 } as const;

const limitsSchema = z
  .strictObject({
    onUsageLimit: z
      .enum(["wait", "fail"])
      .exactOptional()
      .describe(
        `What a run does when a usage window is used up: wait for the next window, or fail. The command waits if standard output is not a terminal. Default: ${limitDefaults.onUsageLimit}.`,
      ),
    maxWaitMs: z
      .number()
      .min(1)
      .exactOptional()
      .describe(
        `The longest wait of one run, in milliseconds. A run that would wait longer fails immediately. Default: ${limitDefaults.maxWaitMs}.`,
      ),
    maxConcurrency: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        `The maximum number of concurrent runs of the account in one process. Default: ${limitDefaults.maxConcurrency}.`,
      ),
  })
  .prefault({})
  .describe("Limits on the use of the account.");

const llmSchema = z
  .strictObject({
    provider: providerSchema.prefault({}).describe("The host that runs the models, and the account that pays."),
    models: modelsSchema,
    promptCaching: promptCachingSchema,
    limits: limitsSchema,
    prices: pricesSchema,
  })
  .check(({ value: { provider, prices }, issues }) => {
    if (prices === undefined || hostOf(provider.backend).models.takesPrices) return;
    const message = `cannot be used with ${provider.backend}, which reports the cost of a run itself. Remove it.`;
    issues.push({ code: "custom", input: prices, path: ["prices"], message });
  })
  .prefault({})
  .describe("The models and the host that runs them.");

export const configSchema = z
  .strictObject({
    llm: llmSchema,
    embeddings: embeddingsSchema.optional().describe("The provider that turns texts into vectors."),
    policy: projectPolicySchema.optional(),
    eventLog: eventLogSchema.optional(),
    context: contextSchema.optional(),
    serve: serveSchema.optional(),
  })
  .describe("A Bridle project.");

/** The content of a `bridle.yaml`. */
export type ConfigInput = z.input<typeof configSchema>;

/** The content of a `bridle.yaml`, with its defaults. */
export type Config = z.output<typeof configSchema>;

/** Makes the JSON Schema of `bridle.yaml`, for editors. */
export function configJsonSchema(): JsonSchemaDocument {
  return editorSchema(configSchema);
}
