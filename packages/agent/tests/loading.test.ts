// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentFileError, loadAgent } from "../src/index.ts";
import { type AgentFixture, createAgentFixture } from "./agent-fixture.ts";

let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await createAgentFixture({
    "instructions.md":
      "---\nversion: 1.4.0\nauthor: Ada\ndescription: How to answer\ntags: [support, orders]\n---\n\nBe kind.\n",
    "plain.md": "Be brief.\n",
    "odd.md": "---\nversoin: 2\n---\nBe kind.\n",
    "empty.md": "---\nversion: 1\n---\n\n",
    "answer.json": '{ "type": "object", "properties": { "state": { "type": "string" } } }',
    "list.json": '{ "type": "array" }',
    "broken.json": "{",
    "tools.ts": "export const lookup = 1;\n",
  });
});
afterAll(() => fixture.close());

const head = "name: desk\ninstructions: { inline: Be kind. }\n";

/** Lists the problems of a file. */
async function problems(yaml: string, environment = {}): Promise<string[]> {
  const failed = await fixture.load(yaml, environment).catch((error: unknown) => error);
  if (!(failed instanceof AgentFileError)) throw failed;
  return failed.problems.map(({ message, position }) => `${position.line}:${position.column}: ${message}`);
}

describe("instructions", () => {
  test("of a file are sent without their front matter, which becomes metadata", async () => {
    const { instructions } = await fixture.load("name: desk\ninstructions: { file: instructions.md }\n");
    expect(instructions).toEqual({
      text: "Be kind.",
      version: "1.4.0",
      file: "instructions.md",
      author: "Ada",
      description: "How to answer",
      tags: ["support", "orders"],
    });
  });

  test("without a version have a version that changes with their text", async () => {
    const versions = await Promise.all(
      ["plain.md", "instructions.md"].map(async (file) => {
        return (await loadAgent(await fileWith(file), { cwd: fixture.folder, environment: {} })).instructions.version;
      }),
    );
    expect(versions).toEqual([expect.stringMatching(/^auto-[0-9a-f]{8}$/), "1.4.0"]);
  });

  test("are inline or in another file, but not both or neither", async () => {
    expect((await fixture.load(head)).instructions.text).toBe("Be kind.");
    expect(await problems("name: desk\ninstructions: { inline: A, file: plain.md }\n")).toEqual([
      "2:15: instructions has both file and inline. Keep one of them.",
    ]);
    expect(await problems("name: desk\ninstructions: { inline: null }\n")).toEqual([
      "2:15: instructions has neither file nor inline. Write one of them.",
    ]);
  });

  test("that are missing, empty or with invalid front matter are an error with the file", async () => {
    expect(await problems("name: desk\ninstructions: { file: no.md }\n")).toEqual([
      "2:17: instructions.file names no.md, which does not exist. Correct the path; it starts in the folder of the file that names it.",
    ]);
    expect(await problems("name: desk\ninstructions: { file: odd.md }\n")).toEqual([
      '2:1: unknown key "versoin". Did you mean "version"?',
    ]);
    expect((await problems("name: desk\ninstructions: { file: empty.md }\n"))[0]).toContain("has no instructions");
  });

  async function fileWith(instructions: string): Promise<string> {
    const name = `agent-${instructions}.yaml`;
    await fixture.write({ [name]: `name: desk\ninstructions: { file: ${instructions} }\n` });
    return name;
  }
});

test("a misspelt type or provider does not hide a misspelt key beside it", async () => {
  const lines = "model: { provider: opnai, nmae: x }\ntools: [{ type: funtion, name: l, fil: tools.ts }]\n";
  expect(await problems(head + lines)).toEqual([
    expect.stringMatching(/^3:20: model\.provider is "opnai".* Did you mean "openai"\?$/),
    '3:27: unknown key "nmae". Did you mean "name"?',
    expect.stringMatching(/^4:17: tools\.0\.type is "funtion".* Did you mean "function"\?$/),
    '4:35: unknown key "fil". Did you mean "file"?',
  ]);
});

test("paths are relative to the file that names them, whatever the working directory is", async () => {
  await fixture.write({ "inner/agent.yaml": "name: desk\ninstructions: { file: ../plain.md }\n" });
  const agent = await loadAgent("inner/agent.yaml", { cwd: fixture.folder, environment: {} });
  expect(agent).toMatchObject({ file: join("inner", "agent.yaml"), baseDir: join(fixture.folder, "inner") });
  expect(agent.instructions).toMatchObject({ text: "Be brief.", file: "plain.md" });
});

