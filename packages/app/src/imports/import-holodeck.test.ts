// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readHolodeckConfig } from "./holodeck-config.ts";
import { importHolodeckAgent, importHolodeckCases } from "./import-holodeck.ts";

const head = "name: desk\nmodel: { provider: ollama, name: m }\ninstructions: { inline: Be kind. }\n";
const tool = (rest: string, type = "hierarchical_document") =>
  `${head}embedding_provider: { provider: ollama, name: e }\ntools: [{ type: ${type}, name: a, source: docs, ${rest} }]\n`;

/** Returns the changed value, and the fields of all changes. */
function imported(text: string, config = "") {
  const { text: changed, edits } = importHolodeckAgent(text, readHolodeckConfig(config));
  return { value: parse(changed), fields: edits.map(({ field }) => field) };
}

const metric = (given: string) => `${head}evaluations: { metrics: [{ ${given} }] }\n`;
const changes: readonly (readonly [title: string, text: string, expected: object])[] = [
  [
    "a tolerance of a metric that does not compare numbers is removed",
    metric("type: standard, metric: equality, relative_tolerance: 0.01, response_path: n"),
    { evaluations: { metrics: [{ type: "standard", metric: "equality", response_path: "n" }] } },
  ],
  [
    "a path in the answer is removed from a judge",
    metric("type: geval, name: g, criteria: Good., response_path: n, strip_whitespace: true"),
    { evaluations: { metrics: [{ type: "geval", name: "g", criteria: "Good." }] } },
  ],
  [
    "another database is the embedded one",
    tool("database: { provider: qdrant }"),
    { tools: [{ database: "embedded" }] },
  ],
  [
    "a named store of another kind is the embedded one",
    tool("database: chroma"),
    { tools: [{ database: "embedded" }] },
  ],
  [
    "a source at an address is the path of a copy",
    tool("search_mode: hybrid").replace("source: docs", '"source": "https://files.example/faq/all.pdf?key=1"'),
    { tools: [{ source: "data/all.pdf" }] },
  ],
  [
    "a folder of a bucket is a folder",
    tool("search_mode: hybrid").replace("source: docs", '"source": "s3://bucket/faq/"'),
    { tools: [{ source: "data/faq" }] },
  ],
  [
    "the weight of exact words is added to that of words",
    tool("search_mode: hybrid, keyword_weight: 0.3, exact_weight: 0.2"),
    { tools: [{ keyword_weight: 0.5 }] },
  ],
  [
    "a search for exact words is a search for words",
    tool("search_mode: exact"),
    { tools: [{ search_mode: "keyword" }] },
  ],
  [
    "embeddings of the model's provider are named",
    `${head}tools: [{ type: vectorstore, name: a, source: docs, embedding_model: e }]\n`,
    { embedding_provider: { provider: "ollama", name: "e" } },
  ],
  [
    "a model without a key names the variable that HoloDeck reads",
    head.replace("ollama", "openai"),
    { model: { api_key: "${OPENAI_API_KEY}" } },
  ],
  [
    "Anthropic's models run on Claude Code if their credential is its own",
    head.replace("provider: ollama", "provider: anthropic, auth_provider: oauth_token"),
    { model: { runtime: "claude-code", auth_provider: "oauth_token" } },
  ],
  [
    "a deprecated metric is its replacement",
    metric("type: standard, metric: groundedness, threshold: 0.8"),
    { evaluations: { metrics: [{ type: "rag", metric_type: "faithfulness", threshold: 0.8 }] } },
  ],
  [
    "a deprecated judge is criteria",
    metric("metric: coherence"),
    { evaluations: { metrics: [{ type: "geval", name: "coherence", criteria: expect.any(String) }] } },
  ],
  [
    "a metric without a type is a standard one",
    metric("metric: bleu"),
    { evaluations: { metrics: [{ type: "standard" }] } },
  ],
  [
    "a grader is a file and a function",
    metric('type: code, grader: "graders.exact:check"'),
    { evaluations: { metrics: [{ name: "check", file: "graders/exact.py", function: "check" }] } },
  ],
  [
    "an expression matches the whole argument",
    `${head}test_cases: [{ input: a, expected_tools: [{ name: b, args: { c: { regex: d|e } } }] }]\n`,
    { test_cases: [{ expected_tools: [{ args: { c: { regex: "^(?:d|e)$" } } }] }] },
  ],
  [
    "the least number of calls is at_least",
    `${head}test_cases: [{ input: a, expected_tools: [b, { name: c, count: 2 }] }]\n`,
    { test_cases: [{ expected_tools: ["b", { name: "c", at_least: 2 }] }] },
  ],
  [
    "a metric of a case that is only a name is a mapping",
    `${head}test_cases: [{ input: a, evaluations: [f1_score] }]\n`,
    { test_cases: [{ evaluations: [{ type: "standard", metric: "f1_score" }] }] },
  ],
  [
    "a threshold on another scale is a share",
    metric("type: standard, metric: coherence, threshold: 4, scale: 5"),
    { evaluations: { metrics: [{ threshold: 0.8 }] } },
  ],
  [
    "the context of a judge is the retrieved text",
    metric("type: geval, name: a, criteria: b, evaluation_params: [context, actual_output, retrieval_context]"),
    { evaluations: { metrics: [{ evaluation_params: ["retrieval_context", "actual_output"] }] } },
  ],
  [
    "instructions that are only a text are inline",
    head.replace("{ inline: Be kind. }", "Be kind."),
    { instructions: { inline: "Be kind." } },
  ],
  [
    "an address of Azure that is missing is the variable that HoloDeck reads",
    head.replace("ollama", "azure_openai"),
    { model: { endpoint: "${AZURE_OPENAI_ENDPOINT}", api_key: "${AZURE_OPENAI_API_KEY}" } },
  ],
  [
    "a token for an own endpoint is a key of Claude Code",
    head.replace("provider: ollama", "provider: anthropic, auth_provider: custom, endpoint: https://own.example"),
    { model: { runtime: "claude-code", auth_provider: "api_key", endpoint: "https://own.example" } },
  ],
  [
    "names of Claude Code's tools are its own",
    `${head}claude: { web_search: true, allowed_tools: [desk, web-search] }\n`,
    { claude: { allowed_tools: ["desk", "WebSearch"] } },
  ],
  [
    "the tools of a server that the configuration of the server names are in tools",
    `${head}tools: [{ type: mcp, name: files, command: npx, config: { allowed_tools: [read] } }]\n`,
    { tools: [{ tools: ["read"] }] },
  ],
  [
    "the limits of the OpenAI backend are those of every host",
    `${head}openai: { max_turns: 20, disallowed_tools: [drop] }\n`,
    { execution: { max_steps: 20 }, policy: { disable: ["drop"] } },
  ],
  [
    "spans are sent over HTTP to its port",
    `${head}observability: { enabled: true, exporters: { otlp: { endpoint: "http://c.example:4317" } } }\n`,
    { observability: { exporters: { otlp: { protocol: "http", endpoint: "http://c.example:4318" } } } },
  ],
];

