// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPolicy } from "@bridle/core";
import { openProject } from "@bridle/project";
import type { SendOptions } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentEmbeddings } from "../src/definition/agent-embeddings.ts";
import { modelOptions } from "../src/definition/agent-model.ts";
import { describeAgent, openAgent } from "../src/index.ts";
import { type AgentFixture, createAgentFixture } from "./agent-fixture.ts";

let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await createAgentFixture({
    "tools.mjs": `export const lookup = {
  name: "lookup", description: "Finds an order.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] }, execute: async () => "It has shipped.",
};
export const remove = { ...lookup, name: "remove", description: "Removes an order.", annotations: { destructive: true } };
`,
    "skills/refunds/SKILL.md": "---\nname: refunds\ndescription: How refunds are made\n---\nAsk first.\n",
  });
});
afterAll(() => fixture.close());

const head = "name: desk\ninstructions: { inline: Be kind. }\n";
const lookup = "tools: [{ type: function, name: lookup, file: tools.mjs, function: lookup }]\n";

async function settingsFor(model: string, environment = {}, options: Parameters<typeof modelOptions>[1] = {}) {
  const definition = await fixture.load(`${head}model: ${model}\n`, environment);
  const given = { ...options, ...modelOptions(definition, options) };
  return (await openProject({ projectDir: fixture.folder, environment, ...given })).settings;
}

