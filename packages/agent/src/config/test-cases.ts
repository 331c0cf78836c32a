/** `test_cases`: what an agent is asked in its tests, and what is expected. */
import { z } from "zod";
import { file, refused, text, wholeFrom } from "./fields.ts";
import { metricsSchema } from "./metrics.ts";

/** How an argument of a call is compared; anything else has to be equal. */
const matcher = z.union([
  z.strictObject({ fuzzy: text("A text that is found in it, without regard to case, punctuation and spaces.") }),
  z.strictObject({ regex: text("A regular expression that is found in it.") }),
  z.strictObject({
    number: z.number().describe("A number that it is, or that stands in its text."),
    tolerance: z.number().min(0).exactOptional().describe("How far off it may be. Default: 0."),
  }),
  z.json(),
]);

const expectedTool = z.union([
  z.string().min(1),
  z.strictObject({
    name: text("The tool's exact name."),
    args: z.record(z.string(), matcher).exactOptional().describe("What its input has to hold."),
    count: wholeFrom(1, "How often it is called. Default: at least once.").exactOptional(),
  }),
]);

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
  expected_tools: z
    .array(expectedTool)
    .exactOptional()
    .describe("Tools that have to be called: names, or names with arguments and how often."),
  ground_truth: text("The answer that is expected.").exactOptional(),
  files: z.array(fileInput).max(10).exactOptional().describe("Files that go with the input."),
  retrieval_context: z.array(z.string()).exactOptional().describe("Retrieved text, instead of what the tools give."),
  evaluations: metricsSchema.exactOptional().describe("Metrics instead of those of the agent."),
};

const turn = z.strictObject({ input: text("What the agent is asked."), ...asked });

const testCase = z
  .strictObject({
    name: text("The name of the case. Default: its place in the list.").exactOptional(),
    input: text("What the agent is asked.").exactOptional(),
    ...asked,
    turns: z
      .array(turn)
      .min(1)
      .exactOptional()
      .describe("Several inputs, one after the other in one session, instead of one."),
  })
  .check(({ value, issues }) => {
    const given = [value.input, value.turns].filter((each) => each !== undefined);
    if (given.length === 1) return;
    const message =
      given.length === 0 ? "has neither input nor turns. Write what is asked." : "has both input and turns. Keep one.";
    issues.push({ code: "custom", input: value, path: [], message });
  });

export const testCasesSchema = z
  .array(testCase)
  .max(100)
  .describe(
    "What the agent is asked in its tests, and what is expected. Read by the tests of an agent, and checked here.",
  );