test.each(changes)("of the import of a file of HoloDeck: %s", (_title, text, expected) => {
  expect(imported(text).value).toMatchObject(expected);
});

test("a named store that Bridle has stays, and so does a file without anything to change", () => {
  const config = readHolodeckConfig('vectorstores: { shared: { provider: postgres, connection_string: "${URL}" } }');
  const text = tool("database: shared   , search_mode: hybrid");
  expect(importHolodeckAgent(text, config)).toEqual({ text, edits: [] });
});

const shared = `providers:
  fast: { provider: ollama, name: other }
  openai: { name: gpt, api_key: "\${KEY}", temperature: 0.2, organization: none }
mcp_servers: [{ type: mcp, name: notes, command: npx }, { type: mcp, name: files, command: uvx }]
execution: { llm_timeout: 60, cache_enabled: true }
`;

test("what the file leaves out is taken from config.yaml, as HoloDeck does", () => {
  const text = `name: desk
model: { provider: openai, temperature: 0 }
instructions: { inline: Be kind. }
tools: [{ type: mcp, name: files, command: npx }]
evaluations: { model: { provider: ollama }, metrics: [{ type: standard, metric: bleu }] }
`;
  const { value, fields } = imported(text, shared);
  expect(value.model).toEqual({ provider: "openai", temperature: 0, name: "gpt", api_key: "${KEY}" });
  expect(value.evaluations.model).toEqual({ provider: "ollama", name: "other" });
  expect(value.execution).toEqual({ llm_timeout: 60 });
  expect(value.tools).toEqual([
    { type: "mcp", name: "files", command: "npx" },
    { type: "mcp", name: "notes", command: "npx" },
  ]);
  expect(fields).toContain("model.name");
  expect(imported(head, "- no mapping").fields).toEqual([]);
});