describe("a model", () => {
  test.each([
    ["{ provider: claude-code, name: opus }", { backend: "claude-code", auth: "session" }],
    ["{ provider: claude-code, name: a, auth_provider: oauth_token }", { backend: "claude-code", auth: "oauth_token" }],
    ["{ provider: anthropic, name: a, api_key: k }", { backend: "anthropic", apiKey: "k" }],
    [
      "{ provider: anthropic, name: a, runtime: claude-code, auth_provider: api_key, endpoint: http://x.example }",
      { backend: "claude-code", auth: "api_key", baseUrl: "http://x.example" },
    ],
    [
      "{ provider: openai, name: a, api_key: k, organization: o, project: p, endpoint: http://x.example/v1 }",
      { backend: "openai", apiKey: "k", organization: "o", project: "p", baseUrl: "http://x.example/v1" },
    ],
    [
      "{ provider: azure_openai, name: deployment, api_key: k, endpoint: https://r.openai.azure.com }",
      { backend: "openai", apiKey: "k", baseUrl: "https://r.openai.azure.com/openai/v1" },
    ],
    ["{ provider: ollama, name: a }", { backend: "openai-compatible", baseUrl: "http://localhost:11434/v1" }],
    [
      "{ provider: ollama, name: a, endpoint: http://there:1 }",
      { backend: "openai-compatible", baseUrl: "http://there:1/v1" },
    ],
    [
      "{ provider: openai-compatible, name: a, endpoint: http://x.example/v2 }",
      { backend: "openai-compatible", baseUrl: "http://x.example/v2" },
    ],
    ["{ provider: ollama, name: a, api_key: k }", { apiKey: "k" }],
    ["{ provider: openai-compatible, name: a, endpoint: http://x.example/v2, api_key: k }", { apiKey: "k" }],
    ["{ provider: anthropic, name: a, api_key: k, endpoint: http://x.example }", { baseUrl: "http://x.example" }],
    [
      "{ provider: azure_openai, name: a, api_key: k, api_version: v1, endpoint: https://r.example/own/v1 }",
      { baseUrl: "https://r.example/own/v1" },
    ],
    ["{ provider: gateway, name: a, api_key: k }", { backend: "gateway", apiKey: "k" }],
    ["{ provider: gateway, name: a, api_key: k, endpoint: http://x.example }", { baseUrl: "http://x.example" }],
    ["{ provider: vertex, name: a, access_token: t, endpoint: http://x.example }", { baseUrl: "http://x.example" }],
    ["{ provider: bedrock, name: a, api_key: k, endpoint: http://x.example }", { baseUrl: "http://x.example" }],
    [
      "{ provider: vertex, name: a, project: p, location: l, access_token: t }",
      { backend: "vertex", project: "p", location: "l", accessToken: "t" },
    ],
    ["{ provider: vertex, name: a, project: p, location: l, key_file: f.json }", { keyFile: "f.json" }],
    [
      "{ provider: vertex, name: a, project: p, location: l, credentials: application-default }",
      { credentials: "application-default" },
    ],
    [
      "{ provider: bedrock, name: a, region: r, access_key_id: i, secret_access_key: s, session_token: t }",
      { backend: "bedrock", region: "r", accessKeyId: "i", secretAccessKey: "s", sessionToken: "t" },
    ],
    ["{ provider: bedrock, name: a, region: r, api_key: k }", { backend: "bedrock", apiKey: "k" }],
  ])("%s is a provider of the project's kind", async (model, provider) => {
    expect((await settingsFor(model)).provider).toMatchObject(provider);
  });

  test("of the project is used if the agent file has none", async () => {
    const definition = await fixture.load(head);
    expect(modelOptions(definition, {})).toEqual({});
  });

  test("replaces the project's default model, and keys and roles of the project remain on the same backend", async () => {
    await writeFile(
      join(fixture.folder, "bridle.yaml"),
      "llm: { provider: { backend: openai, apiKey: theirs }, models: { default: gpt-a, judge: gpt-j } }\n",
    );
    expect(await settingsFor("{ provider: openai, name: gpt-b }")).toMatchObject({
      provider: { backend: "openai", apiKey: "theirs" },
      models: { default: "gpt-b", judge: "gpt-j" },
    });
    const other = await settingsFor("{ provider: anthropic, name: sonnet, api_key: ours }");
    expect(other).toMatchObject({ provider: { backend: "anthropic", apiKey: "ours" }, models: { default: "sonnet" } });
    expect(other.models).not.toHaveProperty("judge");
    await writeFile(join(fixture.folder, "bridle.yaml"), "");
  });

  test("with its own host settings takes no credential of the project", async () => {
    await writeFile(
      join(fixture.folder, "bridle.yaml"),
      "llm: { provider: { backend: openai, apiKey: theirs, baseUrl: https://gateway.example/v1 } }\n",
    );
    const elsewhere = await settingsFor("{ provider: openai, name: a, endpoint: https://other.example/v1 }");
    expect(elsewhere.provider).toEqual({ backend: "openai", baseUrl: "https://other.example/v1" });
    const ours = await settingsFor("{ provider: openai, name: a, api_key: ours }");
    expect(ours.provider).toEqual({ backend: "openai", apiKey: "ours" });
    expect((await settingsFor('{ provider: openai, name: a, api_key: "${NONE}" }')).provider).toEqual({
      backend: "openai",
    });
    await writeFile(join(fixture.folder, "bridle.yaml"), "");
  });

  test("is replaced by another backend of the caller, and a name of a Claude model is kept if that backend has Claude", async () => {
    const model = "{ provider: anthropic, name: opus, api_key: k }";
    expect(await settingsFor(model, {}, { backend: "claude-code" })).toMatchObject({
      provider: { backend: "claude-code" },
      models: { default: "opus" },
    });
    const other = await settingsFor(model, {}, { backend: "openai" });
    expect(other.provider).toEqual({ backend: "openai" });
    expect(other.models).toEqual({});
  });

  test("without its key is an error with the position in the agent file", async () => {
    const definition = await fixture.load(`${head}model: { provider: openai, name: gpt }\n`);
    await expect(openAgent(definition, { projectDir: fixture.folder })).rejects.toThrow(
      /^agent\.yaml:3:1: backend: openai needs model\.api_key, which is missing\. Write "api_key: \$\{OPENAI_API_KEY\}" under model in agent\.yaml/,
    );
  });

  test("has its limits and sampling in every run", async () => {
    const { agent } = await fixture.open(
      `${head}model: { provider: openai, name: a, api_key: k, max_tokens: 9, temperature: 0.5, top_p: 0.75 }\n`,
    );
    expect(agent.request).toMatchObject({ maxOutputTokens: 9, temperature: 0.5, topP: 0.75 });
  });
});

test("no event contains a value that the agent file takes from the environment", async () => {
  const definition = await fixture.load(
    `${head}description: "For \${WHOM}"\nmodel: { provider: anthropic, name: sonnet }\n`,
    {
      WHOM: "Mrs-Robinson",
    },
  );
  const script = join(fixture.folder, "script.yaml");
  await writeFile(script, "rehearsal: 1\nturns: [{ steps: [{ say: Good day Mrs-Robinson. }] }]\n");
  const agent = await openAgent(definition, { projectDir: fixture.folder, rehearse: script });
  const events: unknown[] = [];
  for await (const event of agent.run("Hello, I am Mrs-Robinson")) events.push(event);
  await agent.close();
  expect(JSON.stringify(events)).not.toContain("Mrs-Robinson");
});

