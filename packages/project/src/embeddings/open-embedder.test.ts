// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openProject, type ProjectOptions } from "../project.ts";
import type { GivenEmbeddings } from "../settings/given-embeddings.ts";
import type { OpenEmbedderOptions } from "./open-embedder.ts";

let projectDir = "";
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-find-embedder-"));
});
afterEach(() => rmSync(projectDir, { recursive: true }));

function configure(embeddings: string): void {
  writeFileSync(join(projectDir, "bridle.yaml"), `llm: { provider: { backend: none } }\n${embeddings}`);
}

const given = (settings: GivenEmbeddings["settings"]): GivenEmbeddings => ({
  settings,
  source: {
    file: "agent.yaml",
    holder: "embedding_provider",
    values: [],
    keys: { backend: "provider", model: "name", baseUrl: "endpoint", apiKey: "api_key" },
    positions: { embeddings: { file: "agent.yaml", line: 3, column: 1 } },
    written: {},
    absent: {},
  },
});

async function findEmbedder({ embeddings, choice, ...options }: ProjectOptions & OpenEmbedderOptions) {
  return (await openProject(options)).findEmbedder({ embeddings, choice });
}

describe("the configured embedder", () => {
  test("is undefined if nothing is configured", async () => {
    configure("");
    expect(await findEmbedder({ projectDir, environment: {} })).toBeUndefined();
  });

  test("of another file overrides the project's, and a caller's choice overrides both", async () => {
    configure("embeddings: { backend: openai, model: small, apiKey: k }\n");
    const options = { projectDir, environment: {} };
    expect(await findEmbedder(options)).toMatchObject({ id: "openai", model: "small" });
    const embeddings = given({ backend: "ollama", model: "nomic-embed-text" });
    expect(await findEmbedder({ ...options, embeddings })).toMatchObject({ id: "ollama", model: "nomic-embed-text" });
    expect(await findEmbedder({ ...options, embeddings, choice: { model: "large" } })).toMatchObject({
      model: "large",
    });
    expect(await findEmbedder({ ...options, choice: { model: "large", dimensions: 256 } })).toMatchObject({
      id: "openai",
    });
  });

  test("with a missing credential is an error with the position in its file", async () => {
    configure("");
    const missing = findEmbedder({
      projectDir,
      environment: {},
      embeddings: given({ backend: "openai", model: "small" }),
    });
    await expect(missing).rejects.toThrow(ConfigError);
    await expect(missing).rejects.toThrow(
      'agent.yaml:3:1: embeddings: openai needs embedding_provider.api_key, which is missing. Write "api_key: ${OPENAI_API_KEY}" under embedding_provider in agent.yaml, or set it in bridle.yaml.',
    );
    const local = findEmbedder({
      projectDir,
      environment: {},
      choice: { dimensions: 9 },
      embeddings: given({ backend: "local", model: "small" }),
    });
    await expect(local).rejects.toThrow(/embedding_provider cannot be used: .*dimensions/);
  });

  test("uses Ollama's default address, with /v1 added", async () => {
    const rehearsal = await startRehearsal({ script: { file: "none", turns: [] } });
    configure(`embeddings: { backend: ollama, model: nomic, baseUrl: "${rehearsal.url}" }\n`);
    const embedder = await findEmbedder({ projectDir, environment: {} });
    const { vectors } = (await embedder?.embed(["a text"])) ?? { vectors: [] };
    expect(vectors[0]?.length).toBeGreaterThan(0);
    await embedder?.close();
    await rehearsal.close();
  });
});