test("settings that are null are left out, except a response format", () => {
  const { value, fields } = imported(
    `${head}response_format: null\nauthor: null\nexecution: { llm_timeout: null }\ntest_cases: [{ input: a, ground_truth: null }]\n`,
  );
  expect(value).toMatchObject({ response_format: null, execution: {}, test_cases: [{ input: "a" }] });
  expect(fields).toEqual(["author", "execution.llm_timeout", "test_cases.0.ground_truth"]);
});

test("a function gets annotations to fill in, and one that has them keeps them", () => {
  const { text, edits } = importHolodeckAgent(`${head}tools:
  - type: function
    name: refund
    file: tools.py
    function: refund
  - { type: function, name: look, file: tools.py, function: look, annotations: { read_only: true } }
`);
  expect(text).toContain(
    "    function: refund\n    # To fill in, for bridle test: read_only: true, if a call changes nothing.\n    annotations: {}\n",
  );
  expect(edits).toEqual([
    {
      line: 0,
      field: "tools.0.annotations",
      change: "is new: {}",
      reason: expect.stringMatching(/bridle test denies its calls\. Write read_only: true .*--allow-side-effects/),
    },
  ]);
});

describe("parts of HoloDeck that Bridle does not have", () => {
  test("an optimizer, and evaluations without a metric, are removed", () => {
    const evaluations = (rest: string) => imported(`${head}evaluations: { metrics: [], ${rest} }\n`).value.evaluations;
    expect(evaluations("model: null")).toBeUndefined();
    const text = metric("type: standard, metric: bleu").replace("] }", "], optimizer: { loss: { bleu: 1 } } }");
    expect(imported(text).value.evaluations).toEqual({ metrics: [{ type: "standard", metric: "bleu" }] });
  });

  test("tools that nothing can call stay as comments in their place, and folders of skills are named", () => {
    const { text, edits } = importHolodeckAgent(`${head}tools:
  # Search
  - type: hosted
    name: web # runs elsewhere
    tool: WebSearchTool
    # inside
  # Sums
  - { type: function, name: add, file: a.py, function: add }
  # Texts
  - type: prompt
    name: sum
    template: Sum up {{text}}.
  - type: skill
    name: research
    path: skills/research
  - { type: mcp, name: live, transport: websocket, url: wss://live.example }
`);
    expect(text).toBe(`${head}tools:
  # Search
  # Not used by Bridle:
  #   - type: hosted
  #     name: web # runs elsewhere
  #     tool: WebSearchTool
  #     # inside
  # Sums
  - { type: function, name: add, file: a.py, function: add, annotations: {} }
  # Texts
  # Not used by Bridle:
  #   - type: prompt
  #     name: sum
  #     template: Sum up {{text}}.
  # Not used by Bridle:
  #   - type: skill
  #     name: research
  #     path: skills/research
  # Not used by Bridle:
  #   - { type: mcp, name: live, transport: websocket, url: wss://live.example }
skills:
  - skills/research
`);
    expect(edits.map(({ line, field }) => [line, field])).toEqual([
      [6, "tools.0"],
      [13, "tools.2"],
      [16, "tools.3"],
      [19, "tools.4"],
      [0, "tools.1.annotations"],
      [0, "skills"],
    ]);
    expect(edits[2]?.reason).toContain("type: agent");
  });

  test("agents of the OpenAI backend are to be written in files", () => {
    const { text, edits } = importHolodeckAgent(
      `${head}openai:\n  agents: { helper: { description: a, prompt: b } }\n  permissions: { disallowed_tools: [drop] }\n`,
    );
    expect(edits[0]).toMatchObject({ field: "openai", reason: expect.stringContaining("type: agent") });
    expect(parse(text).policy).toEqual({ disable: ["drop"] });
  });
});

