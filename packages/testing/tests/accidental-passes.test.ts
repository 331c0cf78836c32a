/**
 * Tests hostile and accidental ways to make a test pass. Each fails with a reason. A harmless variant of each passes, which proves that the
 * reason is correct.
 */
import { AgentFileError } from "@bridle/agent";
import { describe, expect, test } from "vitest";
import { createTestProject, head, script, trialOf } from "./test-project.ts";

/** The fields of a case or of a turn, without its input. */
type Fields = Readonly<Record<string, unknown>>;
/** A step of the model; a string is an answer. */
type Step = string | { readonly call: string; readonly with: Fields } | { readonly calls: readonly Step[] };

interface Try {
  readonly title: string;
  readonly fields: Fields;
  readonly steps: readonly Step[];
  readonly reason: RegExp;
  /** The changes that make the variant pass. */
  readonly passes: { readonly fields?: Fields; readonly steps?: readonly Step[] };
}

const standard = (metric: string, settings: Fields = {}) => ({ type: "standard", metric, ...settings });
const metrics = (...list: Fields[]) => ({ evaluations: list });
const shipped = metrics(standard("contains", { value: "shipped" }));
const shortEnough = metrics(standard("steps", { threshold: 5 }));
const tools = (...entries: unknown[]) => ({ expected_tools: entries });
const grader = (name: string) => metrics({ type: "code", name, file: "graders.mjs", function: name });
const lookup = (id: unknown, more: Fields = {}): Step => ({ call: "lookup", with: { id, ...more } });
const pay = (cents: unknown): Step => ({ call: "pay", with: { cents } });
const done = "Done.";

const graders = `
export const yes = () => true;
export const thrower = () => { throw new Error("no index"); };
export const percent = () => 95;
export const notANumber = () => Number.NaN;
export const nothing = () => {};
export const word = () => "good";
export const differing = () => ({ score: 0.2, passed: true });
export const misspelt = () => ({ scores: 1 });
export const changer = (facts) => { facts.answer = "better"; return 1; };
export const leaver = () => process.exitCode === 9 ? 1 : Promise.reject(undefined);
`;

const blanks: readonly [title: string, answer: string][] = [
  ["spaces", " \t\n"],
  ["a zero-width space", "\u200b"],
  ["a filler of Hangul", "\u3164"],
  ["a narrow filler of Hangul", "\uffa0"],
  ["a leading filler of Hangul", "\u115f\u1160"],
  ["a blank of Braille", "\u2800"],
  ["an empty note", "\u{1d159}"],
  ["the place of an embedded object", "\ufffc"],
  ["a soft hyphen", "\u00ad"],
  ["a tag character", "\u{e0041}"],
];

