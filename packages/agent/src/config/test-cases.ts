/** `test_cases`: what an agent is asked in its tests, and what is expected. */
import { z } from "zod";
import { file, refused, text, wholeFrom } from "./fields.ts";
import { matcherProblems } from "./matcher-problems.ts";
import { metricsSchema } from "./metrics.ts";

/** How an argument of a call is compared; anything else has to be equal. Matchers may also are deeper in a value. */
const matcher = z.union([
  z.strictObject({ fuzzy: text("A text that is found in it, without regard to case, punctuation and spaces.") }),
  z.strictObject({ regex: text("A regular expression of JavaScript that is found in it.") }),
  z.strictObject({
    number: z.number().describe("A number that it is, or that stands in its text."),
    tolerance: z.number().min(0).exactOptional().describe("How far off it may be. Default: 0."),
  }),
  z.json(),
]);

const expectedCall = z
  .strictObject({
    name: text("The tool's exact name."),
    args: z
      .record(z.string(), matcher)
      .exactOptional()
      .describe("What its input has to hold; it may hold more. Two entries with args need two calls."),
    count: wholeFrom(0, "Exactly how often it is called so; 0: never. Default: at least once.").exactOptional(),
    outcome: z
      .enum(["succeeded", "failed", "denied"])
      .exactOptional()
      .describe("How the call ended. Default: in any way but denied."),
  })
  .check(({ value, issues }) => {
    for (const { path, message } of matcherProblems(value.args, ["args"])) {
      issues.push({ code: "custom", input: value, path: [...path], message });
    }
  });

const expectedTools = z
  .array(z.union([z.string().min(1), expectedCall]))
  .check(({ value, issues }) => {
    value.forEach((name, index) => {
      if (typeof name !== "string" || value.indexOf(name) === index) return;
      const message = `${name} stands there already. Write { name: ${name}, count: 2 }, or remove it.`;
      issues.push({ code: "custom", input: value, path: [index], message });
    });
  })
  .describe("Tools that have to be called: names, or names with arguments, how often, and how it ends.");

const fileInput = z.strictObject({
  path: file("The file."),
  type: z
    .enum(["image", "pdf", "text", "csv", "word"], {
      error: ({ input }) =>
        input === "excel" || input === "powerpoint"
          ? `is ${input}, which is not read. Export the file as ${input === "excel" ? "CSV" : "PDF"}`
          : undefined,
    })
    .describe("What it is."),
  description: text("What the model is told of it.").exactOptional(),
  url: refused("nothing is fetched for a test. Download the file, and name its path."),
  pages: refused("a file is read whole. Make one of these pages."),
  sheet: refused("export the sheet as CSV."),
  range: refused("export the range as CSV."),
  cache: refused("nothing is fetched, so there is nothing to keep. Remove it."),
});

/** Of a case, and of each of its turns. */
const asked = {
  expected_tools: expectedTools.exactOptional(),
  ground_truth: text("The answer that is expected.").exactOptional(),
  files: z.array(fileInput).max(10).exactOptional().describe("Files that go with the input."),
  retrieval_context: z.array(z.string()).exactOptional().describe("Retrieved text, instead of what the tools give."),
  evaluations: metricsSchema.exactOptional().describe("Metrics instead of those of the agent."),
};

const turn = z.strictObject({ input: text("What the agent is asked."), ...asked });

/** What is of one input, and of each turn if there are several. */
const ofOneInput = ["expected_tools", "ground_truth", "files", "retrieval_context"] as const;

const testCase = z
  .strictObject({
    name: text("The name of the case, on one line. Default: its place in the list.")
      .max(200)
      .refine((name) => !/\p{Cc}/u.test(name), "holds a line break or another character that is no text. Remove it")
      .exactOptional(),
    input: text("What the agent is asked.").exactOptional(),
    ...asked,
    turns: z
      .array(turn)
      .min(1)
      .exactOptional()
      .describe(
        "Several inputs, one after the other in one session, instead of one. Of the case's own fields only evaluations holds for them.",
      ),
  })
  .check(({ value, issues }) => {
    const problem = (message: string, path: string[] = []) =>
      issues.push({ code: "custom", input: value, path, message });
    const { input, turns } = value;
    if (input === undefined && turns === undefined) problem("has neither input nor turns. Write what is asked.");
    if (input !== undefined && turns !== undefined) problem("has both input and turns. Keep one.");
    if (turns === undefined) return;
    for (const field of ofOneInput) {
      if (value[field] !== undefined) problem("is of one input. Write it into the turn that it is about.", [field]);
    }
  });

export const testCasesSchema = z
  .array(testCase)
  .max(1000)
  .describe("What the agent is asked in its tests, and what is expected.");
