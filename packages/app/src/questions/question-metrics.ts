/** The metrics of a question: whether the rows are correct, and whether the answer contains the required words. */
import { type ComparedRows, type ContextQuestion, compareRows, type QuestionReference } from "@bridle/context";
import { getErrorMessage } from "@bridle/protocol";
import { MetricError, type PlannedMetric, type TurnFacts } from "@bridle/testing";
import { type AgentRows, lastRowsOf } from "./agent-rows.ts";
import { formatRowsAsText } from "./format-rows-as-text.ts";
import { KnownAnswerError, type ReferenceRows } from "./reference-rows.ts";
import { admitsIgnorance, findWords } from "./said-words.ts";

type Score = Awaited<ReturnType<PlannedMetric["score"]>>;
/** A known answer, with the words that name its assumption. */
type Variant = QuestionReference & { readonly assumption?: string; readonly says?: readonly string[] };

/** Returns the metrics of one question. */
export function metricsOfQuestion(question: ContextQuestion, references: ReferenceRows): readonly PlannedMetric[] {
  const { ambiguous, unanswerable, says } = question;
  const rows = new RowsMetric(question, references);
  return [
    ...(unanswerable === undefined ? [metric("rows", (facts, signal) => rows.score(facts, signal))] : []),
    ...(ambiguous ? [metric("assumption", (facts, signal) => rows.scoreAssumption(facts, signal))] : []),
    ...(unanswerable === undefined
      ? []
      : [metric("unknown", async ({ answer }) => scoreUnknown(answer, unanswerable, says))]),
    ...(says && unanswerable === undefined ? [metric("words", async ({ answer }) => scoreWords(answer, says))] : []),
  ];
}

function metric(name: string, score: PlannedMetric["score"]): PlannedMetric {
  return { name, type: "standard", metric: name, threshold: 1, passes: "at-least", unit: null, score };
}

/** Compares the rows of the agent's last statement with the known rows. */
class RowsMetric {
  readonly #question: ContextQuestion;
  readonly #references: ReferenceRows;

  constructor(question: ContextQuestion, references: ReferenceRows) {
    this.#question = question;
    this.#references = references;
  }

  async score(facts: TurnFacts, signal: AbortSignal): Promise<Score> {
    const rows = await this.#rowsOf(facts, signal);
    if (rows === undefined) {
      return { score: 0, reason: "No statement read a table, so the answer is not based on the data." };
    }
    const compared = await this.#compare(rows, signal);
    const right = compared.find(({ isSame }) => isSame);
    if (right) return { score: 1, reason: right.variant.assumption, evidence: { sql: rows.sql } };
    const [first] = compared;
    const reason = compared.length > 1 ? "The rows are those of none of the assumptions." : first?.reason;
    const expected = first && formatRowsAsText(first.expected);
    return { score: 0, reason, expected, received: formatRowsAsText(rows), evidence: { sql: rows.sql } };
  }

  /** Whether the answer names the assumption under which its rows are correct. */
  async scoreAssumption(facts: TurnFacts, signal: AbortSignal): Promise<Score> {
    const rows = await this.#rowsOf(facts, signal);
    const compared = rows === undefined ? [] : await this.#compare(rows, signal);
    const right = compared.filter(({ isSame }) => isSame).map(({ variant }) => variant);
    const variants = right.length > 0 ? right : this.#variants;
    const words = variants.flatMap(({ says = [] }) => says);
    const names = variants.map(({ assumption }) => assumption).join("; or ");
    return scoreWords(facts.answer, words, `The answer has to name its assumption: ${names}.`);
  }

  get #variants(): readonly Variant[] {
    const { ambiguous, sql, metrics, rows } = this.#question;
    return ambiguous ?? [{ ...(sql && { sql }), ...(metrics && { metrics }), ...(rows && { rows }) }];
  }

  async #rowsOf(
    { calls }: TurnFacts,
    signal: AbortSignal,
  ): Promise<(ComparedRows & Pick<AgentRows, "sql">) | undefined> {
    const last = lastRowsOf(calls);
    if (last === undefined || !last.isPartial) return last;
    const { connection = this.#question.connection, sql } = last;
    return { ...(await usable(this.#references.run(connection, sql, signal), signal)), sql };
  }

  #compare(rows: ComparedRows, signal: AbortSignal) {
    const { ordered, tolerance } = this.#question;
    return Promise.all(
      this.#variants.map(async (variant) => {
        const expected = await usable(this.#references.read(variant, this.#question, signal), signal);
        return { variant, expected, ...compareRows(expected, rows, { ordered, tolerance }) };
      }),
    );
  }
}

/** Returns the rows. Throws MetricError if they cannot be obtained. */
async function usable(rows: Promise<ComparedRows>, signal: AbortSignal): Promise<ComparedRows> {
  try {
    return await rows;
  } catch (cause) {
    if (signal.aborted || !(cause instanceof KnownAnswerError)) throw cause;
    throw new MetricError(getErrorMessage(cause), { cause });
  }
}

function scoreWords(answer: string, words: readonly string[], need = "The answer does not have these words."): Score {
  const found = findWords(answer, words);
  if (found !== undefined) return { score: 1, reason: `"${found}"` };
  return { score: 0, reason: need, expected: `one of: ${words.join(", ")}`, received: answer };
}

function scoreUnknown(answer: string, why: string, says: readonly string[] | undefined): Score {
  if (admitsIgnorance(answer, says)) return { score: 1 };
  const reason = `The answer has to say that it does not know: ${why}`;
  const expected = says === undefined ? 'such as "I do not know"' : `one of: ${says.join(", ")}`;
  return { score: 0, reason, expected, received: answer };
}
