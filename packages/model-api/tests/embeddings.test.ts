import { ConfigError } from "@bridle/core";
import { createEmbedder } from "@bridle/model-api";
import { expect, test } from "vitest";
import { embedderLaws } from "./embedder-laws.ts";

const shared = { model: "embed-small", apiKey: "key-of-the-options" };
const bearer = { authorization: "Bearer key-of-the-options" };

embedderLaws("openai", {
  make: (url, options) => createEmbedder({ backend: "openai", baseUrl: `${url}/v1`, ...shared, ...options }),
  path: "/v1/embeddings",
  credential: bearer,
});

embedderLaws("azure_openai", {
  make: (url, options) =>
    createEmbedder({ backend: "azure_openai", baseUrl: `${url}/openai/v1`, ...shared, ...options }),
  path: "/openai/v1/embeddings",
  credential: { "api-key": "key-of-the-options" },
});

embedderLaws("azure_openai with a dated version", {
  make: (url, options) =>
    createEmbedder({
      backend: "azure_openai",
      baseUrl: `${url}/openai`,
      apiVersion: "2024-10-21",
      ...shared,
      ...options,
    }),
  path: "/openai/deployments/embed-small/embeddings?api-version=2024-10-21",
  credential: { "api-key": "key-of-the-options" },
});

embedderLaws("openai-compatible", {
  make: (url, options) => createEmbedder({ backend: "openai-compatible", baseUrl: `${url}/v1`, ...shared, ...options }),
  path: "/v1/embeddings",
  credential: bearer,
});

test("none fails, and says how to choose a backend", async () => {
  const failure: unknown = await createEmbedder({ backend: "none" })
    .embed(["a"])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigError);
  expect(failure).toMatchObject({
    message: expect.stringContaining("Set embeddings.backend in bridle.yaml to one of openai"),
  });
});
