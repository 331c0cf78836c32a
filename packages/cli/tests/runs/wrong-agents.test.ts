// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
/**
 * Tests that `agent validate`, `agent show`, `run` and `chat` use the same check: an agent that one of them rejects is rejected by all,
 * with the same message.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRuntime } from "@bridle/project";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";

type Files = Readonly<Record<string, string>>;

let top = "";
let model: Rehearsal;
beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "bridle-wrong-agents-"));
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] });
  model = await startRehearsal({ script });
});
afterAll(async () => {
  await model.close();
  rmSync(top, { recursive: true });
});

const module = `export const lookup = Object.assign(async () => "found", { description: "Finds." });`;
const head = "name: desk\ninstructions: { inline: Be kind. }\n";
const lookup = "{ type: function, name: lookup, file: tools.mjs, function: lookup, parameters: {} }";
const server = `{ type: mcp, name: m, command: sh, args: ["-c", "touch MARKER"] }`;
const onApi = "model: { provider: anthropic, name: m, api_key: k, endpoint: 'ADDRESS' }\n";
const onClaude = "model: { provider: claude-code, name: sonnet }\n";
const skill = (name: string) => `---\nname: ${name}\ndescription: Refunds\n---\nAsk first.\n`;

let count = 0;
function folder(files: Files) {
  count += 1;
  const [cwd, home] = [join(top, `${count}`, "project"), join(top, `${count}`, "home")];
  mkdirSync(home, { recursive: true });
  const marker = join(top, `${count}`, "ran");
  for (const [name, text] of Object.entries({ "bridle.yaml": "", "tools.mjs": module, ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text.replaceAll("ADDRESS", model.url).replaceAll("MARKER", marker));
  }
  return { cwd, home, ran: () => existsSync(marker) };
}

interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Runs the command with its real runtime, without a terminal. */
function ask(words: string, { cwd, home }: Place, hasTrust = false) {
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  return runCli(words.split(" "), { cwd, environment, createRuntime, hasTrust, stdin: "Hi" });
}

const ways = ["agent validate", "agent show", "run --agent agent.yaml Hi", "chat"];

