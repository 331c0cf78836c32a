import type { ContextQuestion, OpenedContext } from "@bridle/context";
import { ConfigError, getErrorMessage } from "@bridle/protocol";
import type { TestRun } from "@bridle/testing";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { runAgentTests, type TestEffects, type TestPlanOptions } from "../tests/run-agent-tests.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";
import { findQuestions, type QuestionSelection } from "./find-questions.ts";
import { contextContents, defineQuestionAgent, questionOf } from "./question-agent.ts";
import { metricsOfQuestion } from "./question-metrics.ts";
import { ReferenceRows } from "./reference-rows.ts";

/** Which questions an agent answers, and how. */
export interface QuestionsPlan
  extends QuestionSelection,
    Omit<TestPlanOptions, "cases" | "allowSideEffects" | "judges"> {
  /** The knowledge that the agent can use: everything, or only the structure of the databases. Default: `all`. */
  readonly knowledge?: "all" | "structure" | undefined;
}

/**
 * Lets an agent answer questions whose answers are known. The questions run as test cases of the agent. The known answers are computed
 * first, so that an invalid one costs nothing.
 *
 * @throws ConfigError if a file or a known answer is invalid, UsageError if no question matches; and the errors of `runTests`.
 */
export async function evaluateQuestions(
  { file, cases, tags, knowledge = "all", ...plan }: QuestionsPlan,
  context: ProjectContext,
  effects: TestEffects,
): Promise<TestRun> {
  const questions = await trustedQuestions({ file, cases, tags }, context);
  const isRehearsed = plan.rehearse !== undefined;
  const opened = await openDataContext(context, { embedder: "none", isRehearsed });
  try {
    requireScan(questions, opened);
    const references = new ReferenceRows(opened);
    const [wrong] = (await readAll(questions, references, effects.signal)).filter(({ problem }) => problem !== null);
    if (wrong) throw new ConfigError(`The question "${wrong.name}" has a wrong known answer. ${wrong.problem}`);
    const definition = await defineQuestionAgent(questions, knowledge, context);
    const contents = knowledge === "all" ? contextContents(context.project.projectDir) : {};
    return await runAgentTests(definition, plan, context, {
      ...effects,
      metricsOf: ({ turn_config: values }) => metricsOfQuestion(questionOf(values), references),
      contents,
    });
  } finally {
    await opened.close();
  }
}

/** The output of `bridle context eval --check --json`: each question with the rows of its known answers. */
export const checkedQuestionsSchema = z.object({
  questions: z
    .array(
      z.object({
        name: z.string(),
        tags: z.array(z.string()).readonly(),
        kind: z.enum(["known", "ambiguous", "unanswerable"]),
        /** The number of rows in each known answer. */
        rows: z.array(z.number()).readonly(),
        problem: z.string().nullable(),
      }),
    )
    .readonly(),
});
export type CheckedQuestions = z.output<typeof checkedQuestionsSchema>;

/** Computes the known answers, without a model. Throws like `evaluateQuestions`, except that an invalid answer is part of the result. */
export async function checkQuestions(
  selection: QuestionSelection,
  context: ProjectContext,
  signal: AbortSignal,
): Promise<CheckedQuestions> {
  const questions = await trustedQuestions(selection, context);
  const opened = await openDataContext(context, { embedder: "none" });
  try {
    requireScan(questions, opened);
    return checkedQuestionsSchema.parse({ questions: await readAll(questions, new ReferenceRows(opened), signal) });
  } finally {
    await opened.close();
  }
}

async function trustedQuestions(selection: QuestionSelection, context: ProjectContext) {
  await context.project.requireTrust();
  return findQuestions(selection, context);
}

/** Runs the statements one after the other, so that a database executes only one at a time. */
async function readAll(questions: readonly ContextQuestion[], references: ReferenceRows, signal: AbortSignal) {
  const checked: CheckedQuestions["questions"][number][] = [];
  for (const question of questions) checked.push(await readOne(question, references, signal));
  return checked;
}

async function readOne(
  question: ContextQuestion,
  references: ReferenceRows,
  signal: AbortSignal,
): Promise<CheckedQuestions["questions"][number]> {
  const { name, tags = [], ambiguous, unanswerable } = question;
  const kind = ambiguous ? "ambiguous" : unanswerable === undefined ? "known" : "unanswerable";
  const rows: number[] = [];
  try {
    for (const reference of unanswerable === undefined ? (ambiguous ?? [question]) : []) {
      rows.push((await references.read(reference, question, signal)).rows.length);
    }
    return { name, tags, kind, rows, problem: null };
  } catch (error) {
    signal.throwIfAborted();
    return { name, tags, kind, rows, problem: getErrorMessage(error) };
  }
}

/** Throws ConfigError if a connection has not been scanned, because the agent would then know nothing about it. */
function requireScan(questions: readonly ContextQuestion[], { knowledge }: OpenedContext): void {
  const scanned = new Set(knowledge.connections().flatMap(({ name, tables }) => (tables > 0 ? [name] : [])));
  const unknown = questions.find(({ connection }) => !scanned.has(connection));
  if (unknown === undefined) return;
  const message = `The connection ${unknown.connection} has not been scanned, so the agent knows nothing about it. Run "bridle context scan".`;
  throw new ConfigError(message, { field: "context.connections" });
}