describe("a run of an agent", () => {
  test("has its instructions and tools and nothing else, and is labelled with its name and version", async () => {
    const { agent, backend } = await fixture.open(`${head}${lookup}`, [
      { steps: [{ calls: [{ tool: "lookup", input: {} }] }, { say: "Shipped." }] },
    ]);
    const run = agent.run("Where is it?");
    expect(await run.result).toMatchObject({ stopReason: "natural", text: "Shipped.", toolCalls: 1 });
    expect(backend.sent[0]).toMatchObject({ system: "Be kind.", tools: [{ name: "lookup" }] });
    for await (const event of run) {
      if (event.type !== "run.started") continue;
      expect(event.labels).toEqual({ agent: "desk", instructions: agent.definition.instructions.version });
    }
  });

  test("follows the rules of its file: a question is a denial if no one can answer", async () => {
    const rules = "policy: { rules: [{ tool: lookup, then: ask }] }\n";
    const { agent } = await fixture.open(`${head}${lookup}${rules}`, [
      { steps: [{ calls: [{ tool: "lookup", input: {} }] }, { say: "No." }] },
    ]);
    expect(await agent.run("Where?").result).toMatchObject({ toolFailures: 1 });
  });

  test("ends with an object if response_format is set, with tools and in a session, too", async () => {
    const format = "response_format: { type: object, properties: { state: { type: string } }, required: [state] }\n";
    const { agent } = await fixture.open(`${head}${lookup}${format}`, [
      { prompt: "Where", steps: [{ calls: [{ tool: "lookup", input: {} }] }, { object: { state: "shipped" } }] },
      { prompt: "Sure", steps: [{ object: { state: "sure" } }] },
    ]);
    const session = await agent.openSession();
    expect(await (await session.send("Where?")).result).toMatchObject({ object: { state: "shipped" } });
    expect(await (await session.send("Sure?")).result).toMatchObject({ object: { state: "sure" } });
  });

  test("has the limits of steps and time, with and without a session", async () => {
    const { agent } = await fixture.open(`${head}execution: { max_steps: 2, llm_timeout: 0.2 }\n`, [
      { steps: [{ say: "Let me", stall: true }] },
    ]);
    expect(agent.request.stepBudget).toBe(2);
    expect(await agent.run("Go").result).toMatchObject({ error: { code: "timeout" } });
    const session = await agent.openSession({ id: "s" });
    expect(await (await session.send("Go")).result).toMatchObject({ error: { code: "timeout" } });
  });

  test("keeps the limits of its file if a run has an undefined one", async () => {
    const { agent } = await fixture.open(`${head}execution: { llm_timeout: 0.2 }\n`, [
      { steps: [{ say: "Let me", stall: true }] },
    ]);
    const without = { timeoutMs: undefined } as unknown as SendOptions; // must compile without exactOptionalPropertyTypes
    expect(await agent.run("Go", without).result).toMatchObject({ error: { code: "timeout" } });
    const session = await agent.openSession({ id: "u" });
    expect(await (await session.send("Go", without)).result).toMatchObject({ error: { code: "timeout" } });
  });

  test("denies what its file denies, whatever the rules of a run allow", async () => {
    const rules = "policy: { rules: [{ tool: lookup, then: deny }] }\n";
    const { agent } = await fixture.open(`${head}${lookup}${rules}`, [
      { steps: [{ calls: [{ tool: "lookup", input: {} }] }, { say: "So." }] },
    ]);
    const policy = createPolicy({ mode: "yolo" });
    expect(await agent.run("Go", { policy }).result).toMatchObject({ toolCalls: 1, toolFailures: 1 });
    const session = await agent.openSession({ id: "d" });
    expect(await (await session.send("Go", { policy })).result).toMatchObject({ toolCalls: 1, toolFailures: 1 });
  });

  test("gets the list of its skills, and loads one", async () => {
    const { agent, backend } = await fixture.open(`${head}skills: [skills]\n`, [{ steps: [{ say: "Yes." }] }]);
    await agent.run("Go").result;
    expect(backend.sent[0]?.system).toContain("- refunds: How refunds are made");
    expect(agent.tools.map(({ name }) => name)).toEqual(["load_skill"]);
  });
});

