import type { Judge } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { NoScoreError } from "../scoring/no-score-error.ts";
import { answerRelevancy } from "./answer-relevancy.ts";
import { contextualPrecision } from "./contextual-precision.ts";
import { contextualRecall } from "./contextual-recall.ts";
import { contextualRelevancy } from "./contextual-relevancy.ts";
import { faithfulness } from "./faithfulness.ts";
import { geval } from "./geval.ts";
import { facts, scriptedJudge, verdicts } from "./judges-for-tests.ts";
import { rubric } from "./rubric.ts";

const claims = { statements: ["Thirty days.", "Free of charge."] };
const levels = [
  { score: 0, description: "Wrong." },
  { score: 1, description: "Right." },
];

describe("a metric without its facts", () => {
  const metrics = {
    faithfulness: faithfulness(),
    contextual_relevancy: contextualRelevancy(),
    contextual_precision: contextualPrecision(),
    contextual_recall: contextualRecall(),
    geval: geval({ criteria: "Good.", params: ["retrieval_context"] }),
  };

  test.each(Object.entries(metrics))(
    "%s has no score without retrieved text, names the remedy and asks no judge",
    async (_, metric) => {
      const { judge, asked } = scriptedJudge([]);
      for (const retrievalContext of [[], [" "]])
        await expect(metric({ ...facts, retrievalContext }, judge)).rejects.toThrow(
          new NoScoreError(
            "there is no retrieved text. Write retrieval_context in the case, or give the agent a tool that retrieves.",
          ),
        );
      expect(asked).toEqual([]);
    },
  );

  test.each([
    ["contextual_precision", contextualPrecision()],
    ["contextual_recall", contextualRecall()],
    ["geval", geval({ criteria: "Good.", params: ["actual_output", "expected_output"] })],
  ])("%s has no score without a ground truth, and names the remedy", async (_, metric) => {
    const { groundTruth: _none, ...without } = facts;
    await expect(metric(without, scriptedJudge([]).judge)).rejects.toThrow(
      "the case has no ground_truth. Write one, or remove the metric.",
    );
  });

  test.each([
    ["faithfulness", faithfulness()],
    ["answer_relevancy", answerRelevancy()],
    ["geval", geval({ criteria: "Good." })],
    ["rubric", rubric(levels)],
  ])("%s has no score for an empty answer", async (_, metric) => {
    const { judge, asked } = scriptedJudge([]);
    await expect(metric({ ...facts, answer: " \n" }, judge)).rejects.toThrow(
      "there is nothing to judge: the answer is empty.",
    );
    expect(asked).toEqual([]);
  });

  test("faithfulness has no score for an answer without a claim", async () => {
    const { judge } = scriptedJudge([{ statements: [] }]);
    await expect(faithfulness()({ ...facts, answer: "Sorry." }, judge)).rejects.toThrow(
      "there is nothing to judge: the answer makes no claim.",
    );
  });

  test("contextual_recall has no score for a ground truth without a sentence", async () => {
    await expect(contextualRecall()({ ...facts, groundTruth: "…" }, scriptedJudge([]).judge)).rejects.toThrow(
      "the ground truth contains no sentence",
    );
  });
});

describe("an invalid answer of a judge", () => {
  const one = { number: 1, reason: "So.", holds: true };
  test.each([
    ["too few verdicts", [one], "There is no verdict on 2."],
    ["the same number twice", [one, one], "There are two verdicts on 1."],
    [
      "a number that was not asked about",
      [one, { ...one, number: 7 }],
      "There is a verdict on 7, which was not asked about.",
    ],
    ["no verdicts", [], "There is no verdict on 1."],
    ["a text instead of true or false", [one, { ...one, number: 2, holds: "yes" }], "expected boolean"],
  ])("is refused: %s", async (_, given, message) => {
    const { judge } = scriptedJudge([claims, { verdicts: given }]);
    await expect(faithfulness()(facts, judge)).rejects.toThrow(message);
  });

  test("is refused if a claim is empty", async () => {
    await expect(faithfulness()(facts, scriptedJudge([{ statements: [" "] }]).judge)).rejects.toThrow("is empty");
  });

  test.each([
    ["10.5 of 10", { score: 10.5 }],
    ["11 of 10", { score: 11 }],
    ["-1", { score: -1 }],
    ["7.5", { score: 7.5 }],
  ])("is refused with the score %s", async (_, { score }) => {
    const metric = geval({ criteria: "Good.", steps: ["Read."] });
    await expect(metric(facts, scriptedJudge([{ reason: "", score }]).judge)).rejects.toThrow(
      "is not a whole number from 0 to 10",
    );
  });

  test("is refused if a strict judge gives more than 1 or there are no steps", async () => {
    const strict = geval({ criteria: "Good.", steps: ["Read."], strict: true });
    await expect(strict(facts, scriptedJudge([{ reason: "", score: 10 }]).judge)).rejects.toThrow("from 0 to 1");
    const planned = geval({ criteria: "Good." });
    await expect(planned(facts, scriptedJudge([{ steps: [] }]).judge)).rejects.toThrow("contains no step");
  });

  test.each([0, 3, 1.5])("is refused with the level %d of two", async (level) => {
    const { judge } = scriptedJudge([{ reason: "", level }]);
    await expect(rubric(levels)(facts, judge)).rejects.toThrow("is not a level from 1 to 2");
  });
});