test("an agent file that does not exist is an error of one sentence", async () => {
  await expect(loadAgent("no.yaml", { cwd: fixture.folder, environment: {} })).rejects.toThrow(
    "The agent file no.yaml does not exist. Name a file such as agent.yaml.",
  );
});

describe("response_format", () => {
  test("is an inline schema, a schema file, or null for text", async () => {
    const inFile = await fixture.load(
      `${head}response_format: { type: object, properties: { a: { type: string } } }\n`,
    );
    expect(inFile.responseFormat).toMatchObject({ type: "object" });
    expect((await fixture.load(`${head}response_format: answer.json\n`)).responseFormat).toMatchObject({
      properties: { state: { type: "string" } },
    });
    expect((await fixture.load(`${head}response_format: null\n`)).responseFormat).toBeUndefined();
  });

  test.each([
    ["list.json", 'the schema in list.json has type "array", but must have type "object".'],
    ["broken.json", "the schema in broken.json is not valid JSON"],
    ["missing.json", "response_format names missing.json, which does not exist."],
    ["{ properties: {} }", 'response_format has no type, but must have type "object".'],
  ])("%s is an error with its position", async (format, message) => {
    const [first] = await problems(`${head}response_format: ${format}\n`);
    expect(first).toMatch(/^3:\d+: /);
    expect(first).toContain(message);
  });
});

describe("files that an agent file names", () => {
  test.each([
    ["tools: [{ type: function, name: a, file: no.ts, function: a }]", "tools.0.file names no.ts"],
    ["tools: [{ type: documents, name: a, source: no/ }]", "tools.0.source names no"],
    ["tools: [{ type: mcp, name: a, command: x, env_file: no.env }]", "tools.0.env_file names no.env"],
    ["skills: [no]", "skills.0 names no"],
    ["test_cases: [{ input: a, files: [{ path: no.png, type: image }] }]", "test_cases.0.files.0.path names no.png"],
    ["claude: { working_directory: no }", "claude.working_directory names no"],
  ])("are checked to exist: %s", async (line, message) => {
    expect((await problems(`${head}${line}\n`)).join("\n")).toContain(`${message}, which does not exist`);
  });

  test("are not checked if they are patterns", async () => {
    await fixture.load(`${head}tools: [{ type: documents, name: a, source: "no/**/*.md" }]\n`);
  });
});

describe("names", () => {
  test("of two tools that are the same are an error with both positions", async () => {
    const tools =
      "tools:\n  - { type: function, name: a, file: tools.ts, function: lookup }\n  - { type: mcp, name: a, command: x }\n";
    expect(await problems(head + tools)).toEqual([
      '5:18: two tools are named "a": the other is at agent.yaml:4:23. Rename one of them.',
    ]);
  });

  test("of two test cases that are the same are an error", async () => {
    expect(await problems(`${head}test_cases: [{ name: a, input: b }, { name: a, input: c }]\n`)).toEqual([
      '3:39: two test cases are named "a": the other is at agent.yaml:3:16. Rename one of them.',
    ]);
  });
});

test("invalid rules are an error with their position", async () => {
  const [first] = await problems(`${head}policy: { rules: [{ tool: a, when: { id: "(" }, then: deny }] }\n`);
  expect(first).toMatch(/^3:\d+: policy\.rules\.0\.when\.id is not a regular expression/);
});

test("a variable that is not set is an error, unless only the host's configuration uses it", async () => {
  expect(await problems(`${head}description: "\${WHAT}"\n`)).toEqual([
    "3:14: the environment has no WHAT. Set it, or write ${WHAT:-default}.",
  ]);
  const agent = await fixture.load(`${head}model: { provider: openai, name: gpt, api_key: "\${KEY}" }\n`);
  expect(agent.sources.absent).toEqual({ "model.api_key": ["KEY"] });
  const azure = `model: { provider: azure_openai, name: a, endpoint: "\${URL}" }`;
  expect(await problems(`${head}${azure}\n`)).toEqual(["3:53: the environment has no URL. Set it."]);
});

test("a credential in the file is never shown, and a warning has its position", async () => {
  const yaml = `${head}model: { provider: openai, name: gpt, api_key: opensesame }\n`;
  const { warnings, values } = await fixture.load(yaml);
  expect(warnings).toEqual([
    "agent.yaml:3:48: model.api_key is a credential in the file itself. Put it into the environment, and write ${NAME}.",
  ]);
  expect(values).toMatchObject([{ value: "opensesame", shown: "(model.api_key)" }]);
});

