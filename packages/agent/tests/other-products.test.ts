// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** A HoloDeck file, which has the same field names as an agent file. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentFileError, agentEmbeddings, describeAgent } from "../src/index.ts";
import { type AgentFixture, createAgentFixture } from "./agent-fixture.ts";

const usual = `name: support-agent
description: Answers questions of customers
author: Ada
model:
  provider: anthropic
  name: claude-sonnet-4-5
  temperature: 0.3
  max_tokens: 1000
  top_p: 0.9
  api_key: "\${ANTHROPIC_API_KEY}"
instructions:
  file: prompts/system.md
response_format: null
tools:
  - type: vectorstore
    name: knowledge
    description: What the shop knows
    source: data/faq
    search_mode: keyword
    chunk_size: 512
    chunk_overlap: 50
    top_k: 5
    min_similarity_score: 0.1
  - type: mcp
    name: files
    description: Files of the shop
    transport: stdio
    command: npx
    args: ["-y", "some-server", "./data"]
    env: { ROOT: ./data }
    request_timeout: 30
    load_tools: true
embedding_provider:
  provider: openai
  name: text-embedding-3-small
  api_key: "\${OPENAI_API_KEY}"
test_cases:
  - name: return policy
    input: How long may I return a lamp?
    expected_tools: [knowledge]
    ground_truth: Thirty days.
    evaluations:
      - { type: standard, metric: f1_score, threshold: 0.4 }
  - name: two turns
    turns:
      - { input: Hello, ground_truth: Hello }
      - { input: "And lamps?", expected_tools: [{ name: knowledge, args: { query: { fuzzy: lamp } }, count: 1 }] }
evaluations:
  model: { provider: anthropic, name: claude-haiku-4-5, api_key: "\${ANTHROPIC_API_KEY}" }
  metrics:
    - { type: standard, metric: bleu, threshold: 0.4 }
    - { type: geval, name: Helpful, criteria: The answer helps., evaluation_params: [input, actual_output], strict_mode: true }
    - { type: rag, metric_type: faithfulness, threshold: 0.7, include_reason: true }
execution:
  llm_timeout: 60
observability:
  enabled: false
  service_name: support
  traces: { enabled: true, sample_rate: 1.0, capture_content: false }
  exporters: { otlp: { enabled: true, endpoint: "http://localhost:4318", protocol: http } }
`;

/** HoloDeck features that Bridle does not have, and their errors. */
const odd: readonly (readonly [string, RegExp])[] = [
  ["deployment: { registry: { url: x } }", /deployment is not supported: .* your own container/],
  [
    "tools: [{ type: prompt, name: a, description: b, template: c }]",
    /tools\.0\.type is prompt, which is not supported/,
  ],
  [
    "tools: [{ type: subagent, name: researcher }]",
    /tools\.0\.type is subagent, which is not supported: write an entry with type: agent and the other agent's file\./,
  ],
  [
    "tools: [{ type: hosted, name: web, tool: WebSearchTool, params: { a: b } }]",
    /tools\.0\.type is hosted, which is not supported: the provider would run it/,
  ],
  [
    "tools: [{ type: skill, name: sum, instructions: Sum up. }]",
    /tools\.0\.type is skill, which is not supported: .* name that folder in skills/,
  ],
  [
    "tools: [{ type: zebra, name: a }]",
    /tools\.0\.type is "zebra", but must be one of function, mcp, documents, vectorstore, hierarchical_document, context, agent, acp\./,
  ],
  [
    "evaluations: { metrics: [{ type: standard, metric: bleu }], optimizer: { loss: { bleu: 1 } } }",
    /evaluations\.optimizer is not supported: .* bridle test compare/,
  ],
  ["zebra: 1", /unknown key "zebra"\. None of the \d\d keys that are known here is similar; the reference has them/],
  [
    "tools: [{ type: function, name: a, file: prompts/system.md, function: f, parameters: [] }]",
    /tools\.0\.parameters/,
  ],
  [
    "tools: [{ type: vectorstore, name: a, source: data/faq, database: { provider: pinecone } }]",
    /database\.provider is pinecone, which Bridle has no store for\. Write database: embedded/,
  ],
  ["tools: [{ type: hierarchical_document, name: a, source: data/faq, defer_loading: true }]", /defer_loading/],
  [
    "tools: [{ type: documents, name: a, source: s3://bucket/faq }]",
    /tools\.0\.source is an address, but Bridle downloads nothing\. Download it/,
  ],
  ["tools: [{ type: hierarchical_document, name: a, source: data/faq, enable_reranking: true }]", /enable_reranking/],
  [
    "tools: [{ type: mcp, name: a, transport: websocket, url: wss://x.example }]",
    /transport is not supported as websocket/,
  ],
  ["execution: { cache_enabled: true }", /execution\.cache_enabled is not supported/],
  [
    "evaluations: { metrics: [{ type: standard, metric: groundedness }] }",
    /metric is groundedness, which Bridle does not have\. Use the type rag with faithfulness/,
  ],
  [
    "test_cases: [{ input: a, files: [{ path: data/faq/a.md, type: excel, sheet: Prices }] }]",
    /sheet is not supported: export the sheet as CSV\./,
  ],
];

