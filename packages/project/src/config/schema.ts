/**
 * The form of `bridle.yaml`. This one definition is what files are checked against, what `bridle config schema` prints
 * and what the reference is made from.
 */
import { authModes } from "@bridle/claude-code";
import { defaultPromptCaching, type PromptCaching } from "@bridle/core";
import { z } from "zod";

/** The model hosts that a project may choose. `none` is for work that needs no model. */
export const backendNames = ["claude-code", "none"] as const;
export type BackendName = (typeof backendNames)[number];

const providerSchema = z.strictObject({
  backend: z
    .enum(backendNames)
    .default("claude-code")
    .describe("The host of the models. none: every operation that needs a model fails."),
  auth: z
    .enum(authModes)
    .default("session")
    .describe("Who pays: the login of Claude Code on this machine (session), or a credential of the environment."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where requests go instead of the provider's own address, such as a gateway. Not with auth: session."),
});

const modelsSchema = z
  .record(z.string().min(1), z.string().min(1))
  .default({ default: "sonnet" })
  .describe("Roles and the model of each, by alias or full id. A role that is not named here uses default.");

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

export const configSchema = z
  .strictObject({
    llm: z
      .strictObject({
        provider: providerSchema.prefault({}).describe("Which host runs the models, and on whose account."),
        models: modelsSchema,
        promptCaching: promptCachingSchema,
      })
      .prefault({})
      .describe("The models and where they run."),
  })
  .describe("A Bridle project.");

/** What a `bridle.yaml` says, with its defaults. */
export type Config = z.output<typeof configSchema>;

export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

/** The JSON Schema of `bridle.yaml`, for editors. Strings may also hold `${NAME}` wherever a value is fixed. */
export function configJsonSchema(): JsonSchemaDocument {
  return z.toJSONSchema(configSchema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== "string" || (!jsonSchema.enum && !jsonSchema.format)) return;
      const { description, default: fallback, ...fixed } = jsonSchema;
      for (const key of Object.keys(fixed)) Reflect.deleteProperty(jsonSchema, key);
      jsonSchema.anyOf = [fixed, { type: "string", pattern: "\\$\\{" }];
    },
  });
}