test("an address with a password is redacted, and a warning has its position", async () => {
  const tools = 'tools: [{ type: mcp, name: a, transport: http, url: "https://ada:opensesame@mcp.example" }]';
  const { warnings, values } = await fixture.load(`${head}${tools}\n`);
  expect(warnings).toEqual([expect.stringContaining("tools.0.url is a credential in the file itself")]);
  expect(values).toEqual([
    { path: "tools.0.url", value: "https://ada:opensesame@mcp.example", shown: "(tools.0.url)", isOpen: true },
  ]);
});

test("a credential in a server's env_file is never shown", async () => {
  await fixture.write({ "server.env": 'API_TOKEN="open sesame"\nDEPTH=2\n' });
  const { values } = await fixture.load(`${head}tools: [{ type: mcp, name: a, command: x, env_file: server.env }]\n`);
  expect(values).toEqual([{ value: "open sesame", shown: "(tools.0.env_file: API_TOKEN)" }]);
});

describe("a ground truth of which a metric leaves nothing causes a warning that names the case", () => {
  const warningsOf = async (metric: string, truth: unknown, more = "") => {
    const metrics = `evaluations: [{ type: standard, metric: ${metric}${more} }]`;
    const { warnings } = await fixture.load(
      `${head}test_cases:\n  - { name: lamp, input: Hi, ground_truth: ${JSON.stringify(truth)}, ${metrics} }\n`,
    );
    return warnings;
  };

  test.each([
    ...["A", "The", "an", "?!", "the the."].map((truth) => ["exact_match", truth, "ignores articles and punctuation"]),
    ["f1", "The", "ignores articles and punctuation"],
    ["f1_score", "?!", "f1 ignores articles"],
    ["jaccard", "?!", "compares letters and digits"],
    ["rougeL", "?!", "compares letters and digits"],
    ["rouge2", "shipped", "compares pairs of words"],
    ["numeric", "soon", "numeric needs one number, and there is none. Write one number, or set its value."],
    ["numeric", "3 or 4", "there are 2"],
  ])("%s with the ground truth %j", async (metric, truth, reason) => {
    const [warning = "", ...others] = await warningsOf(metric, truth);
    expect(others).toEqual([]);
    expect(warning).toMatch(
      /^agent\.yaml:4:\d+: The ground truth ".*" of the test case "lamp" does not fit a metric: /,
    );
    expect(warning).toContain(JSON.stringify(truth));
    expect(warning).toContain(reason);
  });

  test("also among other accepted answers, and in a turn", async () => {
    expect(await warningsOf("exact_match", ["shipped", "The"])).toEqual([expect.stringContaining('truth "The" of')]);
    const turn = `{ input: Hi, ground_truth: A, evaluations: [{ type: standard, metric: f1 }] }`;
    const { warnings } = await fixture.load(`${head}test_cases: [{ turns: [${turn}] }]\n`);
    expect(warnings).toEqual([expect.stringContaining('The ground truth "A" of turn 1 of the test case "case 1"')]);
  });

  test("a value of the environment is not shown", async () => {
    const yaml = `${head}test_cases: [{ input: Hi, ground_truth: "\${TRUTH}", evaluations: [{ type: standard, metric: f1 }] }]\n`;
    const { warnings } = await fixture.load(yaml, { TRUTH: "The!?" });
    expect(warnings).toEqual([expect.stringContaining("The ground truth ${TRUTH} of")]);
  });

  test.each([
    ["exact_match", "A-1", ""],
    ["rouge1", "shipped", ""],
    ["bleu", "?!", ""],
    ["levenshtein", "?!", ""],
    ["exact_match", "The", ", enabled: false"],
    ["numeric", "about 3", ""],
    ["numeric", "soon", ", value: 3"],
  ])("but not %s with %j%s", async (metric, truth, more) => {
    expect(await warningsOf(metric, truth, more)).toEqual([]);
  });
});

describe("a setting without effect causes a warning with its position", () => {
  test.each([
    [
      "observability: { service_name: desk }",
      "3:1: observability has no effect: enabled is missing. Write enabled: true",
    ],
    [
      "embedding_provider: { provider: local, name: small }",
      "3:1: embedding_provider has no effect: no documents are searched by meaning. Set search_mode: hybrid",
    ],
  ])("%s", async (line, sentence) => {
    const { warnings } = await fixture.load(`${head}${line}\n`);
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
  });

  test("except for a disabled block; settings in use cause none", async () => {
    const used = `embedding_provider: { provider: local, name: small }\ntools: [{ type: vectorstore, name: a, source: . }]\n`;
    expect((await fixture.load(`${head}observability: { enabled: false, service_name: desk }\n`)).warnings).toEqual([]);
    expect((await fixture.load(`${head}observability: { enabled: true }\n${used}`)).warnings).toEqual([]);
  });
});