/** Agents with one mistake each, and the expected message. */
const wrong: [what: string, agent: string, sentence: string, files?: Files][] = [
  [
    "a tool in a file of data",
    `${onApi}tools: [{ type: function, name: f, file: tool.json, function: f }]\n`,
    "The function file tool.json has the ending .json, so it cannot be loaded.",
    { "tool.json": "{}" },
  ],
  [
    "a parameter with a type of another language",
    `${onApi}tools: [{ type: function, name: f, file: tools.mjs, function: lookup, parameters: { euros: { type: float } } }]\n`,
    'The parameter euros of f has the type "float", which JSON Schema does not have. Write number.',
  ],
  [
    "the block of another host",
    `${onApi}claude: { max_turns: 3 }\n`,
    "agent.yaml:4:1: The block claude is for Claude Code, and this agent runs on anthropic.",
  ],
  [
    "an allowed tool that does not exist",
    `${onClaude}tools: [${lookup}]\nclaude: { allowed_tools: [lokup] }\n`,
    'claude.allowed_tools names the tool "lokup", which is not opened. Did you mean "lookup"?',
  ],
  [
    "a disallowed tool that does not exist",
    `${onClaude}tools: [${lookup}]\nclaude: { disallowed_tools: [lokup] }\n`,
    'claude.disallowed_tools names the tool "lokup", which is not opened.',
  ],
  [
    "a subagent with an unknown tool",
    `${onClaude}tools: [${lookup}]\nclaude: { agents: { a: { description: Helps., prompt: Help., tools: [lokup] } } }\n`,
    'claude.agents.a.tools names the tool "lokup", which the agent does not have.',
  ],
  [
    "a subagent with an empty prompt",
    `${onClaude}claude: { agents: { a: { description: Helps., prompt_file: a.md } } }\n`,
    "claude.agents.a.prompt_file is a.md, which is empty.",
    { "a.md": "\n" },
  ],
  [
    "two modes",
    `${onClaude}claude: { permission_mode: manual }\npolicy: { mode: auto }\n`,
    "claude.permission_mode is manual, and policy.mode is auto. Keep one of them.",
  ],
  [
    "an auth mode whose key is not in the environment",
    "model: { provider: claude-code, name: sonnet, auth_provider: api_key }\n",
    "model.auth_provider: api_key needs ANTHROPIC_API_KEY, which the environment does not have. Set it, or choose another auth_provider in agent.yaml.",
  ],
  [
    "an auth mode of bridle.yaml whose key is not in the environment",
    onClaude,
    "bridle.yaml:1:26: auth: oauth_token needs CLAUDE_CODE_OAUTH_TOKEN, which the environment does not have.",
    { "bridle.yaml": "llm: { provider: { auth: oauth_token } }" },
  ],
  [
    "a provider without its key",
    "model: { provider: anthropic, name: m }\n",
    "agent.yaml:3:1: backend: anthropic needs model.api_key, which is missing.",
  ],
  [
    "a key whose variable is not set",
    "model: { provider: anthropic, name: m, api_key: '${NO_SUCH_KEY}' }\n",
    "needs model.api_key, which is missing. Set NO_SUCH_KEY in the environment.",
  ],
  [
    "a key of bridle.yaml whose variable is not set",
    "model: { provider: anthropic, name: m }\n",
    "bridle.yaml:1:48: backend: anthropic needs llm.provider.apiKey, which is missing. Set NO_SUCH_KEY in the environment.",
    { "bridle.yaml": "llm: { provider: { backend: anthropic, apiKey: '${NO_SUCH_KEY}' } }" },
  ],
  [
    "no model at all",
    "",
    'No model is set for the role "default", and there is no default.',
    { "bridle.yaml": "llm: { provider: { backend: openai, apiKey: k, baseUrl: 'ADDRESS/v1' } }" },
  ],
  [
    "a model that the host does not know",
    "model: { provider: claude-code, name: sonet }\n",
    'model.name: The model "sonet" cannot be used: Claude Code does not know a model of that name. Did you mean sonnet',
  ],
  [
    "a variable in the instructions that is not set",
    "description: 'For ${NO_SUCH_CUSTOMER}'\n",
    "agent.yaml:3:14: the environment has no NO_SUCH_CUSTOMER.",
  ],
  [
    "documents by meaning without embeddings",
    `${onApi}tools: [{ type: documents, name: d, source: docs, search_mode: semantic }]\n`,
    "The documents d have search_mode semantic, which needs vectors, but no embeddings are configured.",
    { "docs/a.md": "text" },
  ],
  [
    "embeddings without their key",
    `${onApi}embedding_provider: { provider: openai, name: small }\ntools: [{ type: documents, name: d, source: docs, search_mode: hybrid }]\n`,
    "embeddings: openai needs embedding_provider.api_key, which is missing.",
    { "docs/a.md": "text" },
  ],
  [
    "embeddings whose package is not installed",
    `${onApi}embedding_provider: { provider: local, name: small }\ntools: [{ type: documents, name: d, source: docs, search_mode: hybrid }]\n`,
    "The embeddings run in this process (local), but the project does not have the package for it.",
    { "docs/a.md": "text" },
  ],
  ["a folder without skills", `${onApi}skills: [skills]\n`, "has no SKILL.md", { "skills/readme.md": "text" }],
  [
    "a skill without a description",
    `${onApi}skills: [skills]\n`,
    "has front matter that cannot be used",
    { "skills/a/SKILL.md": "---\nname: a\n---\ntext" },
  ],
  [
    "two tools of one name",
    `${onApi}skills: [skills]\ntools: [{ type: documents, name: load_skill, source: skills }]\n`,
    'tools.0 (line 5) and skills both have a tool named "load_skill". Rename one of them',
    { "skills/a/SKILL.md": skill("a") },
  ],
  [
    "a rule about an unknown tool",
    `${onApi}tools: [${lookup}]\npolicy: { rules: [{ tool: lokup, then: deny }] }\n`,
    'policy.rules.0.tool names the tool "lokup", which does not exist. Did you mean "lookup"?',
  ],
  [
    "an unknown tool that is disabled",
    `${onApi}tools: [${lookup}]\npolicy: { disable: [lokup] }\n`,
    'policy.disable.0 names the tool "lokup", which does not exist.',
  ],
  [
    "a rule of bridle.yaml about an unknown tool",
    `${onApi}tools: [${lookup}]\n`,
    'policy.rules.0.tool names the tool "lokup", which does not exist.',
    { "bridle.yaml": "policy: { rules: [{ tool: lokup, then: deny }] }" },
  ],
  [
    "a function without a description",
    `${onApi}tools: [${lookup.replace("lookup, parameters", "silent, parameters")}]\n`,
    'the export "silent" has no description. Write `description` in the agent file or in the module.',
    { "tools.mjs": "export const silent = async () => 1;" },
  ],
  [
    "a function that does not describe its input",
    `${onApi}tools: [${lookup.replace(", parameters: {}", "")}]\n`,
    'the export "lookup" does not describe its input.',
  ],
  [
    "a function that the module does not export",
    `${onApi}tools: [{ type: function, name: f, file: tools.mjs, function: lokup, parameters: {} }]\n`,
    'the module has no export named "lokup". Did you mean "lookup"?',
  ],
  [
    "a module that fails when it is loaded",
    `${onApi}tools: [${lookup}]\n`,
    "no database",
    { "tools.mjs": 'throw new Error("no database");' },
  ],
  [
    "a Python function that is not there",
    `${onApi}tools: [{ type: function, name: f, file: tools.py, function: find }]\n`,
    "find",
    { "tools.py": "def look() -> str:\n  return ''\n" },
  ],
  [
    "a nested agent whose function has no description",
    `${onApi}tools: [{ type: agent, name: helper, file: helper.yaml }]\n`,
    'the export "silent" has no description.',
    {
      "tools.mjs": "export const silent = async () => 1;",
      "helper.yaml": `${head}${onApi}tools: [{ type: function, name: f, file: tools.mjs, function: silent, parameters: {} }]\n`,
    },
  ],
  [
    "a server whose program is not installed",
    `${onApi}tools: [{ type: mcp, name: m, command: no-such-program }]\n`,
    "The MCP server m cannot be used: spawn no-such-program ENOENT. Check that no-such-program with its args runs",
  ],
  [
    "a server whose env_file is not there",
    `${onApi}tools: [{ type: mcp, name: m, command: sh, env_file: none.env }]\n`,
    "tools.0.env_file names none.env, which does not exist.",
  ],
  ["a bridle.yaml that cannot be used", onApi, 'bridle.yaml:1:1: unknown key "lm"', { "bridle.yaml": "lm: {}" }],
];

