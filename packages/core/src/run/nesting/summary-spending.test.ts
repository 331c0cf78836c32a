/** Tests the tokens and the cost of the summary that a run requests when its history is too long. */
import {
  type Backend,
  ContextOverflowError,
  type Cost,
  type HistoryMessage,
  type Message,
  type SendOptions,
  type TurnContext,
} from "@bridle/protocol";
import { expect, test } from "vitest";
import { createTestConversation, natural, someUsage } from "../../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../../runtime/runtime.ts";
import { hostThat, respondOnce } from "./nested-runs-for-tests.ts";

const cent: Cost = { usd: 0.01, estimate: false };
const said = (role: "user" | "assistant", text: string): HistoryMessage => ({
  role,
  content: [{ type: "text", text }],
});
const history = [said("user", "a"), said("assistant", "b"), said("user", "c"), said("assistant", "d")];

/** Creates a model that rejects the history once, because it is too long. `summarize` answers the request for a summary. */
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

/** Sends a message in a session with a history. */
async function send(backend: Backend, options: SendOptions = {}) {
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  const session = await runtime.openSession({ tools: [], compaction: "summarise" });
  session.edit(history);
  return session.send("e", options);
}

test("a summary is a run that counts in `nested`, and its response is no step of the budget", async () => {
  const { backend, sent } = forgetful(short);
  const result = await (await send(backend, { stepBudget: 1 })).result;
  expect(sent).toEqual(["prompt", "summary", "prompt"]);
  expect(result).toMatchObject({ stopReason: "natural", text: "done", steps: 1, usage: someUsage, cost: cent });
  expect(result.nested).toEqual({ runs: 1, steps: 1, toolCalls: 0, usage: someUsage, cost: cent });
});

test.each([{ maxTotalTokens: 3 }, { maxCostUsd: 0.01 }])(
  "a run whose budget the summary uses up sends nothing more: %o",
  async (budget) => {
    const { backend, sent } = forgetful(short);
    const result = await (await send(backend, budget)).result;
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
  const run = await send(backend);
  await asked.promise;
  run.stop("enough");
  expect(await run.result).toMatchObject({ stopReason: "stopped", nested: { runs: 1, usage: someUsage } });
});

test("a summary that uses up the budget is kept with the message: the next run does not pay for another one", async () => {
  const { backend, sent } = forgetful(short);
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  const session = await runtime.openSession({ tools: [], compaction: "summarise" });
  session.edit(history);
  const ended = await session.send("e", { maxTotalTokens: 3 });
  expect(await ended.result).toMatchObject({ stopReason: "budget" });
  const kept = JSON.stringify(session.history());
  expect(kept).toContain("short");
  expect(kept).toContain('"text":"e"');
  await (await session.send("f")).result;
  expect(sent).toEqual(["prompt", "summary", "prompt"]);
});
