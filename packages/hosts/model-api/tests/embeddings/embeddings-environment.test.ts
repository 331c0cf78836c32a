import type { EmbedderOptions } from "@bridle/model-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../run-program.ts";
import { type EmbeddingServer, startEmbeddingServer } from "./embeddings-server.ts";

const program = `
  import { createApiEmbedder } from "@bridle/model-api";
  const embedder = createApiEmbedder(JSON.parse(process.argv[1]));
  const { vectors } = await embedder.embed(["a"]);
  console.log(vectors[0].length);
`;

let named: EmbeddingServer;
let planted: EmbeddingServer;
beforeAll(async () => {
  named = await startEmbeddingServer();
  planted = await startEmbeddingServer();
});
afterAll(async () => {
  await named.close();
  await planted.close();
});

/** Returns every variable that a provider is known to read, and variables with similar names. */
function variables(url: string, key: string) {
  return {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: url,
    OPENAI_API_BASE: url,
    OPENAI_ORG_ID: "planted-organisation",
    OPENAI_ORGANIZATION: "planted-organisation",
    OPENAI_PROJECT: "planted-project",
    OPENAI_PROJECT_ID: "planted-project",
    OPENAI_COMPATIBLE_API_KEY: key,
    AZURE_API_KEY: key,
    AZURE_OPENAI_API_KEY: key,
    AZURE_RESOURCE_NAME: "planted-resource",
    AZURE_OPENAI_ENDPOINT: url,
    OPENAI_API_VERSION: "2020-01-01",
    OLLAMA_HOST: url,
  };
}

function embedWith(env: Record<string, string>, options: EmbedderOptions): Promise<string> {
  return runProgram(program, options, env);
}

const backends: { backend: string; optionsFor: (url: string) => EmbedderOptions }[] = [
  {
    backend: "openai",
    optionsFor: (url) => ({ backend: "openai", model: "m", apiKey: "key-of-the-options", baseUrl: `${url}/v1` }),
  },
  {
    backend: "azure_openai",
    optionsFor: (url) => ({ backend: "azure_openai", model: "m", apiKey: "key-of-the-options", baseUrl: `${url}/v1` }),
  },
  {
    backend: "openai-compatible",
    optionsFor: (url) => ({ backend: "openai-compatible", model: "m", baseUrl: `${url}/v1` }),
  },
];

test.each(backends)("$backend embedder sends nothing from the environment", async ({ optionsFor }) => {
  const before = named.requests.length;
  expect(await embedWith(variables(planted.url, "planted-key"), optionsFor(named.url))).toBe("8");
  const sent = named.requests.slice(before);
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toMatch(/planted|2020-01-01/);
  expect(planted.requests).toEqual([]);
});

test("a missing embeddings key is not read from the environment", async () => {
  const noKey: object = { backend: "openai", model: "m", baseUrl: named.url };
  const embedding = embedWith(variables(planted.url, "planted-key"), noKey as EmbedderOptions);
  await expect(embedding).rejects.toThrow("The backend openai has no apiKey.");
  expect(planted.requests).toEqual([]);
});

test.each(backends)("$backend embedder works if the variables are empty", async ({ optionsFor }) => {
  expect(await embedWith(variables("", ""), optionsFor(named.url))).toBe("8");
});
