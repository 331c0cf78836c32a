import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AgentFileError } from "../src/index.ts";
import { type AgentFixture, createAgentFixture } from "./agent-fixture.ts";

let fixture: AgentFixture;
beforeAll(async () => {
  fixture = await createAgentFixture();
});
afterAll(() => fixture.close());

const agent = "name: desk\ninstructions: { inline: Be kind. }\n";

async function problemsOf(yaml: string): Promise<string> {
  const failed = await fixture.load(agent + yaml).catch((error: unknown) => error);
  return failed instanceof AgentFileError ? failed.problems.map(({ message }) => message).join("\n") : "";
}

const metric = (text: string) => `evaluations: { metrics: [{ type: standard, metric: ${text} }] }`;
const tools = (text: string) => `test_cases: [{ input: Where is it?, expected_tools: ${text} }]`;

const refused: readonly [yaml: string, problem: string][] = [
  [metric("contains"), "metrics.0.value is missing, and the metric contains needs it. Write the text"],
  [metric("contains, value: [12, chairs]"), "none of them empty. Write numbers in quotation marks"],
  [metric('contains, value: ["", a]'), "value has to be a text or a list of texts, none of them empty"],
  [metric("contains, value: 3"), "value has to be a text or a list of texts"],
  [metric("contains, value: []"), "value has to be a text or a list of texts"],
  [metric('regex, value: "("'), "value is not valid: Invalid regular expression"],
  [metric("regex, value: 3"), "value has to be a regular expression"],
  [metric("numeric, value: three"), "value has to be a number"],
  [metric("response_path"), "path is missing"],
  [metric("json_schema"), "schema is missing"],
  [
    metric("latency"),
    "threshold is missing, and the metric latency needs it. Write the most seconds that a turn may take.",
  ],
  [metric("cost"), "threshold is missing, and the metric cost needs it. Write the most US dollars"],
  [metric("steps"), "threshold is missing, and the metric steps needs it. Write the most model responses"],
  [metric("bleu, threshold: 1.5"), "threshold is more than 1, but scores of bleu are from 0 to 1"],
  [
    metric("bleu, value: a"),
    "value is not a setting of bleu: contains, regex, numeric, equality, response_path have it. Remove it.",
  ],
  [metric("contains, value: a, path: b"), "path is not a setting of contains: response_path has it"],
  [metric("bleu, schema: {}"), "schema is not a setting of bleu"],
  [metric("contains, value: a, tolerance: 1"), "tolerance is not a setting of contains"],
  [metric("f1, stemming: true"), "stemming is not a setting of f1"],
  [
    "evaluations: { metrics: [{ type: geval, name: a, criteria: b, evaluation_params: [context] }] }",
    "is context, which a case does not have. Write retrieval_context",
  ],
  ['test_cases: [{ name: "a\\nb", input: b }]', "test_cases.0.name contains a line break"],
  [`test_cases: [{ name: ${"a".repeat(201)}, input: b }]`, "test_cases.0.name"],
  ["test_cases: [{ name: a, input: b }, { name: 'a ', input: b }]", 'two test cases are named "a"'],
  [tools("[search, search]"), "expected_tools.1 search is already in the list. Write { name: search, count: 2 }"],
  [tools("[{ name: a, args: { b: { regex: '(' } } }]"), "args.b.regex is not valid"],
  [tools("[{ name: a, args: { b: { regex: '' } } }]"), "args.b.regex matches every text"],
  [tools("[{ name: a, args: { b: [{ regex: '.*' }] } }]"), "args.b.0.regex matches every text"],
  [metric('regex, value: "x*"'), "value matches every text"],
  [tools("[{ name: a, args: { b: { number: 5, tolerance: -1 } } }]"), "args.b.tolerance is below 0"],
  [tools("[{ name: a, args: { b: [{ c: { fuzzy: '…' } }] } }]"), "args.b.0.c.fuzzy is only punctuation"],
  [tools("[{ name: a, count: -1 }]"), "count"],
  [tools("[{ name: a, outcome: refused }]"), "outcome"],
  [
    "test_cases: [{ turns: [{ input: a }], expected_tools: [b] }]",
    "expected_tools cannot be combined with turns. Move it into its turn",
  ],
  [metric("groundedness"), "metric is groundedness, which Bridle does not have. Use the type rag with faithfulness"],
  [metric("relevance"), "metric is relevance, which Bridle does not have. Use the type rag with answer_relevancy"],
  [
    metric("coherence"),
    "metric is coherence, which Bridle does not have. Use the type geval, with criteria in your words",
  ],
  [metric("rogue"), 'metric is "rogue", but must be one of exact_match'],
  [
    metric("numeric, value: 3, accept_thousands_separators: false"),
    "accept_thousands_separators can only be true: they are always read",
  ],
  [metric("latency, threshold: 3, response_path: a"), "response_path is not a setting of latency"],
  [
    'evaluations: { metrics: [{ type: code, name: a, file: ./g.mjs, function: g, grader: "my.graders:g" }] }',
    "grader is not supported: write graders.exact:check as file",
  ],
  ["test_cases: [{ turns: [{ input: a }], ground_truth: b }]", "ground_truth cannot be combined with turns"],
  ["test_cases: [{ turns: [{ input: a }], files: [] }]", "files cannot be combined with turns"],
  ["test_cases: [{ turns: [{ input: a }], retrieval_context: [] }]", "retrieval_context cannot be combined with turns"],
];

describe("an invalid test case is refused with a remedy", () => {
  test.each(refused)("%s", async (yaml, problem) => {
    expect(await problemsOf(yaml)).toContain(problem);
  });
});

const taken: readonly string[] = [
  metric("contains, value: [a, b]"),
  metric("numeric, value: 3, tolerance: 0.5"),
  metric("equality, value: { a: true }"),
  metric("response_path, path: order.id, value: A-1"),
  metric("latency, threshold: 20"),
  metric("rouge, stemming: true, threshold: 0"),
  tools("[a, { name: a, args: { b: { regex: '^c' } }, count: 0, outcome: denied }]"),
  metric("regex, value: '(?is:^(?!.*sorry))'"),
  tools("[{ name: a, args: { b: { number: 5, street: Elm }, c: { fuzzy: { d: e } } } }]"),
  "test_cases: [{ turns: [{ input: a }], evaluations: [{ type: standard, metric: bleu }] }]",
];

test("an agent file may have hundreds of test cases", async () => {
  expect(await problemsOf(`test_cases:\n${"  - { input: Where is it? }\n".repeat(400)}`)).toBe("");
});

test.each(taken)("the test case %s is accepted", async (yaml) => {
  expect(await problemsOf(yaml)).toBe("");
});