const answers: readonly Try[] = [
  ...blanks.map(([title, answer]) => ({
    title: `an answer of ${title}`,
    fields: shortEnough,
    steps: [answer],
    reason: /^The agent answered nothing/,
    passes: { steps: [`${answer}Yes`] },
  })),
  {
    title: "a case without checks",
    fields: {},
    steps: [done],
    reason: /neither a metric nor expected_tools/,
    passes: { fields: shortEnough },
  },
  {
    title: "an empty list of expected tools",
    fields: tools(),
    steps: [done],
    reason: /nothing was tested/,
    passes: { fields: { expected_tools: "none" } },
  },
  {
    title: "a metric that every score passes",
    fields: metrics(standard("contains", { value: "no", threshold: 0 })),
    steps: [done],
    reason: /threshold of every metric of the case is 0/,
    passes: { fields: shortEnough },
  },
  {
    title: "a metric that is not enabled",
    fields: metrics(standard("contains", { value: "no", enabled: false })),
    steps: [done],
    reason: /nothing was tested/,
    passes: { fields: shortEnough },
  },
  {
    title: "a metric without a ground truth",
    fields: metrics(standard("bleu")),
    steps: [done],
    reason: /has no ground_truth/,
    passes: {
      fields: { ...metrics(standard("bleu")), ground_truth: "Done, all of it. Done." },
      steps: ["Done, all of it. Done."],
    },
  },
  ...["A", "The", "an"].flatMap((truth) =>
    ["exact_match", "f1"].map((metric) => ({
      title: `${metric} with the ground truth ${truth}, of which no word is left`,
      fields: { ...metrics(standard(metric)), ground_truth: truth },
      steps: ["?!"],
      reason: new RegExp(`^${metric}: expected`),
      passes: { steps: [truth] },
    })),
  ),
  {
    title: "a forbidden word on the second line",
    fields: metrics(standard("regex", { value: "(?s:^(?!.*sorry))" })),
    steps: ["Fine.\nBut sorry."],
    reason: /does not match/,
    passes: { steps: ["Fine.\nBut thanks."] },
  },
  {
    title: "an expression that takes years",
    fields: metrics(standard("regex", { value: "^(a+)+$" })),
    steps: [`${"a".repeat(50)}!`],
    reason: /takes too long/,
    passes: { steps: ["aaa"] },
  },
  {
    title: "a text in other letters",
    fields: shipped,
    steps: ["It has SHIPPED."],
    reason: /upper and lower case/,
    passes: { steps: ["It has shipped."] },
  },
  {
    title: "one of two texts",
    fields: metrics(standard("contains", { value: ["A-1", "shipped"] })),
    steps: ["A-1 is lost."],
    reason: /"shipped" is not in the answer/,
    passes: { steps: ["A-1 has shipped."] },
  },
  {
    title: "a number within another",
    fields: metrics(standard("numeric", { value: 3 })),
    steps: ["Of 37."],
    reason: /the answer contains 37, and not 3/,
    passes: { steps: ["Of 3."] },
  },
  {
    title: "a number within a code",
    fields: metrics(standard("numeric", { value: 3 })),
    steps: ["See A-3."],
    reason: /contains no number/,
    passes: { steps: ["See 3."] },
  },
  {
    title: "more steps than allowed",
    fields: metrics(standard("steps", { threshold: 1 })),
    steps: [lookup("A-1"), done],
    reason: /^steps: expected ≤ 1 step, got 2 steps/,
    passes: { steps: [done] },
  },
  ...[
    ["thrower", /threw.*: no index/],
    ["percent", /returned 95, which is not a grade/],
    ["notANumber", /returned NaN/],
    ["nothing", /returned undefined/],
    ["word", /returned "good"/],
    ["differing", /returned passed: true with the score 0.2/],
    ["misspelt", /returned \{"scores":1\}/],
    ["changer", /Cannot assign to read only property/],
    ["leaver", /threw/],
    ["missing", /has no export "missing"/],
  ].map(([name, reason]) => ({
    title: `a grader that is ${String(name)}`,
    fields: grader(String(name)),
    steps: [done],
    reason: reason as RegExp,
    passes: { fields: grader("yes") },
  })),
];