describe("the prompts of a judge", () => {
  test("are two for faithfulness: the claims without the retrieved text, then all verdicts together", async () => {
    const { judge, asked } = scriptedJudge([claims, verdicts([true, false])]);
    await faithfulness()(facts, judge);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.prompt).toContain(facts.answer);
    expect(asked[0]?.prompt).not.toContain("We sell hats");
    expect(asked[1]?.prompt).toMatch(/<passage-1-(\w+)>\nReturns are accepted within 30 days\.\n<\/passage-1-\1>/);
    expect(asked[1]?.prompt).toMatch(/<claim-2-(\w+)>\nFree of charge\.\n<\/claim-2-\1>/);
  });

  test("are split into several calls for many texts, with consecutive numbers", async () => {
    const statements = Array.from({ length: 45 }, (_, index) => `Claim ${index + 1}.`);
    const many = Array.from({ length: 40 }, (_, index) => index % 2 === 0);
    const { judge, asked } = scriptedJudge([
      { statements },
      verdicts(many),
      verdicts([true, true, true, true, false], 41),
    ]);
    const { score } = await faithfulness()(facts, judge);
    expect(score).toBeCloseTo(24 / 45, 9);
    expect(asked[2]?.prompt).toContain("from 41 to 45");
  });

  test("request no reason if none is wanted, and the result has none", async () => {
    const bare = { verdicts: verdicts([true, false]).verdicts.map(({ number, holds }) => ({ number, holds })) };
    const { judge, asked } = scriptedJudge([claims, bare]);
    const judged = await faithfulness({ includeReason: false })(facts, judge);
    expect(judged).toEqual({
      score: 0.5,
      evidence: {
        claims: [
          { text: "Thirty days.", holds: true },
          { text: "Free of charge.", holds: false },
        ],
      },
    });
    expect(asked[1]?.prompt).not.toContain("reason");
  });

  test("lead to a reason with the number of positive verdicts, and the first negative ones", async () => {
    const { judge } = scriptedJudge([claims, verdicts([true, false])]);
    expect((await faithfulness()(facts, judge)).reason).toBe(
      "1 of 2 claims are supported by the retrieved text. Not so: “Free of charge.” (It says so).",
    );
    const five = scriptedJudge([
      { statements: ["a", "b", "c", "d", "e"] },
      verdicts([false, false, false, false, false]),
    ]);
    expect((await answerRelevancy()(facts, five.judge)).reason).toMatch(/“c” \(It says so\), and 2 more\.$/);
  });
});

describe("a metric by criteria", () => {
  const score = { reason: "Fine.", score: 7 };

  test("creates its steps once for all answers, even concurrent ones", async () => {
    const metric = geval({ criteria: "Good." });
    const first = scriptedJudge([{ steps: ["Look."] }, score]);
    const second = scriptedJudge([score]);
    const [one, two] = await Promise.all([metric(facts, first.judge), metric(facts, second.judge)]);
    expect(one.evidence).toEqual({ steps: ["Look."], given: 7, of: 10 });
    expect(two.evidence).toEqual(one.evidence);
    expect(second.asked[0]?.prompt).toContain("1. Look.");
  });

  test("creates its steps with the next judge if the first fails", async () => {
    const metric = geval({ criteria: "Good." });
    const failing: Judge = async () => Promise.reject(new Error("aborted"));
    const next = scriptedJudge([{ steps: ["Look."] }, score]);
    const [one, two] = await Promise.allSettled([metric(facts, failing), metric(facts, next.judge)]);
    expect(one).toMatchObject({ status: "rejected", reason: { message: "aborted" } });
    expect(two).toMatchObject({ status: "fulfilled", value: { score: 0.7 } });
  });

  test("shows the judge the chosen parts of the case and nothing else", async () => {
    const { judge, asked } = scriptedJudge([score]);
    await geval({ criteria: "Good.", steps: ["Look."], params: ["expected_output", "retrieval_context"] })(
      facts,
      judge,
    );
    expect(asked[0]?.prompt).toContain("Within 30 days.");
    expect(asked[0]?.prompt).toContain("We sell hats.");
    expect(asked[0]?.prompt).not.toContain(facts.answer);
    expect(asked[0]?.prompt).not.toContain(facts.input);
  });
});

test("a rubric shows its levels without their scores, and the ground truth if there is one", async () => {
  const { judge, asked } = scriptedJudge([{ reason: "Fits.", level: 2 }]);
  const counted = levels.map((level, index) => ({ ...level, score: index === 0 ? 0.123 : 0.456 }));
  expect(await rubric(counted)(facts, judge)).toEqual({
    score: 0.456,
    reason: "Fits.",
    evidence: { level: 2, description: "Right." },
  });
  expect(asked[0]?.prompt).toContain("1. Wrong.\n2. Right.");
  expect(asked[0]?.prompt).toContain("Within 30 days.");
  expect(asked[0]?.prompt).not.toMatch(/0\.123|0\.456/);
});
