import type { ApprovalAnswer } from "@bridle/protocol";
import { expect, test } from "vitest";
import { AnswerWatch } from "./answer-watch.ts";
import { type AnswerSource, joinApprovals } from "./join-approvals.ts";

const allow: ApprovalAnswer = { decision: "allow", by: "ada" };
const deny: ApprovalAnswer = { decision: "deny", by: "bob" };

function answered(answer: ApprovalAnswer | undefined): AnswerSource {
  return { watch: () => () => {}, close: async () => answer };
}

test.each([
  { title: "nobody answered", answers: [undefined, undefined], counts: undefined },
  { title: "one log has an answer", answers: [undefined, allow], counts: allow },
  { title: "the first log has a denial, another an allowance", answers: [deny, allow], counts: deny },
  { title: "another log has a denial, the first an allowance", answers: [allow, undefined, deny], counts: deny },
])("the answer of several event logs, if $title", async ({ answers, counts }) => {
  const joined = joinApprovals(answers.map(answered));
  expect(await joined?.close("q")).toBe(counts);
});

test("an answer in any of several event logs arrives, until nobody waits for it", () => {
  const logs = [new AnswerWatch({ answered: async () => [] }), new AnswerWatch({ answered: async () => [] })];
  const joined = joinApprovals(
    logs.map((log) => ({ watch: (id, listener) => log.add(id, listener), close: async () => undefined })),
  );
  const told: string[] = [];
  joined?.watch("q", { onAnswer: () => told.push("q") });
  const stop = joined?.watch("r", { onAnswer: () => told.push("r") });
  logs[1]?.announce("q");
  stop?.();
  for (const log of logs) log.announce("r");
  expect(told).toEqual(["q"]);
  logs[0]?.announce("q");
});

test("one event log of several runs is asked once", () => {
  const log = answered(allow);
  expect(joinApprovals([log, undefined, log])).toBe(log);
  expect(joinApprovals([undefined])).toBeUndefined();
});