const calls: readonly Try[] = [
  {
    title: "no call of the expected tool",
    fields: tools("lookup"),
    steps: [done],
    reason: /lookup was not called/,
    passes: { steps: [lookup("A-1"), done] },
  },
  {
    title: "a tool that does not exist",
    fields: tools("lokup"),
    steps: [done],
    reason: /no such tool. Did you mean "lookup"/,
    passes: { fields: tools({ name: "lookup", count: 0 }) },
  },
  {
    title: "no call of a tool that does not exist",
    fields: tools({ name: "lokup", count: 0 }),
    steps: [done],
    reason: /no such tool/,
    passes: { fields: tools({ name: "lookup", count: 0 }) },
  },
  {
    title: "a part of a tool's name",
    fields: tools("look"),
    steps: [lookup("A-1"), done],
    reason: /no such tool/,
    passes: { fields: tools("lookup") },
  },
  ...[
    ["a misspelt argument", { idd: "A-1" }, { id: "A-2" }, /argument idd does not exist\. Did you mean "id"/],
    ["a text for a number", { limit: "5" }, { limit: 5 }, /limit is a whole number, but "5" is a text/],
    ["a misspelt choice", { state: "opne" }, { state: "open" }, /state is one of "open", "closed"/],
    [
      "a misspelt key of a mapping",
      { address: { cty: "a" } },
      { address: { city: "a" } },
      /address\.cty does not exist/,
    ],
    ["a misspelt matcher", { id: { regexp: "^A" } }, { id: { regex: "^B" } }, /id is a text, but .* is a mapping/],
    ["null for a text", { id: null }, { id: "A-2" }, /id is a text, but null is null/],
  ].map(([title, wrong, right, reason]) => ({
    title: `no call with ${String(title)}`,
    fields: tools({ name: "lookup", args: wrong, count: 0 }),
    steps: [lookup("A-1"), done],
    reason: reason as RegExp,
    passes: { fields: tools({ name: "lookup", args: right, count: 0 }) },
  })),
  {
    title: "a forbidden tool, tried with invalid arguments",
    fields: tools({ name: "pay", count: 0 }),
    steps: [pay("all"), done],
    reason: /expected 0 times\. The tool refused the arguments of one call/,
    passes: { steps: [done] },
  },
  {
    title: "a tool that was called too often, with invalid arguments each time",
    fields: tools({ name: "pay", at_most: 1 }),
    steps: [{ calls: [pay("all"), pay("more")] }, done],
    reason: /2 times, expected at most once/,
    passes: { steps: [pay(5), done] },
  },
  {
    title: "a call with invalid arguments for the expected call",
    fields: tools("pay"),
    steps: [pay("all"), done],
    reason: /the call was invalid/,
    passes: { steps: [pay(5), done] },
  },
  {
    title: "a failed call for the expected call",
    fields: tools("break"),
    steps: [{ call: "break", with: {} }, done],
    reason: /the call failed/,
    passes: { fields: tools({ name: "break", outcome: "failed" }) },
  },
  {
    title: "a denied call that was not expected",
    fields: shortEnough,
    steps: [{ call: "remove", with: { id: "A-1" } }, done],
    reason: /A call of remove was denied by side-effects/,
    passes: { fields: tools({ name: "remove", outcome: "denied" }) },
  },
  {
    title: "a denied call for the expected call",
    fields: tools("remove"),
    steps: [{ call: "remove", with: { id: "A-1" } }, done],
    reason: /the call was denied/,
    passes: { fields: tools({ name: "remove", outcome: "denied" }) },
  },
  {
    title: "two calls instead of one",
    fields: tools({ name: "lookup", count: 1 }),
    steps: [lookup("A-1"), lookup("A-2"), done],
    reason: /2 times, expected once/,
    passes: { steps: [lookup("A-1"), done] },
  },
  {
    title: "one call instead of at least two",
    fields: tools({ name: "lookup", at_least: 2 }),
    steps: [lookup("A-1"), done],
    reason: /once, expected at least 2 times/,
    passes: { steps: [lookup("A-1"), lookup("A-2"), done] },
  },
  {
    title: "one call for two entries",
    fields: tools({ name: "lookup", args: { id: "A-1" } }, { name: "lookup", args: { id: { regex: "^A" } } }),
    steps: [lookup("A-1"), done],
    reason: /needs its own call/,
    passes: { steps: [lookup("A-1"), lookup("A-2"), done] },
  },
  ...(
    [
      ["15 for a fuzzy 1.5", { fuzzy: "1.5" }, "15", "1.50"],
      ["5 for a fuzzy -5", { fuzzy: "-5" }, "5", "-5.0"],
      ["unknown for a fuzzy no", { fuzzy: "no" }, "unknown", "No."],
      ["a longer text for a fuzzy one", { fuzzy: "cancel" }, "do not cancel", "Cancel!"],
      ["1 5 for a fuzzy 15", { fuzzy: "15" }, "1 5", " 15 "],
      ["unknown for a text that contains no", { contains: "no" }, "unknown", "yes or no"],
      ["A-10 for a text that contains A-1", { contains: "A-1" }, "see A-10", "see A-1."],
      ["a part of a number", { number: 58 }, "206,588", "about 58"],
      ["50 for 50 %", { number: 0.5 }, "50", "50 %"],
      ["XA-1 for an expression of the whole text", { regex: "^A-\\d+$" }, "XA-1", "A-1"],
      ["another case of a text", "A-1", "a-1", "A-1"],
      ["a text with a space", "A-1", "A-1 ", "A-1"],
      [
        "a long number that another one cannot be told from",
        "9007199254740993",
        "9007199254740992",
        "9007199254740993",
      ],
    ] as const
  ).map(([title, wanted, wrong, right]) => ({
    title: `an argument with ${title}`,
    fields: tools({ name: "lookup", args: { id: wanted } }),
    steps: [lookup(wrong), done],
    reason: /^lookup was called with/,
    passes: { steps: [lookup(right), done] },
  })),
  {
    title: "a list with one more entry",
    fields: tools({ name: "lookup", args: { tags: ["a"] } }),
    steps: [lookup("A-1", { tags: ["a", "b"] }), done],
    reason: /tags has 2 entries instead of 1/,
    passes: { steps: [lookup("A-1", { tags: ["a"] }), done] },
  },
  {
    title: "calls in the wrong order",
    fields: { ...tools("lookup", "pay"), expected_tools_mode: "sequence" },
    steps: [pay(5), lookup("A-1"), done],
    reason: /do not follow the expected order/,
    passes: { steps: [lookup("A-1"), pay(5), done] },
  },
  ...(["unordered", "strict", "subset"] as const).map((mode) => ({
    title: `another call in the mode ${mode}`,
    fields: { ...tools("lookup"), expected_tools_mode: mode },
    steps: [lookup("A-1"), pay(5), done],
    reason: /Other calls were made than expected: pay/,
    passes: { steps: [lookup("A-1"), done] },
  })),
  {
    title: "a second call of an expected tool in the mode strict",
    fields: { ...tools("lookup"), expected_tools_mode: "strict" },
    steps: [lookup("A-1"), lookup("A-1"), done],
    reason: /Other calls were made than expected: lookup/,
    passes: { steps: [lookup("A-1"), done] },
  },
  {
    title: "a call where none is expected",
    fields: { expected_tools: "none" },
    steps: [lookup("A-1"), done],
    reason: /No call was expected: lookup/,
    passes: { steps: [done] },
  },
];