test.each<[what: string, agent: string, sentence: string, files?: Files]>(wrong)(
  "an agent with %s is refused by every command in the same words",
  async (_what, agent, sentence, files) => {
    const place = folder({ ...files, "agent.yaml": head + agent });
    for (const words of ways) {
      const { code, stderr } = await ask(words, place);
      expect({ words, stderr }).toEqual({ words, stderr: expect.stringContaining(sentence) });
      expect({ words, code }).not.toEqual({ words, code: 0 });
    }
  },
);

/** Valid agents that look like invalid ones. */
const right: [what: string, agent: string, files?: Files][] = [
  ["a tool in JavaScript", `${onApi}tools: [${lookup}]\n`],
  [
    "a parameter with a type of JSON Schema",
    `${onApi}tools: [{ type: function, name: f, file: tools.mjs, function: lookup, parameters: { euros: { type: number } } }]\n`,
  ],
  [
    "a model of bridle.yaml",
    "",
    {
      "bridle.yaml": "llm: { provider: { backend: anthropic, apiKey: k, baseUrl: 'ADDRESS' }, models: { default: m } }",
    },
  ],
  ["documents by words", `${onApi}tools: [{ type: documents, name: d, source: docs }]\n`, { "docs/a.md": "text" }],
  [
    "documents by meaning with embeddings of bridle.yaml",
    `${onApi}tools: [{ type: documents, name: d, source: docs, search_mode: semantic }]\n`,
    { "docs/a.md": "text", "bridle.yaml": "embeddings: { backend: openai, model: small, apiKey: k }" },
  ],
  ["skills", `${onApi}skills: [skills]\n`, { "skills/a/SKILL.md": skill("a") }],
  [
    "rules about its tools",
    `${onApi}tools: [${lookup}]\npolicy: { disable: [lookup], rules: [{ tool: lookup, then: ask }, { tool: read_result, then: allow }] }\n`,
  ],
  [
    "rules about other tools, but none of its own",
    onApi,
    { "bridle.yaml": "policy: { rules: [{ tool: other, then: deny }] }" },
  ],
];

