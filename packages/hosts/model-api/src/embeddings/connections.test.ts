import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { connectionFor, createAccountId } from "./connections.ts";
import type { HostedEmbedderOptions } from "./options.ts";

const openai = { backend: "openai", model: "m", apiKey: "k" } as const;
const azure = { backend: "azure_openai", model: "m", apiKey: "k" } as const;
const compatible = { backend: "openai-compatible", model: "m", baseUrl: "http://localhost:11434/v1" } as const;

test.each<[HostedEmbedderOptions, string]>([
  [openai, "https://api.openai.com/v1"],
  [{ ...openai, baseUrl: "https://gateway.example" }, "https://gateway.example/v1"],
  [{ ...openai, baseUrl: "https://gateway.example/openai/" }, "https://gateway.example/openai"],
  [{ ...azure, resourceName: "my-resource" }, "https://my-resource.openai.azure.com/openai"],
  [{ ...azure, baseUrl: "https://gateway.example/openai" }, "https://gateway.example/openai"],
  [compatible, "http://localhost:11434/v1"],
])("%j sends its requests to %s", (options, baseUrl) => {
  expect(connectionFor(options).baseUrl).toBe(baseUrl);
});

test.each<[string, HostedEmbedderOptions, string]>([
  ["apiKey", { ...openai, apiKey: undefined }, "The backend openai has no apiKey. Set embeddings.apiKey to an API key"],
  ["apiKey", { ...openai, apiKey: " " }, "The backend openai has no apiKey."],
  ["apiKey", { ...azure, resourceName: "r", apiKey: "" }, "The backend azure_openai has no apiKey."],
  ["resourceName", azure, "needs either resourceName or baseUrl"],
  ["resourceName", { ...azure, resourceName: "r", baseUrl: "https://x.example" }, "needs either resourceName or"],
  ["resourceName", { ...azure, resourceName: "evil.example/#" }, '"evil.example/#" is not a valid resource name.'],
  ["baseUrl", { ...compatible, baseUrl: undefined }, "The backend openai-compatible has no baseUrl."],
  ["baseUrl", { ...compatible, baseUrl: "localhost:11434" }, "is not an HTTP address. Correct embeddings.baseUrl."],
  ["baseUrl", { ...openai, baseUrl: "nowhere" }, "is not an HTTP address. Correct embeddings.baseUrl."],
])("a wrong %s is a ConfigError that names it: %j", (field, options, message) => {
  const connect = () => connectionFor(options);
  expect(connect).toThrow(ConfigError);
  expect(connect).toThrow(
    expect.objectContaining({ field: `embeddings.${field}`, message: expect.stringContaining(message) }),
  );
});

test("an unknown backend is refused with the nearest name", () => {
  const options: object = { backend: "azure-openai", model: "m" };
  expect(() => connectionFor(options as HostedEmbedderOptions)).toThrow('Did you mean "azure_openai"?');
});

test("an Azure resource is reached by its name, through the v1 API or the deployment path of a dated version", async () => {
  expect(await urlAsked({ ...azure, resourceName: "res" })).toBe(
    "https://res.openai.azure.com/openai/v1/embeddings?api-version=v1",
  );
  expect(await urlAsked({ ...azure, resourceName: "res", apiVersion: "preview" })).toBe(
    "https://res.openai.azure.com/openai/v1/embeddings?api-version=preview",
  );
  expect(await urlAsked({ ...azure, resourceName: "res", apiVersion: "2024-10-21" })).toBe(
    "https://res.openai.azure.com/openai/deployments/m/embeddings?api-version=2024-10-21",
  );
});

/** Returns the URL that a backend's provider sends its request to. The request gets a minimal response. */
async function urlAsked(options: HostedEmbedderOptions): Promise<string> {
  const asked: string[] = [];
  const model = await connectionFor(options).open(async (url) => {
    asked.push(String(url));
    return Response.json({ data: [{ embedding: [1] }] });
  });
  await model.doEmbed({ values: ["a"] });
  return asked.join();
}

test("an account is identified by host and credential, and shows no credential", () => {
  const account = (options: HostedEmbedderOptions) => createAccountId(options.backend, connectionFor(options));
  const withKey = (apiKey: string, model = "m") => account({ ...openai, model, apiKey });
  expect(withKey("sk-secret-1")).toBe(withKey("sk-secret-1", "another"));
  expect(withKey("sk-secret-1")).not.toBe(withKey("sk-secret-2"));
  expect(withKey("sk-secret-1")).not.toContain("secret");
  expect(account(compatible)).not.toBe(account({ ...compatible, baseUrl: "http://localhost:1234/v1" }));
});
