/** Tests models in HoloDeck files, imported and unchanged, for each provider and each way to pay. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentImportSchema, agentSurveySchema } from "@bridle/app/imports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { runCli } from "../../command/cli-for-tests.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-holodeck-models-"));
  await writeFile(join(cwd, "bridle.yaml"), "");
});
afterEach(() => rm(cwd, { recursive: true }));

const keys = { OPENAI_API_KEY: "key-o", AZURE_OPENAI_API_KEY: "key-z", ANTHROPIC_API_KEY: "key-a" };
const environment = {
  ...keys,
  CLAUDE_CODE_OAUTH_TOKEN: "token",
  AWS_REGION: "eu-west-1",
  CLOUD_ML_REGION: "eu-west-1",
  ANTHROPIC_VERTEX_PROJECT_ID: "project",
  ANTHROPIC_FOUNDRY_RESOURCE: "resource",
};
const run = (words: string, variables: Record<string, string> = environment) =>
  runCli(words.split(" "), { cwd, environment: { PATH: process.env.PATH ?? "", HOME: cwd, ...variables } });

const providers = {
  openai: { name: "gpt-5" },
  azure_openai: { name: "gpt-5", endpoint: "https://resource.openai.azure.com" },
  anthropic: { name: "claude-sonnet-4-6" },
  ollama: { name: "llama3" },
};
/** All values of `auth_provider` in HoloDeck's schema, and no value. HoloDeck ignores them for providers other than anthropic. */
const authProviders = [undefined, "api_key", "oauth_token", "bedrock", "vertex", "foundry", "custom"];

const models = Object.entries(providers).flatMap(([provider, rest]) =>
  authProviders.map((auth) => ({
    provider,
    ...rest,
    ...(auth === undefined ? {} : { auth_provider: auth }),
    ...(auth === "custom" && { endpoint: "https://gateway.example" }),
  })),
);

const agentWith = (more: object) => ({ name: "desk", instructions: { inline: "Be kind." }, ...more });
const write = (name: string, value: object) => writeFile(join(cwd, name), stringify(value));

describe("a model of HoloDeck", () => {
  test.for(models)("is valid after the import: %j", async (model) => {
    await write("agent.yaml", agentWith({ model }));
    const imported = await run("agent import holodeck agent.yaml --json");
    const { problems } = agentImportSchema.parse(JSON.parse(imported.stdout));
    expect({ problems, code: imported.code }).toEqual({ problems: [], code: 0 });
    const validated = await run("agent validate agent.bridle.yaml");
    expect(validated).toMatchObject({ code: 0, stdout: expect.stringContaining("agent.bridle.yaml is valid") });
  });

  test("shows the way to pay that the import changes", async () => {
    const model = {
      ...providers.anthropic,
      provider: "anthropic",
      auth_provider: "custom",
      endpoint: "https://g.example",
    };
    await write("agent.yaml", agentWith({ model }));
    const { stdout } = await run("agent import holodeck agent.yaml");
    expect(stdout).toContain('model.auth_provider is "api_key" instead of "custom".');
  });

  test("with auth_provider api_key is valid as it is", async () => {
    await write(
      "agent.yaml",
      agentWith({ model: { provider: "anthropic", name: "sonnet", auth_provider: "api_key" } }),
    );
    expect(await run("agent validate agent.yaml")).toMatchObject({ code: 0 });
  });
});