let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await createAgentFixture({
    "prompts/system.md": "Be kind.\n",
    "data/faq/a.md": "# Returns\n\nThirty days.\n",
  });
});
afterAll(() => fixture.close());

test("a common file of another product loads, without the variables that only a host needs", async () => {
  const agent = await fixture.load(usual);
  expect(agent.config).toMatchObject({ name: "support-agent", tools: [{ type: "vectorstore" }, { type: "mcp" }] });
  expect(agent.warnings).toEqual([expect.stringContaining("embedding_provider has no effect: no documents are")]);
});

test("a tool filter of another product is a warning, unless it is switched off", async () => {
  const head = "name: desk\ninstructions: { inline: Be kind. }\n";
  const agent = await fixture.load(`${head}tool_filtering: { enabled: true, top_k: 5, search_method: hybrid }\n`);
  expect(agent.warnings).toEqual([
    expect.stringMatching(/^agent\.yaml:3:\d+: tool_filtering has no effect: .*List fewer tools/),
  ]);
  expect((await fixture.load(`${head}tool_filtering: { enabled: false }\n`)).warnings).toEqual([]);
});

test("a response format of OpenAI is its JSON Schema", async () => {
  const head = "name: desk\ninstructions: { inline: Be kind. }\nresponse_format: ";
  const schema = { type: "object", properties: { a: { type: "string" } } };
  for (const format of [
    { json_schema: { name: "answer", strict: true, schema } },
    { schema },
    { json_schema: schema },
  ]) {
    const { responseFormat } = await fixture.load(`${head}${JSON.stringify({ type: "json_schema", ...format })}\n`);
    expect(responseFormat).toEqual(schema);
  }
  await expect(fixture.load(`${head}{ type: json_schema }\n`)).rejects.toThrow("response_format has no type");
});

test("embeddings without a model use the usual model of their provider", async () => {
  const head = "name: desk\ninstructions: { inline: Be kind. }\n";
  const tool = "tools: [{ type: vectorstore, name: a, source: data/faq }]\n";
  const settings = async (given: string) =>
    agentEmbeddings(await fixture.load(`${head}${tool}embedding_provider: ${given}\n`))?.settings;
  expect(await settings("{ provider: openai }")).toMatchObject({ backend: "openai", model: "text-embedding-3-small" });
  expect(await settings("{ provider: ollama }")).toMatchObject({ backend: "ollama", model: "nomic-embed-text" });
  expect(await settings("{ provider: openai, name: other }")).toMatchObject({ model: "other" });
  await expect(settings("{ provider: azure_openai, endpoint: https://r.example }")).rejects.toThrow(
    "embedding_provider.name is missing",
  );
});

test("a file of another product is described without a server", async () => {
  const alone = usual.replace(/ {2}- type: mcp[\s\S]*?(?=embedding_provider)/, "");
  const told = await describeAgent(await fixture.load(alone), { projectDir: fixture.folder });
  expect(told).toMatchObject({
    backend: "anthropic",
    model: "claude-sonnet-4-5",
    testCases: 2,
    limits: { seconds: 60 },
    settings: { temperature: 0.3, top_p: 0.9, max_tokens: 1000 },
    tools: [{ name: "knowledge", kind: "vectorstore", annotations: { readOnly: true } }],
  });
});

describe("unsupported features of another product are refused with the field's name", () => {
  test.each(odd)("%s", async (line, sentence) => {
    const yaml = `name: desk\ninstructions: { inline: Be kind. }\n${line}\n`;
    const failed = await fixture.load(yaml).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AgentFileError);
    expect(failed instanceof AgentFileError && failed.message).toMatch(sentence);
  });
});