test("acceptAll becomes rules for the tools that the file names, and not for those of its servers", () => {
  const { value } = imported(
    `${head}claude: { permission_mode: acceptAll, web_search: true }\ntools: [{ type: function, name: add, file: a.py, function: add }, { type: mcp, name: files, command: npx }]\n`,
  );
  expect(value).toMatchObject({
    claude: { web_search: true },
    policy: {
      rules: [
        { tool: "add", then: "allow" },
        { tool: "WebSearch", then: "allow" },
      ],
    },
  });
  expect(value.claude.permission_mode).toBeUndefined();
});

describe("the text of an imported file", () => {
  const text = `# The desk.
name: desk # its name
model: { provider: ollama, name: m }
instructions: { inline: Be kind. }
execution:
  # as long as it takes
  llm_timeout: 60
  file_timeout: 30 # for large files
deployment:
  registry: { password: typed }

# Tests
test_cases: [{ input: a }]
`;

  test("keeps its comments, and removed lines as comments in their place", () => {
    expect(importHolodeckAgent(text).text).toBe(`# The desk.
name: desk # its name
model: { provider: ollama, name: m }
instructions: { inline: Be kind. }
execution:
  # as long as it takes
  llm_timeout: 60
  # Not used by Bridle:
  #   file_timeout: 30 # for large files

# Not used by Bridle:
#   deployment:
#     registry: { password: typed }
# Tests
test_cases: [ { input: a } ]
`);
  });

  test("keeps the comments of what is replaced, and a replaced mapping", () => {
    const search = `${head}embedding_provider: { provider: ollama, name: e }
tools:
  - type: vectorstore # by meaning
    name: a
    source: docs
    # The store
    database:
      provider: qdrant # the cloud
    top_k: 3
observability:
  exporters:
    otlp:
      protocol: grpc # faster
`;
    const { text: changed } = importHolodeckAgent(search);
    expect(changed).toContain(`    # The store
    # Not used by Bridle:
    #   database:
    #     provider: qdrant # the cloud
    database: embedded
    top_k: 3
`);
    expect(changed).toContain("protocol: http # faster");
  });

  test("has a report with lines and reasons, and without typed credentials", () => {
    const { edits } = importHolodeckAgent(text);
    expect(edits).toEqual([
      {
        line: 8,
        field: "execution.file_timeout",
        change: "is removed; it was 30",
        reason: expect.stringContaining("."),
      },
      {
        line: 9,
        field: "deployment",
        reason: expect.stringContaining("container"),
        change: 'is removed; it was {"registry":{"password":"…"}}',
      },
    ]);
  });
});

test("cases in a file of their own are imported as a list or as a mapping", () => {
  const expected = "args: { c: { regex: ^(?:d)$ } }";
  const cases = "- input: a\n  expected_tools: [{ name: b, args: { c: { regex: d } } }]\n";
  expect(importHolodeckCases(cases).text).toContain(expected);
  expect(importHolodeckCases(`test_cases:\n${cases}`).text).toContain(expected);
});

test("a file that is not a mapping is refused", () => {
  expect(() => importHolodeckAgent("- a\n")).toThrow("it is not a mapping");
});