describe("a file that names no key", () => {
  const warning = (holders: string, variable: string) =>
    expect.stringContaining(`the key for ${holders} is ${variable} of the environment, as in HoloDeck.`);

  test.for([
    ["openai", "OPENAI_API_KEY"],
    ["azure_openai", "AZURE_OPENAI_API_KEY"],
    ["anthropic", "ANTHROPIC_API_KEY"],
  ] as const)("uses the variable of %s, and one line says so", async ([provider, variable]) => {
    await write("agent.yaml", agentWith({ model: { provider, ...providers[provider] } }));
    const { code, stdout, stderr } = await run("agent validate agent.yaml", { [variable]: "secret-value" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: warning("model", variable) });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`the variable ${variable}`); // trust covers it, too
    expect(stdout + stderr).not.toContain("secret-value");
  });

  test("says so once for all of its models", async () => {
    const model = { provider: "openai", ...providers.openai };
    const metrics = [{ type: "geval", name: "kind", criteria: "Kind.", model }];
    await write("agent.yaml", agentWith({ model, evaluations: { model, metrics }, test_cases: [{ input: "Hi" }] }));
    const { code, stderr } = await run("agent validate agent.yaml", keys);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: warning("model and evaluations.model and evaluations.metrics.0.model", "OPENAI_API_KEY"),
    });
  });

  test.for([
    ["the variable is not set", { provider: "openai", name: "m" }, "", {}],
    ["it names an address", { provider: "openai", name: "m", endpoint: "https://other.example/v1" }, "", keys],
    [
      "bridle.yaml says how the same host is reached",
      { provider: "openai", name: "m" },
      "llm: { provider: { backend: openai, baseUrl: 'https://other.example/v1' } }",
      keys,
    ],
    [
      "bridle.yaml names another variable, which is not set",
      { provider: "openai", name: "m" },
      "llm: { provider: { backend: openai, apiKey: '$" + "{TEAM_KEY}' } }",
      keys,
    ],
  ] as const)("stays without a key if %s", async ([, model, project, variables]) => {
    await write("agent.yaml", agentWith({ model }));
    await writeFile(join(cwd, "bridle.yaml"), project);
    const { code, stderr } = await run("agent validate agent.yaml", variables);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/which is missing/) });
    expect(stderr).not.toContain("as in HoloDeck");
  });

  test("uses the key of bridle.yaml for the same host, and says nothing", async () => {
    await write("agent.yaml", agentWith({ model: { provider: "openai", name: "m" } }));
    await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: openai, apiKey: '$" + "{TEAM_KEY}' } }");
    const { code, stdout, stderr } = await run("agent validate agent.yaml", { ...keys, TEAM_KEY: "team" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("OPENAI_API_KEY");
  });
});

/** Generates numbers from 0 to 1 that are the same in every test run. */
function createRandom(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Files that HoloDeck's JSON Schema accepts, with settings that mean the same in Bridle, and with and without keys. */
function generateAgent(random: () => number): object {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const some = (value: object) => (random() < 0.5 ? value : {});
  const model = () => {
    const provider = pick(["openai", "azure_openai", "anthropic", "ollama"] as const);
    const variable = { openai: "OPENAI", azure_openai: "AZURE_OPENAI", anthropic: "ANTHROPIC", ollama: "" }[provider];
    return {
      provider,
      ...providers[provider],
      ...some({ temperature: pick([0, 0.3, 1]) }),
      ...some({ max_tokens: 1000 }),
      ...(provider !== "ollama" && some({ api_key: `$\{${variable}_API_KEY}` })),
      ...(provider === "anthropic" && some({ auth_provider: "api_key" })),
    };
  };
  return agentWith({
    model: model(),
    ...some({ description: "Answers." }),
    ...some({ execution: { llm_timeout: 60 } }),
    ...some({
      evaluations: {
        ...some({ model: model() }),
        metrics: [{ type: "geval", name: "kind", criteria: "Kind.", threshold: 0.5, ...some({ model: model() }) }],
      },
    }),
    ...some({ test_cases: [{ name: "first", input: "Hello" }] }),
  });
}

test("of 100 generated files of HoloDeck, none fails for want of a key whose variable is set", async () => {
  const random = createRandom(7);
  const agents = Array.from({ length: 100 }, () => generateAgent(random));
  const keyless = agents.filter((agent) => !JSON.stringify(agent).includes('api_key":')).length;
  expect(keyless).toBeGreaterThan(20); // the generator leaves keys out
  for (const [index, agent] of agents.entries()) await write(`${String(index).padStart(3, "0")}.yaml`, agent);
  const { stdout } = await run("agent import holodeck . --json");
  const { files, counts } = agentSurveySchema.parse(JSON.parse(stdout));
  expect(files.filter(({ loads }) => loads !== "unchanged").map(({ file, problems }) => [file, problems])).toEqual([]);
  expect(counts.unchanged).toBe(100);
});