const turns: readonly Try[] = [
  {
    title: "a turn without checks beside one with checks",
    fields: { turns: [{ input: "Hello." }, { input: "And now?", ...shortEnough }] },
    steps: [done],
    reason: /^The turn has neither a metric nor expected_tools/,
    passes: {
      fields: {
        turns: [
          { input: "Hello.", no_checks: true },
          { input: "And now?", ...shortEnough },
        ],
      },
    },
  },
  {
    title: "a conversation in which no turn has checks",
    fields: { turns: [{ input: "Hello.", no_checks: true }] },
    steps: [done],
    reason: /^The case has neither/,
    passes: { fields: { turns: [{ input: "Hello.", ...shortEnough }] } },
  },
  {
    title: "a turn whose only metric passes every score",
    fields: {
      turns: [
        { input: "Hello.", ...metrics(standard("contains", { value: "x", threshold: 0 })) },
        { input: "Now?", ...shortEnough },
      ],
    },
    steps: [done],
    reason: /^The threshold of every metric of the turn is 0/,
    passes: {
      fields: {
        turns: [
          { input: "Hello.", ...shortEnough },
          { input: "Now?", ...shortEnough },
        ],
      },
    },
  },
];

const tries = [...answers, ...calls, ...turns];

const strictFunction = (name: string, parameters: Fields) => ({
  type: "function",
  name,
  file: "own.mjs",
  function: name,
  description: "Does it.",
  parameters,
  annotations: { read_only: true },
});
const ownTools = [
  strictFunction("lookup", {
    id: { type: "string" },
    limit: { type: "integer", required: false },
    state: { enum: ["open", "closed"], required: false },
    tags: { type: "array", items: { type: "string" }, required: false },
    address: { type: "object", properties: { city: { type: "string" } }, required: false },
  }),
  strictFunction("pay", { cents: { type: "integer" } }),
  strictFunction("break", {}),
  { type: "function", name: "remove", file: "tools.mjs", function: "remove" },
];
const ownModule = `export const lookup = () => "It is there.";
export const pay = () => "Paid.";
function fail() { throw new Error("no index"); }
export { fail as break };
`;