test("two tools with the same name, even of different kinds, are an error that names both entries", async () => {
  const yaml = `${head}skills: [skills]\ntools:\n  - { type: function, name: load_skill, file: tools.mjs, function: lookup }\n`;
  await expect(fixture.open(yaml)).rejects.toThrow(
    /^agent\.yaml:3:1: tools\.0 \(line 5\) and skills both have a tool named "load_skill"\. Rename one of them/,
  );
});

test("a tool that cannot be opened is an error with its position, and everything already open is closed", async () => {
  const yaml = `${head}tools:\n  - { type: function, name: a, file: tools.mjs, function: lokup }\n`;
  await expect(fixture.open(yaml)).rejects.toThrow(/tools\.mjs.*lokup.*Did you mean "lookup"\?/);
});

test("on another backend the claude block is an error", async () => {
  const definition = await fixture.load(
    `${head}model: { provider: openai, name: a, api_key: k }\nclaude: { max_turns: 3 }\n`,
  );
  await expect(openAgent(definition, { projectDir: fixture.folder })).rejects.toThrow(
    /^agent\.yaml:4:1: The block claude is for Claude Code, and this agent runs on openai\./,
  );
});

describe("on Claude Code", () => {
  test("the claude block enables host tools, and the mode normal asks for them", async () => {
    const definition = await fixture.load(
      `${head}claude: { max_turns: 3, max_budget_usd: 2, bash: { enabled: true } }\n`,
    );
    const agent = await openAgent(definition, { projectDir: fixture.folder });
    expect(agent.request).toMatchObject({ builtins: ["Bash"], stepBudget: 3 });
    expect(agent.limits).toEqual({ maxCostUsd: 2 });
    const call = {
      tool: "Bash",
      input: {},
      annotations: { destructive: true },
      builtin: true,
      callId: "call",
      runId: "run",
    };
    expect(await agent.request.policy?.evaluate(call, [])).toMatchObject({ decision: "ask" });
    await agent.close();
  });
});

test.each([
  ["{ provider: openai, name: e, api_key: k, endpoint: http://x.example }", { backend: "openai", apiKey: "k" }],
  ["{ provider: ollama, name: e, endpoint: http://x.example }", { backend: "ollama", baseUrl: "http://x.example" }],
  [
    "{ provider: openai-compatible, name: e, endpoint: http://x.example, api_key: k }",
    { backend: "openai-compatible", baseUrl: "http://x.example", apiKey: "k" },
  ],
  ["{ provider: local, name: e, dimensions: 8 }", { backend: "local", model: "e", dimensions: 8 }],
])("the embedding_provider %s becomes the project's embeddings", async (embeddings, settings) => {
  expect(agentEmbeddings(await fixture.load(`${head}embedding_provider: ${embeddings}\n`))?.settings).toMatchObject(
    settings,
  );
});

test("the embedding_provider of Azure becomes embeddings with dimensions, version and address", async () => {
  const yaml =
    "embedding_provider: { provider: azure_openai, name: e, dimensions: 8, api_key: k, api_version: v, endpoint: https://r.openai.azure.com }\n";
  expect(agentEmbeddings(await fixture.load(head + yaml))).toMatchObject({
    settings: {
      backend: "azure_openai",
      model: "e",
      dimensions: 8,
      apiKey: "k",
      apiVersion: "v",
      baseUrl: "https://r.openai.azure.com/openai",
    },
    source: { holder: "embedding_provider", file: "agent.yaml" },
  });
});

test("a described agent shows no secret, and needs no model", async () => {
  const definition = await fixture.load(
    `${head}author: Ada\ndescription: "Answers \${WHOM}"\nmodel: { provider: openai, name: "\${MODEL}", api_key: "\${KEY}", temperature: 1 }\n${lookup}`,
    { MODEL: "gpt-secret", KEY: "sk-0123456789abcdef", WHOM: "Mrs-Robinson" },
  );
  const told = await describeAgent(definition, { projectDir: fixture.folder });
  expect(told).toMatchObject({
    name: "desk",
    author: "Ada",
    description: "Answers ${WHOM}",
    backend: "openai",
    model: "${MODEL}",
    answers: "text",
    settings: { temperature: 1 },
    tools: [
      { name: "lookup", kind: "function", annotations: { readOnly: true, destructive: false, openWorld: false } },
    ],
  });
  expect(JSON.stringify(told)).not.toMatch(/gpt-secret|sk-0123|Robinson/);
});
