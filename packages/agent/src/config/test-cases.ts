/** `test_cases`: the inputs of an agent's tests, and the expected results. */
import { callModes, expectedOutcomes } from "@bridle/metrics";
import { z } from "zod";
import { callListProblems, rangeProblems } from "./call-problems.ts";
import { file, refused, text, wholeFrom } from "./fields.ts";
import { matcherProblems } from "./matcher-problems.ts";
import { metricsSchema } from "./metrics.ts";

/** A matcher for an argument of a call, at any depth of the argument. Values without a matcher must be equal. */
const matcher = z.union([
  z.strictObject({
    fuzzy: text("The whole text, or the same number. Case, spaces and punctuation between words are ignored."),
  }),
  z.strictObject({ contains: text("Whole words of the argument, in this order, compared as with fuzzy.") }),
  z.strictObject({ regex: text("A regular expression of JavaScript that matches anywhere in the argument.") }),
  z.strictObject({
    number: z.number().describe("A number that the argument is equal to, or that its text contains."),
    tolerance: z.number().min(0).exactOptional().describe("The largest allowed difference. Default: 0."),
  }),
  z.json(),
]);

const expectedCall = z
  .strictObject({
    name: text("The tool's exact name."),
    args: z
      .record(z.string(), matcher)
      .exactOptional()
      .describe("Arguments that the input must contain. It may contain more. Two entries with args need two calls."),
    count: wholeFrom(0, "The exact number of such calls; 0: none. Default: at least one.").exactOptional(),
    at_least: wholeFrom(1, "The smallest number of such calls.").exactOptional(),
    at_most: wholeFrom(0, "The largest number of such calls.").exactOptional(),
    outcome: z
      .enum(expectedOutcomes)
      .exactOptional()
      .describe(
        "The outcome of the call; executed: succeeded, failed or unfinished; attempted: any, even with invalid arguments. Default: succeeded, or with count 0 or at_most alone any except denied.",
      ),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of [...rangeProblems(value), ...matcherProblems(value.args, ["args"])]) {
      issues.push({ code: "custom", input: value, path: [...path], message });
    }
  });

const expectedTools = z
  .union([z.literal("none"), z.array(z.union([z.string().min(1), expectedCall]))], {
    error: ({ input }) => (Array.isArray(input) ? undefined : "has to be a list of tools, or none"),
  })
  .describe(
    "Tools that must be called: names, or entries with a name, arguments, the number of calls and their outcome. none: no call.",
  );

const expectedToolsMode = z
  .enum(callModes)
  .describe(
    "superset: these and any others, in any order. sequence: these in this order, and any others. unordered: exactly these, in any order. strict: exactly these, in this order. subset: no others, and not all of these are required. Default: superset.",
  );

const fileInput = z.strictObject({
  path: file("The file."),
  type: z.enum(["image", "pdf", "text", "csv", "word", "excel", "powerpoint"]).describe("The type of the file."),
  description: text("A description of the file for the model.").exactOptional(),
  url: refused("tests download nothing. Download the file, and write its path."),
  pages: refused("a file is read whole. Make a file with only these pages."),
  sheet: refused("export the sheet as CSV."),
  range: refused("export the range as CSV."),
  cache: refused("tests download nothing, so there is no cache. Remove it."),
});

/** The fields that both a case and each of its turns have. */
const asked = {
  expected_tools: expectedTools.exactOptional(),
  expected_tools_mode: expectedToolsMode.exactOptional(),
  ground_truth: z
    .union([text("The expected answer."), z.array(text("An accepted answer.")).min(1)])
    .exactOptional()
    .describe("The expected answer, or a list of accepted answers. The best match counts."),
  files: z.array(fileInput).max(10).exactOptional().describe("Files that are sent with the input."),
  retrieval_context: z
    .array(z.string())
    .exactOptional()
    .describe("Retrieved texts, which replace the results of retrieval tools."),
  evaluations: metricsSchema.exactOptional().describe("Metrics, which replace the agent's metrics."),
  turn_config: z
    .record(z.string(), z.json())
    .exactOptional()
    .describe("Values for graders only, such as an expected program."),
};

const noChecks = z
  .literal(true, { error: "can only be true. Remove the line if the turn has checks" })
  .describe("The turn only sets up the later turns, and its answer is not checked.");

const turn = z
  .strictObject({ input: text("The prompt for the agent."), ...asked, no_checks: noChecks.exactOptional() })
  .check(({ value, issues }) => {
    for (const { path, message } of callListProblems(value)) {
      issues.push({ code: "custom", input: value, path: [...path], message });
    }
  });

/** Fields that belong to one input. In a case with several turns, each turn has its own. */
const ofOneInput = [
  "expected_tools",
  "expected_tools_mode",
  "ground_truth",
  "files",
  "retrieval_context",
  "turn_config",
] as const;

const testCase = z
  .strictObject({
    name: text("The name of the case, on one line. Default: its number in the list.")
      .max(200)
      .refine((name) => !/\p{Cc}/u.test(name), "contains a line break or another control character. Remove it")
      .exactOptional(),
    input: text("The prompt for the agent.").exactOptional(),
    ...asked,
    turns: z
      .array(turn)
      .min(1)
      .exactOptional()
      .describe(
        "Several inputs in one session, one after another, instead of input. The only other field of the case that applies to turns is evaluations.",
      ),
  })
  .check(({ value, issues }) => {
    const problem = (message: string, path: string[] = []) =>
      issues.push({ code: "custom", input: value, path, message });
    const { input, turns } = value;
    if (input === undefined && turns === undefined) problem("has neither input nor turns. Add one of them.");
    if (input !== undefined && turns !== undefined) problem("has both input and turns. Keep one.");
    for (const { path, message } of callListProblems(value)) {
      issues.push({ code: "custom", input: value, path: [...path], message });
    }
    if (turns === undefined) return;
    for (const field of ofOneInput) {
      if (value[field] !== undefined) problem("cannot be combined with turns. Move it into its turn.", [field]);
    }
  });

export const testCasesSchema = z
  .array(testCase)
  .max(1000)
  .describe("The test cases: prompts for the agent, and the expected results.");