/** Creates a case, and the turn of the script that answers the case. Turns are matched by the beginning of the input. */
function stage(name: string, fields: Fields, steps: readonly Step[]) {
  const { turns: list, ...rest } = fields;
  const asked = (input: string) => `${name}: ${input}`;
  const own = Array.isArray(list)
    ? { turns: list.map((each: Fields) => ({ ...each, input: asked(String(each.input)) })) }
    : { input: asked("go on") };
  const played = steps.map((step) => (typeof step === "string" ? { say: step } : step));
  return { config: { name, ...own, ...rest }, turn: { when: { user: `${name}:` }, steps: played } };
}

/** Refuses the arguments of a call with a message to the model. */
const afterRefusal = `{ when: { user: "does not match the tool's input schema" }, steps: [{ say: Done. }] }`;

const failing = tries.map(({ fields, steps }, index) => stage(`try ${index}`, fields, steps));
const passing = tries.map(({ fields, steps, passes }, index) =>
  stage(`neighbour ${index}`, passes.fields ?? fields, passes.steps ?? steps),
);

test(`${tries.length} tries to make a test pass fail with their reasons, and their neighbours pass`, async () => {
  const all = [...failing, ...passing];
  const project = await createTestProject({
    "agent.yaml": `${head}tools: ${JSON.stringify(ownTools)}\ntest_cases: ${JSON.stringify(all.map(({ config }) => config))}\n`,
    "script.yaml": script(...all.map(({ turn }) => JSON.stringify(turn)), afterRefusal),
    "graders.mjs": graders,
    "own.mjs": ownModule,
  });
  const run = await project.test({ parallel: 8 });
  const outcomes = tries.map(({ title, reason }, index) => {
    const tried = trialOf(run, `try ${index}`);
    const neighbour = trialOf(run, `neighbour ${index}`);
    const messages = tried.failures.map(({ message }) => message);
    const isFailed = tried.outcome === "failed" && messages.some((message) => reason.test(message));
    return {
      title,
      try: isFailed ? "fails with its reason" : `${tried.outcome}: ${messages.join(" ")}`,
      neighbour: [neighbour.outcome, ...neighbour.failures.map(({ message }) => message)].join(": "),
    };
  });
  const expected = tries.map(({ title }) => ({ title, try: "fails with its reason", neighbour: "passed" }));
  expect(outcomes).toEqual(expected);
  expect(tries.length).toBeGreaterThanOrEqual(60);
});

