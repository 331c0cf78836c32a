/** Tests settings that a program passes to `createRuntime` instead of a file. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEmbedder, createRuntime, doctor, openProject, openProjectEventLog } from "../src/index.ts";

const script = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Hello." }] }] };

function project(yaml?: string) {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-config-"));
  onTestFinished(() => rmSync(projectDir, { recursive: true, force: true, maxRetries: 5 }));
  if (yaml !== undefined) writeFileSync(join(projectDir, "bridle.yaml"), yaml);
  return { projectDir, environment: { PATH: process.env.PATH, HOME: projectDir, TMPDIR: tmpdir() } };
}

test("a program passes what bridle.yaml can have, and the file is not read", async () => {
  const { settings } = await openProject({
    ...project("llm: { provider: { backend: openai } }\n"),
    config: {
      llm: {
        provider: { backend: "anthropic" },
        models: { default: "opus", judge: "haiku" },
        promptCaching: { historyTtl: "1h", cacheTools: false },
        limits: { maxConcurrency: 2 },
        prices: { "claude-opus-5": { input: 1, output: 2 } },
      },
      policy: { mode: "plan" },
    },
  });
  expect(settings).toMatchObject({
    provider: { backend: "anthropic" },
    models: { default: "opus", judge: "haiku" },
    promptCaching: { historyTtl: "1h", cacheTools: false },
    limits: { maxConcurrency: 2 },
    policy: { mode: "plan" },
  });
  expect(settings.configFile).toBeUndefined();
});

test("options override what a program passes as configuration", async () => {
  const config = { llm: { provider: { backend: "anthropic" }, models: { default: "opus" } } } as const;
  const { settings } = await openProject({ ...project(), config, model: "haiku" });
  expect(settings.models.default).toBe("haiku");
});

test("variables are replaced in the configuration of a program", async () => {
  const { projectDir, environment } = project();
  const key = "sk-a-secret-of-the-vault";
  const { settings, redactor } = await openProject({
    projectDir,
    environment: { ...environment, VAULT_KEY: key },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the configuration refers to the environment
    config: { llm: { provider: { backend: "anthropic", apiKey: "${VAULT_KEY}" } } },
  });
  expect(settings.provider).toMatchObject({ apiKey: key });
  expect(redactor.text(`It is ${key}.`)).not.toContain(key);
});

test("a credential that a program passes is redacted everywhere, and is in no file", async () => {
  const apiKey = "tulip-9931-of-the-vault";
  const config = { llm: { provider: { backend: "anthropic", apiKey } } } as const;
  const { settings, redactor } = await openProject({ ...project(), config });
  const said = "It is tulip-9931-of-the-vault.";
  expect([redactor.text(said), redactor.known?.text(said)].join()).not.toContain(apiKey);
  expect(settings.typed).toEqual([]);
  const checks = await doctor({ ...project(), config });
  expect(checks.find(({ id }) => id === "config")?.detail).toBe("the configuration of the program");
  expect(JSON.stringify(checks)).not.toMatch(/in the file itself|the defaults apply|tulip/);
});

test("an embedder and the event log take the configuration of a program", async () => {
  const embedder = await createEmbedder({
    ...project(),
    config: { embeddings: { backend: "openai-compatible", baseUrl: "http://localhost:1/v1", model: "small" } },
  });
  await embedder.close();
  expect(embedder.model).toBe("small");
  const eventLog = { type: "postgres", url: "postgresql://ada:pw-8341@127.0.0.1:9/shop" } as const;
  const opening = openProjectEventLog({ ...project(), config: { eventLog } });
  await expect(opening).rejects.toThrow("PostgreSQL (127.0.0.1:9/shop");
});

test("every problem of a program's configuration has the path of its setting", async () => {
  const config = { llm: { provider: { backend: "nobody" }, limits: { maxConcurrency: 0 } } } as object;
  const failure = await openProject({ ...project(), config }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "ConfigError", field: "llm.provider.backend" });
  expect(String(failure)).toContain("config.llm.provider.backend: ");
  expect(String(failure)).toContain("config.llm.limits.maxConcurrency: ");
});

test("a configuration that is not JSON is refused", async () => {
  const config: { llm?: object } = {};
  config.llm = { config };
  await expect(openProject({ ...project(), config })).rejects.toThrow("config cannot be read, because it is not JSON");
});

test("a program rehearses with a script that is an object", async () => {
  const config = { llm: { provider: { backend: "anthropic" } } } as const;
  const runtime = await createRuntime({ ...project(), config, rehearse: script });
  const { text } = await runtime.generateText({ prompt: "hi" });
  await runtime.close();
  expect(text).toBe("Hello.");
});

test("an invalid script of a program is refused with the path of its setting", async () => {
  const rehearse = { rehearsal: 1, turns: [{ steps: [{ sya: "Hello." }] }] } as never;
  await expect(createRuntime({ ...project(), rehearse })).rejects.toThrow(/script\.turns\.0\.steps\.0/);
});

test("credentials among the variables for tools are redacted by name, and the others are not", async () => {
  const events: string[] = [];
  const say = "The host db.example.com has the password tulip-9931-b.";
  const runtime = await createRuntime({
    ...project(),
    rehearse: { rehearsal: 1, turns: [{ steps: [{ say }] }] },
    toolEnvironment: { PGHOST: "db.example.com", PGPASSWORD: "tulip-9931-b" },
    onEvent: (event) => events.push(JSON.stringify(event)),
  });
  await runtime.generateText("Hello").finally(() => runtime.close());
  expect(events.join()).toContain("db.example.com");
  expect(events.join()).not.toContain("tulip-9931-b");
});
