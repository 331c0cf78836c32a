/** The tokens and the cost of a summary, which a run asks for when its history is too long. */
import { ContextOverflowError, type Cost, type Message, type TurnContext } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begin, createTestConversation, natural, someUsage } from "../../runtime/runs-for-tests.ts";
import { hostThat, respondOnce } from "./nested-runs-for-tests.ts";

const cent: Cost = { usd: 0.01, estimate: false };
const turn = (role: "user" | "assistant", content: string) => ({ role, content });
const prompt = [
  turn("user", "a"),
  turn("assistant", "b"),
  turn("user", "c"),
  turn("assistant", "d"),
  turn("user", "e"),
];

/** A model for which the history is too long once. `summarize` answers the request for a summary. */
function forgetful(summarize: (host: TurnContext) => unknown) {
  const sent: string[] = [];
  let isTooLong = true;
  const answer = async (message: Message, host: TurnContext) => {
    const isSummary = JSON.stringify(message).includes("<conversation>");
    sent.push(isSummary ? "summary" : "prompt");
    if (isSummary) await summarize(host);
    else if (isTooLong) {
      isTooLong = false;
      throw new ContextOverflowError("too long");
    } else respondOnce(host, "done", cent);
    return natural;
  };
  const backend = hostThat(() => natural, {
    open: async () => createTestConversation(() => natural, { turn: answer }),
  });
  return { backend, sent };
}
const short = (host: TurnContext) => respondOnce(host, "short", cent);
const request = { prompt, tools: [], compaction: "summarise" } as const;

test("a summary is a run that counts in `nested`, and its response is no step of the budget", async () => {
  const { backend, sent } = forgetful(short);
  const result = await begin(backend, { ...request, stepBudget: 1 }).result;
  expect(sent).toEqual(["prompt", "summary", "prompt"]);
  expect(result).toMatchObject({ stopReason: "natural", text: "done", steps: 1, usage: someUsage, cost: cent });
  expect(result.nested).toEqual({ runs: 1, steps: 1, toolCalls: 0, usage: someUsage, cost: cent });
});

test.each([{ maxTotalTokens: 3 }, { maxCostUsd: 0.01 }])(
  "a run whose budget the summary uses up sends nothing more: %o",
  async (budget) => {
    const { backend, sent } = forgetful(short);
    const result = await begin(backend, { ...request, ...budget }).result;
    expect([result.stopReason, sent, result.nested?.usage]).toEqual(["budget", ["prompt", "summary"], someUsage]);
  },
);

test("a summary ends with the run that asks for it, which has its tokens", async () => {
  const asked = Promise.withResolvers<void>();
  const { backend } = forgetful((host) => {
    respondOnce(host, "sho", cent);
    asked.resolve();
    return new Promise(() => {});
  });
  const run = begin(backend, request);
  await asked.promise;
  run.stop("enough");
  expect(await run.result).toMatchObject({ stopReason: "stopped", nested: { runs: 1, usage: someUsage } });
});