test.each<[what: string, agent: string, files?: Files]>(right)(
  "an agent with %s is accepted by every command",
  async (_what, agent, files) => {
    const place = folder({ ...files, "agent.yaml": head + agent });
    for (const words of ways) {
      const { code, stderr } = await ask(words, place);
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: expect.not.stringMatching(/^agent\.yaml:/m) });
    }
  },
);

describe("what only opening a server shows", () => {
  const late = `${onClaude}tools: [${server}]\nclaude: { allowed_tools: [of_the_server] }\npolicy: { rules: [{ tool: of_the_server, then: ask }] }\n`;

  test("is not a mistake for agent validate, which starts nothing", async () => {
    const place = folder({ "agent.yaml": head + late });
    expect(await ask("agent validate", place)).toMatchObject({ code: 0 });
    expect(place.ran()).toBe(false);
    await ask("agent show", place);
    expect(place.ran()).toBe(true); // verifies that the trap works
  });

  test("is not looked up if the file has another mistake", async () => {
    const place = folder({ "agent.yaml": `${head}${onApi}claude: {}\ntools: [${server}]\n` });
    const { code, stdout, stderr } = await ask("agent show", place);
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("The file has problems, so no tool") });
    expect(stderr).toContain("The block claude is for Claude Code");
    expect(await ask("run --agent agent.yaml Hi", place)).toMatchObject({ code: 3 });
    expect(place.ran()).toBe(false);
  });
});

describe("a folder that is not trusted", () => {
  const agent = `${head}model: { provider: anthropic, name: m, api_key: '\${NO_SUCH_KEY}', endpoint: 'ADDRESS' }\ntools: [${server}]\n`;

  test.each(["agent validate", "agent show"])(
    "%s shows what it would do and what is missing, and runs nothing",
    async (words) => {
      const place = folder({ "agent.yaml": agent });
      const { code, stdout, stderr } = await ask(words, place, true);
      expect(code).toBe(3);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain("requests with their credentials to http://127.0.0.1");
      expect(stdout).toContain("sh -c");
      expect(stderr).toContain("Set NO_SUCH_KEY in the environment.");
      expect(place.ran()).toBe(false);
    },
  );

  test.each(["agent validate", "agent show"])(
    "%s reads no skill outside of the folder until it is trusted",
    async (words) => {
      const place = folder({
        "agent.yaml": `${head}${onApi}skills: [../private]\n`,
        "../private/SKILL.md": "no skill",
      });
      expect((await ask(words, place, true)).stderr).not.toContain("SKILL.md");
      expect((await ask(words, place)).stderr).toContain("SKILL.md has no front matter");
    },
  );
});

test("agent validate --json has every mistake of settings and tools, each with its line", async () => {
  const place = folder({
    "agent.yaml": `${head}model: { provider: anthropic, name: m }\ntools:\n  - { type: function, name: f, file: a.json, function: f }\n  - { type: documents, name: d, source: ., search_mode: semantic }\n`,
    "a.json": "{}",
  });
  const { code, stdout } = await ask("agent validate --json", place);
  const { ok, problems, agent } = JSON.parse(stdout);
  expect({ code, ok, agent }).toEqual({ code: 3, ok: false, agent: null });
  expect(problems.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`)).toEqual([
    "agent.yaml:3",
    "agent.yaml:5",
    "agent.yaml:6",
  ]);
});
