import type { ContextQuestion } from "@bridle/context";
import type { Call, PlannedMetric, TurnFacts } from "@bridle/testing";
import { expect, test } from "vitest";
import { metricsOfQuestion } from "./question-metrics.ts";
import { ReferenceRows } from "./reference-rows.ts";

const signal = new AbortController().signal;
const question = (given: Partial<ContextQuestion>): ContextQuestion => ({
  question: "How many?",
  name: "How many?",
  connection: "shop",
  ...given,
});

function ran(rows: readonly (readonly unknown[])[], more: Partial<Call> & { structured?: object } = {}): Call {
  const { structured = {}, ...call } = more;
  return {
    kind: "call",
    callId: "c",
    tool: "run_sql",
    input: { statement: "SELECT 1" },
    state: "succeeded",
    output: null,
    rule: null,
    step: 1,
    durationMs: 1,
    structured: { columns: [], tables: [{ schema: "main", table: "orders" }], masked: [], rows, ...structured },
    ...call,
  };
}

/** Returns the scores by the names of the metrics. The context opens no connection. */
async function score(given: Partial<ContextQuestion>, calls: readonly Call[], answer = "") {
  // biome-ignore lint/suspicious/noExplicitAny: no statement runs here
  const metrics = metricsOfQuestion(question(given), new ReferenceRows(undefined as any));
  const facts = { caseName: "", turn: 1, config: {}, input: "", answer, calls, transcript: [], steps: 1 };
  const entries = metrics.map(async ({ name, score: run }: PlannedMetric) => {
    const scored = await run({ ...facts, retrievalContext: [], durationMs: 0 } as TurnFacts, signal);
    return [name, scored.score] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test("the last statement that succeeded and read a table counts", async () => {
  const rows = [[2]];
  const failed = ran([[3]], { state: "failed" });
  const computed = ran([[3]], { structured: { tables: [] } });
  const listed = ran([[3]], { tool: "query_metrics", structured: { lines: [] } });
  expect(await score({ rows }, [ran([[1]]), ran([[2]]), failed, computed, listed])).toEqual({ rows: 1 });
  expect(await score({ rows }, [ran([[2]]), ran([[1]])])).toEqual({ rows: 0 });
  expect(await score({ rows }, [failed, computed])).toEqual({ rows: 0 });
  expect(await score({ rows }, [])).toEqual({ rows: 0 });
});

test("a metric query counts like a statement", async () => {
  const structured = { connection: "shop", sql: "SELECT 2", tables: ["main.orders"], columns: [{ type: "decimal" }] };
  expect(await score({ rows: [["2.50"]] }, [ran([["2.5"]], { tool: "query_metrics", structured })])).toEqual({
    rows: 1,
  });
});

test("an ambiguous question needs the rows of one assumption, and an answer that names this one", async () => {
  const ambiguous = [
    { assumption: "by order date", says: ["order date", "ordered"], rows: [[1]] },
    { assumption: "by ship date", says: ["ship date"], rows: [[2]] },
  ];
  expect(await score({ ambiguous }, [ran([[2]])], "2, by ship date.")).toEqual({ rows: 1, assumption: 1 });
  expect(await score({ ambiguous }, [ran([[2]])], "2, by order date.")).toEqual({ rows: 1, assumption: 0 });
  expect(await score({ ambiguous }, [ran([[3]])], "3, by order date.")).toEqual({ rows: 0, assumption: 1 });
});

test("a question without an answer needs the words that there is none, and no rows", async () => {
  const unanswerable = "There are no costs.";
  expect(await score({ unanswerable }, [], "I do not know.")).toEqual({ unknown: 1 });
  expect(await score({ unanswerable }, [ran([[2]])], "The profit is 2.")).toEqual({ unknown: 0 });
  expect(await score({ unanswerable, says: ["weiß ich nicht"] }, [], "Das weiß ich nicht.")).toEqual({ unknown: 1 });
});

test("an answer needs one of the words that its question names", async () => {
  const given = { rows: [[2]], says: ["EUR", "euro"] };
  expect(await score(given, [ran([[2]])], "2 Euro")).toEqual({ rows: 1, words: 1 });
  expect(await score(given, [ran([[2]])], "2 USD")).toEqual({ rows: 1, words: 0 });
});
