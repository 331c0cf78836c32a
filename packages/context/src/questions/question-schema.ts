/** `context/questions/<name>.yaml`: questions with known answers. */
import { metricQuerySchema } from "@bridle/semantic";
import { z } from "zod";

const text = z.string().trim().min(1, "is empty. Write the text, or remove the line");
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const tolerance = z
  .number()
  .min(0)
  .describe(
    "The largest difference between two numbers that count as equal. Default: 0; for floats, 10⁻⁹ of the value.",
  );
const says = z
  .array(text)
  .min(1)
  .describe("The answer must contain at least one of these words as a whole word. Letter case is ignored.");

const reference = {
  sql: text.exactOptional().describe("A hand-written SQL statement that returns the correct rows."),
  metrics: metricQuerySchema
    .exactOptional()
    .describe("A query over the models of context/models that returns the correct rows, instead of sql."),
  rows: z
    .array(z.array(value).min(1))
    .exactOptional()
    .describe("The correct rows. If sql or metrics is also set, it must return these rows."),
};

const assumptionSchema = z
  .strictObject({
    assumption: text.describe("The assumption of this answer, in words."),
    says: says.describe("The answer must contain at least one of these words, so that it states the assumption."),
    ...reference,
  })
  .check(({ value: given, issues }) => {
    for (const message of referenceProblems(given)) issues.push({ code: "custom", input: given, path: [], message });
  });

const questionSchema = z
  .strictObject({
    question: text.describe("The question for the agent."),
    name: text.max(200).exactOptional().describe("The name of the case. Default: the question."),
    tags: z.array(text).exactOptional().describe("Tags for --tag."),
    connection: text.exactOptional().describe("The connection of sql. Default: the connection of the file."),
    ...reference,
    ordered: z.boolean().exactOptional().describe("Whether the order of the rows matters. Default: false."),
    tolerance: tolerance.exactOptional(),
    says: says.exactOptional(),
    ambiguous: z
      .array(assumptionSchema)
      .min(2)
      .exactOptional()
      .describe("The correct answers, if there are several. The agent must give one of them and state its assumption."),
    unanswerable: text
      .exactOptional()
      .describe("The reason why the data do not contain the answer. The agent must admit that it does not know."),
  })
  .check(({ value: given, issues }) => {
    for (const message of questionProblems(given)) issues.push({ code: "custom", input: given, path: [], message });
  });

export const questionFileSchema = z.strictObject({
  connection: text.exactOptional().describe("The connection of the statements. Default: the only one in bridle.yaml."),
  tolerance: tolerance.exactOptional(),
  questions: z.array(questionSchema).min(1).max(1000).describe("The questions."),
});

export type QuestionFile = z.output<typeof questionFileSchema>;
export type Reference = Pick<z.output<typeof questionSchema>, keyof typeof reference>;

/** A complete question, with the connection and the tolerance from its file. */
export const contextQuestionSchema = questionSchema.safeExtend({ name: text, connection: text });
export type ContextQuestion = z.output<typeof contextQuestionSchema>;

function referenceProblems({ sql, metrics, rows }: Reference): readonly string[] {
  if (sql !== undefined && metrics !== undefined) return ["has both sql and metrics. Keep one."];
  return (sql ?? metrics ?? rows) ? [] : ["has no known answer. Write sql, metrics or rows."];
}

function questionProblems(given: z.output<typeof questionSchema>): readonly string[] {
  const { sql, metrics, rows, ambiguous, unanswerable, ordered } = given;
  const hasReference = (sql ?? metrics ?? rows) !== undefined;
  const kinds = [hasReference, ambiguous !== undefined, unanswerable !== undefined].filter(Boolean).length;
  if (kinds > 1) return ["has more than one of a known answer, ambiguous and unanswerable. Keep one."];
  if (kinds === 0) return ["has no known answer. Write sql, metrics or rows, or else ambiguous or unanswerable."];
  if (unanswerable !== undefined && ordered !== undefined)
    return ["has no rows, so nothing is ordered. Remove ordered."];
  return hasReference ? referenceProblems(given) : [];
}
