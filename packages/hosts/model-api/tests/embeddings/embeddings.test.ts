import { createApiEmbedder } from "@bridle/model-api";
import { ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { testEmbedderFaults } from "./embedder-fault-suite.ts";
import { testEmbedder } from "./embedder-suite.ts";
import { embedders, rejectionOf } from "./embedders.ts";

describe("an embedder", () => embedders.forEach(testEmbedder));

describe("a fault of the host", () => embedders.forEach(testEmbedderFaults));

test("the embedder none fails, and its error says how to choose a backend", async () => {
  const failure = await rejectionOf(createApiEmbedder({ backend: "none" }).embed(["a"]));
  expect(failure).toBeInstanceOf(ConfigError);
  expect(failure.message).toContain(
    "Set embeddings.backend in bridle.yaml to one of openai, azure_openai, openai-comp",
  );
});
