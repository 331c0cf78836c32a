// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { defaultPromptCaching } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { backendNames } from "../registries/host-registry.ts";
import { knownKeys } from "./keys.ts";
import { configJsonSchema, configSchema } from "./schema.ts";

const jsonSchema = z.fromJSONSchema(configJsonSchema());

test("the JSON Schema accepts valid files, including variables", () => {
  const config = { llm: { provider: { backend: "${BACKEND}", baseUrl: "${URL}" }, models: { default: "opus" } } };
  expect(jsonSchema.safeParse(config).success).toBe(true);
});

test("the JSON Schema refuses the files that the command refuses", () => {
  for (const config of [
    { lm: {} },
    { llm: { provider: { backend: "claude" } } },
    { llm: { provider: { backend: "openai", auth: "session" } } },
    { llm: { models: ["opus"] } },
  ]) {
    expect(jsonSchema.safeParse(config).success).toBe(false);
    expect(configSchema.safeParse(config).success).toBe(false);
  }
});

test("every key of the JSON Schema has a description", () => {
  const properties = z.record(z.string(), z.looseObject({ description: z.string() }));
  const llm = properties.parse(z.looseObject({ properties: z.unknown() }).parse(configJsonSchema()).properties).llm;
  const inner = properties.parse(llm?.properties);
  for (const key of ["promptCaching", "limits"]) properties.parse(inner[key]?.properties);
  const provider = z.looseObject({ anyOf: z.array(z.looseObject({ properties })) }).parse(inner.provider);
  expect(provider.anyOf).toHaveLength(backendNames.length);
});

test("the known keys at a position are those of the schema", () => {
  expect(knownKeys(configSchema, [])).toEqual(["llm", "embeddings", "policy", "eventLog", "context", "serve"]);
  expect(knownKeys(configSchema, ["llm", "promptCaching"])).toEqual(Object.keys(defaultPromptCaching));
  expect(knownKeys(configSchema, ["llm", "models"])).toEqual([]);
  expect(knownKeys(configSchema, ["llm", "provider"])).toEqual(["backend", "auth", "baseUrl", "idleTimeoutMs", "pool"]);
  expect(knownKeys(configSchema, ["llm", "provider", "pool"])).toContain("maxProcesses");
  const ofGateway = ["backend", "apiKey", "baseUrl", "idleTimeoutMs", "headers"];
  expect(knownKeys(configSchema, ["llm", "provider"], { backend: "gateway" })).toEqual(ofGateway);
  expect(knownKeys(configSchema, ["embeddings"], { backend: "none" })).toEqual(["backend"]);
});
