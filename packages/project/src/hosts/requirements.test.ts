// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CreateRuntimeOptions, createEmbedder, createRuntime } from "../operations.ts";

let projectDir = "";
beforeEach(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "bridle-requirements-"));
});
afterEach(() => rm(projectDir, { recursive: true }));

const project = (yaml: string) => writeFile(join(projectDir, "bridle.yaml"), yaml);

/** Returns the error with which the runtime is refused, without the folder. */
async function refusal(yaml: string, options: CreateRuntimeOptions = {}): Promise<string> {
  await project(yaml);
  const made = createRuntime({ projectDir, environment: {}, ...options });
  const error: unknown = await made.then(
    (runtime) => runtime.close(),
    (cause: unknown) => cause,
  );
  expect(error).toMatchObject({ code: "config", field: expect.any(String) });
  return error instanceof Error ? error.message.replace(`${projectDir}/`, "") : "";
}

const missing: readonly [yaml: string, message: string][] = [
  [
    "llm: { provider: { backend: anthropic } }",
    'bridle.yaml:1:8: backend: anthropic needs llm.provider.apiKey, which is missing. Write "apiKey: ${ANTHROPIC_API_KEY}" under llm.provider in bridle.yaml.',
  ],
  [
    "llm:\n  provider:\n    backend: openai\n    apiKey: ${MY_KEY}\n",
    "bridle.yaml:4:13: backend: openai needs llm.provider.apiKey, which is missing. Set MY_KEY in the environment.",
  ],
  [
    "llm: { provider: { backend: openai-compatible } }",
    'bridle.yaml:1:8: backend: openai-compatible needs llm.provider.baseUrl, which is missing. Write "baseUrl: http://localhost:11434/v1" under llm.provider in bridle.yaml.',
  ],
  [
    "llm: { provider: { backend: gateway } }",
    'bridle.yaml:1:8: backend: gateway needs llm.provider.apiKey, which is missing. Write "apiKey: ${AI_GATEWAY_API_KEY}" under llm.provider in bridle.yaml.',
  ],
  [
    "llm: { provider: { backend: vertex, project: p, location: global } }",
    'bridle.yaml:1:8: backend: vertex needs llm.provider.credentials, which is missing. Write "credentials: application-default", or "keyFile: ${GOOGLE_APPLICATION_CREDENTIALS}", or "accessToken: ${GOOGLE_ACCESS_TOKEN}" under llm.provider in bridle.yaml.',
  ],
  [
    "llm: { provider: { backend: bedrock, region: eu-west-1, accessKeyId: AK } }",
    'bridle.yaml:1:8: backend: bedrock needs llm.provider.secretAccessKey, which is missing. Write "secretAccessKey: ${AWS_SECRET_ACCESS_KEY}" under llm.provider in bridle.yaml.',
  ],
  [
    "llm: { provider: { auth: api_key, baseUrl: '${GATEWAY}' } }",
    "bridle.yaml:1:44: backend: claude-code needs llm.provider.baseUrl, which is missing. Set GATEWAY in the environment.",
  ],
];

test.each(missing)("%j is refused before anything is sent", async (yaml, message) => {
  expect(await refusal(yaml)).toBe(message);
});

test("a backend other than the file's takes none of its credentials, and names the missing ones", async () => {
  const yaml = "llm: { provider: { backend: anthropic, apiKey: sk-ant } }";
  expect(await refusal(yaml, { backend: "openai" })).toBe(
    'bridle.yaml:1:8: backend: openai needs llm.provider.apiKey, which is missing: bridle.yaml is about anthropic. Write "backend: openai" and "apiKey: ${OPENAI_API_KEY}" under llm.provider in bridle.yaml.',
  );
  expect(await refusal(yaml, { auth: "api_key" })).toContain("The auth mode api_key is for claude-code");
  const runtime = await createRuntime({ projectDir, environment: {}, backend: "claude-code" });
  expect(runtime.backend).toBe("claude-code");
  await runtime.close();
});

test("a missing variable of one backend does not prevent the use of another", async () => {
  await project("llm: { provider: { backend: openai, apiKey: '${KEY}' }, models: { default: sonnet } }");
  const runtime = await createRuntime({ projectDir, environment: {}, backend: "claude-code" });
  expect(runtime.backend).toBe("claude-code");
  await runtime.close();
});

test("a credential that is written in the file is not in an error", async () => {
  await project(
    'llm: { provider: { backend: openai-compatible, apiKey: sk-typed-1234, baseUrl: "http://127.0.0.1:1/v1" }, models: { default: m } }',
  );
  const runtime = await createRuntime({ projectDir, environment: {} });
  const error: unknown = await runtime
    .generateText({ prompt: "Hello", timeoutMs: 200 })
    .catch((cause: unknown) => cause);
  await runtime.close();
  expect(JSON.stringify(error) + (error instanceof Error ? error.stack : "")).not.toContain("sk-typed");
});

test("an address with a password is refused with its position, and not shown", async () => {
  const provider = '{ backend: openai-compatible, baseUrl: "http://ada:pw-typed@host.example/v1" }';
  const message = await refusal(`llm:\n  provider: ${provider}\n`);
  expect(message).toMatch(/^bridle\.yaml:2:52: .*password/);
  expect(message).not.toMatch(/pw-typed|host\.example/);
});

test("an embedder is created from embeddings in bridle.yaml, and names its missing credentials", async () => {
  await project("embeddings:\n  backend: openai\n  model: small\n  apiKey: ${KEY}\n");
  const make = (environment: Record<string, string>) => createEmbedder({ projectDir, environment });
  await expect(make({})).rejects.toThrow(/bridle\.yaml:4:11: embeddings: openai needs embeddings\.apiKey.*Set KEY/);
  const embedder = await make({ KEY: "k" });
  expect([embedder.id, embedder.model]).toEqual(["openai", "small"]);
  await embedder.close();
  await project("");
  await expect((await make({})).embed(["text"])).rejects.toMatchObject({ code: "config" });
});
