// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { importHolodeckAgent, importHolodeckCases } from "./import-holodeck.ts";

const head = "name: desk\nmodel: { provider: ollama, name: m }\ninstructions: { inline: Be kind. }\n";
const tool = (rest: string, type = "hierarchical_document") =>
  `${head}embedding_provider: { provider: ollama, name: e }\ntools: [{ type: ${type}, name: a, source: docs, ${rest} }]\n`;

/** The changed value, and the fields of all changes. */
function imported(text: string, stores = {}) {
  const { text: changed, edits } = importHolodeckAgent(text, stores);
  return { value: parse(changed), fields: edits.map(({ field }) => field) };
}

const metric = (given: string) => `${head}evaluations: { metrics: [{ ${given} }] }\n`;
const changes: readonly (readonly [title: string, text: string, expected: object])[] = [
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
  const stores = { shared: { provider: "postgres", connection_string: "${URL}" } };
  const text = tool("database: shared   , search_mode: hybrid");
  expect(importHolodeckAgent(text, stores)).toEqual({ text, edits: [] });
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
        ...{ line: 9, field: "deployment", reason: expect.stringContaining("container") },
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
