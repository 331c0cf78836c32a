import { createEmbedder } from "@bridle/model-api";
import { ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { embedderFaultLaws } from "./embedder-fault-laws.ts";
import { embedderLaws } from "./embedder-laws.ts";
import { embedders, failureOf } from "./embedders.ts";

describe("an embedder", () => embedders.forEach(embedderLaws));

describe("what a host does wrong", () => embedders.forEach(embedderFaultLaws));

test("none fails, and says how to choose a backend", async () => {
  const failure = await failureOf(createEmbedder({ backend: "none" }).embed(["a"]));
  expect(failure).toBeInstanceOf(ConfigError);
  expect(failure.message).toContain(
    "Set embeddings.backend in bridle.yaml to one of openai, azure_openai, openai-comp",
  );
});
