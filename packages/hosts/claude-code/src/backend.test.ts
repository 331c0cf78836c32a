import { ConfigError, type ConversationSpec, defaultPromptCaching, ModelNotFoundError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createClaudeCodeBackend } from "./backend.ts";
import { claudeCode } from "./definition/host.ts";
import type { ClaudeCodeConfig } from "./definition/settings-form.ts";
import type { ClaudeCodeOptions } from "./options.ts";

const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  tools: [],
  builtins: [],
  stepBudget: 1,
  promptCaching: defaultPromptCaching,
  history: [],
  projectDir: import.meta.dirname,
};
const open = (options: ClaudeCodeOptions, parts: Partial<ConversationSpec> = {}) =>
  createClaudeCodeBackend({ environment: {}, ...options }).open(
    { ...spec, ...parts },
    AbortSignal.abort("nothing may be started"),
  );

test("an invalid conversation is refused before a process starts", async () => {
  await expect(open({ auth: "api_key" })).rejects.toThrow("ANTHROPIC_API_KEY");
  await expect(open({ baseUrl: "http://localhost" })).rejects.toThrow(ConfigError);
  await expect(open({}, { model: "gpt-5" })).rejects.toThrow(ModelNotFoundError);
  await expect(open({}, { projectDir: "/no/such/folder" })).rejects.toThrow(ConfigError);
  await expect(open({}, { projectDir: "/no/such/folder" })).rejects.toThrow("/no/such/folder does not exist");
});

test("a rehearsal refuses the names of models that the rehearsed server would refuse", async () => {
  const openAt = (config: Pick<ClaudeCodeConfig, "auth" | "baseUrl">) => {
    const scene = { url: "http://127.0.0.1", folder: import.meta.dirname, environment: {} };
    const backend = claudeCode.rehearsal?.create({ ...scene, config: { backend: "claude-code", ...config } });
    return backend?.open({ ...spec, model: "own-name" }, AbortSignal.abort("nothing may be started"));
  };
  await expect(openAt({ auth: "session" })).rejects.toThrow(ModelNotFoundError);
  await expect(openAt({ auth: "bedrock" })).rejects.toBe("nothing may be started");
  await expect(openAt({ auth: "api_key", baseUrl: "http://localhost:11434" })).rejects.toBe("nothing may be started");
});

test("an aborted signal starts no process", async () => {
  await expect(open({})).rejects.toBe("nothing may be started");
});

test.each([
  ["session", "anthropic"],
  ["api_key", "anthropic"],
  ["bedrock", "aws.bedrock"],
  ["vertex", "gcp.vertex_ai"],
] as const)("with auth %s, telemetry names %s as the provider of the models", (auth, telemetryProvider) => {
  expect(createClaudeCodeBackend({ auth })).toMatchObject({ id: "claude-code", telemetryProvider });
});

test("an unused backend closes at once", async () => {
  await createClaudeCodeBackend().close();
});

test("the features mention the account's address only with a login", () => {
  const degraded = (options: ClaudeCodeOptions) => createClaudeCodeBackend(options).features.degraded.join(" ");
  expect(degraded({})).toContain("email address");
  expect(degraded({ auth: "api_key" })).not.toContain("email address");
});
