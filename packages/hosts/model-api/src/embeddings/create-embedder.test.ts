import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createApiEmbedder } from "./create-embedder.ts";

const openai = { backend: "openai", model: "m", apiKey: "k" } as const;

test.each(["dimensions", "batchSize", "idleTimeoutMs", "maxAttempts"])(
  "%s must be a whole number from 1, or creating the embedder fails",
  (option) => {
    for (const value of [0, 1.5, Number.NaN]) {
      const make = () => createApiEmbedder({ ...openai, [option]: value });
      expect(make).toThrow(ConfigError);
      expect(make).toThrow(`embeddings.${option} is ${value}. Set a whole number from 1, or leave it out.`);
    }
  },
);

test("a model is required", () => {
  const make = () => createApiEmbedder({ ...openai, model: "" });
  expect(make).toThrow("The backend openai has no model. Set embeddings.model to an embedding model.");
});