test("a limit of steps that is set twice is an error", async () => {
  expect(await problems(`${head}claude: { max_turns: 3 }\nexecution: { max_steps: 2 }\n`)).toEqual([
    "4:25: execution.max_steps sets the same limit as claude.max_turns. Keep one of them.",
  ]);
});

describe("a model", () => {
  test.each([
    [
      "{ provider: anthropic, name: a, auth_provider: session }",
      "model.auth_provider is session, which is of Claude Code.",
    ],
    [
      "{ provider: anthropic, runtime: claude-code, name: a, api_key: k }",
      "model.api_key is not for runtime: claude-code",
    ],
    [
      "{ provider: claude-code, name: a, endpoint: https://x.example }",
      "model.endpoint cannot be combined with auth_provider: session",
    ],
    ["{ provider: openai, name: a, region: b }", '"region" is a key of bedrock, but the provider is openai.'],
    ["{ provider: ollamma, name: a }", 'Did you mean "ollama"?'],
  ])("%s is refused", async (model, message) => {
    expect((await problems(`${head}model: ${model}\n`)).join("\n")).toContain(message);
  });

  test("of Claude Code ignores sampling, with a warning", async () => {
    const { warnings } = await fixture.load(
      `${head}model: { provider: claude-code, name: a, temperature: 0.5, top_p: 1 }\n`,
    );
    expect(warnings).toEqual([
      "agent.yaml:3:55: model.temperature has no effect: Claude Code does not support this setting. Remove it, or choose a model API.",
      "agent.yaml:3:67: model.top_p has no effect: Claude Code does not support this setting. Remove it, or choose a model API.",
    ]);
  });
});

describe("the error for a key or a form of other products says what to write instead", () => {
  const agents =
    /Write an entry with type: agent and the other agent's file\. On Claude Code, claude\.agents defines subagents\./;
  test.each<[yaml: string, message: string | RegExp]>([
    ["temperature: 1", '3:1: unknown key "temperature". It belongs to model.'],
    ["system_prompt: Help.", '3:1: unknown key "system_prompt". Write instructions: { inline: … }, or { file: … }.'],
    ["mcp_servers: {}", '3:1: unknown key "mcp_servers". Write an entry of tools with type: mcp for each server.'],
    ["subagents: []", agents],
    ["handoffs: []", agents],
    [
      "tools: [{ type: subagent, name: a }]",
      /type is subagent, which is not supported: write an entry with type: agent/,
    ],
    [
      "tools: [{ type: http, name: a }]",
      /"http", but must be one of function, mcp, documents, vectorstore, hierarchical_document, context, agent, acp\.$/,
    ],
    ["model: gpt-4o", "3:8: model is a text. Write it as { provider: …, name: … }, with the model as name."],
    ["model: { provider: openai, name: a, base_url: x }", '3:37: unknown key "base_url". Write endpoint.'],
    ["execution: { max_turns: 3 }", '3:14: unknown key "max_turns". Write max_steps.'],
    [
      "execution: { zebra: 3 }",
      '3:14: unknown key "zebra". Known here: llm_timeout, max_steps, max_depth, schema_retries, parallel_test_cases.',
    ],
    ["test_cases: [{ input: a, expected: b }]", '3:26: unknown key "expected". Write ground_truth.'],
    ["test_cases: [{ name: a, turns: [{ question: a }] }]", /unknown key "question"\. Write input\.$/],
    [
      "evaluations: { metrics: [{ type: standard, metric: bleu, min_score: 1 }] }",
      /unknown key "min_score"\. Write threshold\.$/,
    ],
    ["toString: 1", /unknown key "toString"\./],
  ])("%s", async (yaml, message) => {
    const expected = typeof message === "string" ? message : expect.stringMatching(message);
    expect(await problems(`${head}${yaml}\n`)).toContainEqual(expected);
  });

  test("instructions: Help.", async () => {
    expect(await problems("name: desk\ninstructions: Help.\n")).toEqual([
      "2:15: instructions is a text. Write it as { inline: … }, or a file with it as { file: … }.",
    ]);
  });
});
