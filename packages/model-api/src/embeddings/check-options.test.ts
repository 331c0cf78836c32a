import { ConfigError } from "@bridle/core";
import { expect, test } from "vitest";
import { checkOptions } from "./check-options.ts";
import type { EmbedderOptions } from "./options.ts";

const openai = { backend: "openai", model: "m", apiKey: "k" } as const;
const azure = { backend: "azure_openai", model: "m", apiKey: "k" } as const;
const compatible = { backend: "openai-compatible", model: "m", baseUrl: "http://localhost:11434/v1" } as const;

test.each<EmbedderOptions>([
  openai,
  { ...azure, resourceName: "my-resource" },
  { ...azure, baseUrl: "https://gateway.example/openai", apiVersion: "2024-10-21" },
  compatible,
  { ...compatible, apiKey: "k", dimensions: 3, batchSize: 1 },
  { backend: "none" },
])("%j can work", (options) => {
  expect(() => checkOptions(options)).not.toThrow();
});

test.each<[string, EmbedderOptions, string]>([
  ["model", { ...openai, model: "" }, "The backend openai needs model."],
  ["apiKey", { ...openai, apiKey: "" }, "The backend openai needs apiKey."],
  ["apiKey", { ...azure, resourceName: "r", apiKey: "" }, "The backend azure_openai needs apiKey."],
  ["resourceName", azure, "needs either resourceName or baseUrl"],
  [
    "resourceName",
    { ...azure, resourceName: "r", baseUrl: "https://x.example" },
    "needs either resourceName or baseUrl",
  ],
  ["resourceName", { ...azure, resourceName: "evil.example/#" }, '"evil.example/#" is no name of a resource.'],
  ["baseUrl", { ...compatible, baseUrl: "" }, "The backend openai-compatible needs baseUrl."],
  ["baseUrl", { ...compatible, baseUrl: "localhost:11434" }, '"localhost:11434" is no address.'],
  ["baseUrl", { ...openai, baseUrl: "" }, '"" is no address.'],
  ["dimensions", { ...openai, dimensions: 0 }, "dimensions is 0. Give a whole number from 1"],
  ["batchSize", { ...openai, batchSize: 1.5 }, "batchSize is 1.5. Give a whole number from 1"],
])("a wrong %s is a ConfigError that names it: %j", (field, options, message) => {
  const check = () => checkOptions(options);
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(expect.objectContaining({ field, message: expect.stringContaining(message) }));
});

test("a backend that is not known is refused with the nearest one", () => {
  const options: object = { backend: "azure-openai", model: "m" };
  expect(() => checkOptions(options as EmbedderOptions)).toThrow('Did you mean "azure_openai"?');
});