describe("a file is refused that could pass by accident, and its neighbour is accepted", () => {
  const inCase = (fields: Fields) => `${head}test_cases: ${JSON.stringify([{ input: "Hi", ...fields }])}\n`;
  const regex = (value: string) => inCase(metrics(standard("regex", { value })));
  const argument = (value: unknown) => inCase(tools({ name: "a", args: { b: value } }));
  const rows: readonly [title: string, file: string, reason: RegExp, accepted: string][] = [
    ["an expression of a border of words", regex("\\b"), /matches a position/, regex("\\bA")],
    ["an expression of what follows", regex("(?=.)"), /matches a position/, regex("(?=.*A)")],
    ["an expression of any word", regex("\\w+"), /matches every ordinary answer/, regex("\\d{4}")],
    ["an expression of nothing", regex("x*"), /matches every text/, regex("x+")],
    ["a forbidden text without a beginning", regex("(?!.*sorry)"), /matches every text/, regex("(?s:^(?!.*sorry))")],
    [
      "a forbidden text from some word on",
      regex("(?!.*sorry)\\w+"),
      /with \^ at the beginning/,
      regex("(?s:^(?!.*sorry))"),
    ],
    ["a forbidden text from some sign on", regex("(?!.*sorry)\\S"), /at every position/, regex("(?s:^(?!.*sorry)\\S)")],
    ["an expression of a place before the end", regex("(?!$)"), /matches a position/, regex("A(?!$)")],
    ["an expression of a word and what follows", regex("\\w.*"), /matches every ordinary/, regex("^A.*")],
    ["an expression of any letter but one", regex("[^x]"), /almost every answer/, regex("^[^x]*$")],
    ["an expression of any letter", regex("\\p{L}"), /almost every answer/, regex("^\\p{Lu}")],
    ["a text that is forbidden in one line", regex("^(?!.*sorry)"), /in one line only/, regex("(?s:^(?!.*sorry))")],
    ["the same with the flag m", regex("(?ms:^(?!.*sorry))"), /in one line only/, regex("(?s:^(?!.*sorry))")],
    [
      "an empty text to contain",
      inCase(metrics(standard("contains", { value: " " }))),
      /none of them empty/,
      inCase(shipped),
    ],
    ["an argument that matches .*", argument({ regex: ".*" }), /matches every text/, argument({ regex: ".+" })],
    ["an argument at a border of words", argument({ regex: "\\b" }), /matches a position/, argument({ regex: "\\bA" })],
    ["a fuzzy number without quotation marks", argument({ fuzzy: 15 }), /has to be a text/, argument({ fuzzy: "15" })],
    ["fuzzy punctuation", argument({ fuzzy: "?!" }), /only punctuation/, argument({ fuzzy: "no" })],
    ["punctuation to contain", argument({ contains: "." }), /only punctuation/, argument({ contains: "5%" })],
    ["a tolerance below 0", argument({ number: 5, tolerance: -1 }), /below 0/, argument({ number: 5, tolerance: 1 })],
    [
      "a number with lost digits",
      argument("DIGITS").replace('"DIGITS"', "12345678901234567890"),
      /has more digits than a number keeps/,
      argument("12345678901234567890"),
    ],
    [
      "a number of calls that cannot be",
      inCase(tools({ name: "a", at_least: 3, at_most: 2 })),
      /no number of calls fits/,
      inCase(tools({ name: "a", at_least: 2, at_most: 3 })),
    ],
    [
      "two numbers of calls",
      inCase(tools({ name: "a", count: 1, at_most: 2 })),
      /combined with at_least/,
      inCase(tools({ name: "a", count: 1 })),
    ],
    [
      "a mode without a list",
      inCase({ expected_tools_mode: "strict" }),
      /has no effect/,
      inCase({ ...tools("a"), expected_tools_mode: "strict" }),
    ],
    [
      "an unknown mode",
      inCase({ ...tools("a"), expected_tools_mode: "exact" }),
      /expected_tools_mode/,
      inCase({ ...tools("a"), expected_tools_mode: "subset" }),
    ],
    [
      "a tool twice in any order",
      inCase(tools("a", "a")),
      /already in the list/,
      inCase({ ...tools("a", "a"), expected_tools_mode: "strict" }),
    ],
    ["a misspelt key", inCase({ expected_tool: ["a"] }), /unknown key "expected_tool"/, inCase(tools("a"))],
    [
      "a metric that may fail to run",
      inCase(metrics(standard("bleu", { fail_on_error: false }))),
      /cannot be false/,
      inCase(metrics(standard("bleu"))),
    ],
    [
      "a turn with and without checks",
      `${head}test_cases: [{ turns: [{ input: a, no_checks: true, expected_tools: [b] }] }]\n`,
      /cannot be combined with/,
      `${head}test_cases: [{ turns: [{ input: a, no_checks: true }] }]\n`,
    ],
  ];

  test.each(rows)("%s", async (_, file, reason, accepted) => {
    const project = await createTestProject({ "agent.yaml": file });
    const refused = await project.load().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AgentFileError);
    expect(String(refused)).toMatch(reason);
    await project.write({ "agent.yaml": accepted });
    await expect(project.load()).resolves.toMatchObject({ file: "agent.yaml" });
  });
});
