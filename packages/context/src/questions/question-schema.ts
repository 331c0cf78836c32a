/** `context/questions/<name>.yaml`: questions with known answers. */
import { metricQuerySchema } from "@bridle/semantic";
import { z } from "zod";

const text = z.string().trim().min(1, "is empty. Write the text, or remove the line");
const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const tolerance = z
  .number()
  .min(0)
  .describe(
    "The largest difference of two numbers that count as equal. Default: none, but 10⁻⁹ of the value for floats.",
  );
const says = z
  .array(text)
  .min(1)
  .describe("The answer has to contain at least one of these words, whole and in any case.");

const reference = {
  sql: text.exactOptional().describe("A statement with the right rows, written by hand."),
  metrics: metricQuerySchema
    .exactOptional()
    .describe("A query over the models of context/models with the right rows, instead of sql."),
  rows: z
    .array(z.array(value).min(1))
    .exactOptional()
    .describe("The right rows. Beside sql or metrics, these have to return them: otherwise the reference is wrong."),
};

const assumptionSchema = z
  .strictObject({
    assumption: text.describe("What this answer assumes, in words."),
    says: says.describe("The answer has to contain at least one of these words, so that it names the assumption."),
    ...reference,
  })
  .check(({ value: given, issues }) => {
    for (const message of referenceProblems(given)) issues.push({ code: "custom", input: given, path: [], message });
  });

const questionSchema = z
  .strictObject({
    question: text.describe("What the agent is asked."),
    name: text.max(200).exactOptional().describe("The name of the case. Default: the question."),
    tags: z.array(text).exactOptional().describe("For --tag."),
    connection: text.exactOptional().describe("The connection of sql. Default: that of the file."),
    ...reference,
    ordered: z.boolean().exactOptional().describe("Whether the order of the rows counts. Default: false."),
    tolerance: tolerance.exactOptional(),
    says: says.exactOptional(),
    ambiguous: z
      .array(assumptionSchema)
      .min(2)
      .exactOptional()
      .describe("The question has several right answers. The agent has to give one, and to name its assumption."),
    unanswerable: text
      .exactOptional()
      .describe("Why the data do not contain the answer. The agent has to say that it does not know."),
  })
  .check(({ value: given, issues }) => {
    for (const message of questionProblems(given)) issues.push({ code: "custom", input: given, path: [], message });
  });

export const questionFileSchema = z.strictObject({
  connection: text.exactOptional().describe("The connection of the statements. Default: the only one of bridle.yaml."),
  tolerance: tolerance.exactOptional(),
  questions: z.array(questionSchema).min(1).max(1000).describe("The questions."),
});

export type QuestionFile = z.output<typeof questionFileSchema>;
export type Reference = Pick<z.output<typeof questionSchema>, keyof typeof reference>;

/** A question that is complete: with the connection and the tolerance of its file. */
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
