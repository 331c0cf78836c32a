import {
  BackendCrashError,
  type BackendEvent,
  BoundaryError,
  type BridleError,
  type ConversationSpec,
  createUsageMeter,
  defaultPromptCaching,
  TimeoutError,
  type TurnContext,
  textMessage,
  UsageLimitError,
} from "@bridle/protocol";
import { expect, test } from "vitest";
import type { HostMessage } from "../messages/messages.ts";
import type { ProcessSource } from "../pool/process-source.ts";
import type { HostProcess } from "../process/host-process.ts";
import { openHostConversation } from "./conversation.ts";

const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  tools: [],
  builtins: [],
  stepBudget: 1,
  promptCaching: defaultPromptCaching,
  history: [],
  projectDir: "/",
};

const success: HostMessage = {
  type: "result",
  subtype: "success",
  is_error: false,
  total_cost_usd: 0,
  modelUsage: {},
};

const outOfBudget: HostMessage = {
  type: "result",
  subtype: "error_max_turns",
  is_error: true,
  total_cost_usd: 0,
  modelUsage: {},
};

const firstWord: HostMessage = {
  type: "assistant",
  message: { id: "1", model: "m", content: [{ type: "text", text: "Well" }], usage: null },
};

/** How a fake process reacts to a message. */
type Reaction = "answers" | "budget" | "hangs" | "dies" | "speaks and dies" | "begins and is refused" | BridleError;

const usedUp = new UsageLimitError("Used up.", { window: "five_hour", resetsAt: new Date(0) });

/** How many times a turn may wait for a used-up window. */
const patience = 2;

/** Opens a conversation over fake processes, with a list of reactions for each of them. */
async function openTestConversation(...processes: Reaction[][]) {
  const started: string[][] = [];
  const events: BackendEvent[] = [];
  const stop = new AbortController();
  const waits: (BridleError | "ended")[] = [];
  const outcomes: ("fit for another" | "ended")[] = [];
  const host: TurnContext = {
    signal: stop.signal,
    emit: (event) => void events.push(event),
    callTool: async () => ({ output: "", isError: true }),
    authorizeHostTool: async () => ({ allow: false, reply: "" }),
    completeHostTool: () => {},
    reportRefused: () => {},
    async awaitLimit(error) {
      waits.push(error);
      if (waits.filter((wait) => wait !== "ended").length > patience) throw error;
    },
  };

  function openProcess(): HostProcess {
    const reactions = processes[started.length] ?? [];
    const sent: string[] = [];
    started.push(sent);
    let heard = false;
    return {
      meter: createUsageMeter(),
      pid: undefined,
      gone: new Promise(() => {}),
      rewind: async () => true,
      keepConversation: async () => true,
      unref() {},
      ref() {},
      close: async () => {},
      get hasResponded() {
        return heard;
      },
      begin(message, turn) {
        const reaction = reactions[sent.length] ?? "dies";
        sent.push(JSON.stringify(message.message.content));
        heard ||= reaction !== "dies" && !(reaction instanceof TimeoutError);
        if (reaction === "begins and is refused") turn.receive(firstWord);
        if (reaction === "begins and is refused") turn.fail(usedUp);
        else if (reaction === "answers") turn.receive(success);
        else if (reaction === "budget") turn.receive(outOfBudget);
        else if (reaction === "dies" || reaction === "speaks and dies") turn.fail(new Error(`it ${reaction}`));
        else if (reaction !== "hangs") turn.fail(reaction);
      },
    };
  }

  const source: ProcessSource = {
    acquire: async () => ({ process: openProcess() }),
    async release() {
      outcomes.push("fit for another");
    },
    async end(_process, next) {
      if (next === "none") waits.push("ended");
      outcomes.push("ended");
    },
  };
  const promptContext = { implicitSources: [], hostAdds: [] };
  const conversation = await openHostConversation(
    { spec, auth: "session", hasBaseUrl: false, idleTimeoutMs: 60_000, environment: {}, promptContext },
    source,
  );
  const say = (text: string) => conversation.turn(textMessage(text), host);
  const retries = () => events.filter(({ type }) => type === "retry.scheduled");
  return { say, started, retries, stop, waits, outcomes, close: () => conversation.close() };
}

test("a process that dies before it sends anything is replaced, gets the same message, and a retry is reported", async () => {
  const { say, started, retries } = await openTestConversation(["dies"], ["dies"], ["answers"]);
  expect(await say("Hello")).toEqual({ reason: "natural" });
  expect(new Set(started.flat()).size).toBe(1);
  expect(started).toHaveLength(3);
  expect(retries()).toMatchObject([
    { attempt: 1, maxAttempts: 3, reason: expect.stringContaining("it dies") },
    { attempt: 2, maxAttempts: 3 },
  ]);
});

test("a process is replaced at most three times; then the crash is the error", async () => {
  const { say, started, retries } = await openTestConversation();
  await expect(say("Hello")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(4);
  expect(retries()).toHaveLength(3);
});

test("a process that has sent something is not replaced, because its requests may have been made", async () => {
  const { say, started } = await openTestConversation(["speaks and dies"]);
  await expect(say("Hello")).rejects.toThrow("it speaks and dies");
  expect(started).toHaveLength(1);
});

test("a process that dies in a later turn is not replaced, because a new one would not know the earlier turns", async () => {
  const { say, started } = await openTestConversation(["answers", "dies"]);
  await say("My name is Ada");
  await expect(say("What is my name?")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});

test("a process that did not start as configured is not replaced", async () => {
  const { say, started } = await openTestConversation([new BoundaryError("A tool too many.", ["a tool too many"])]);
  await expect(say("Hello")).rejects.toThrow(BoundaryError);
  expect(started).toHaveLength(1);
});

test("a process that is silent for too long is not replaced", async () => {
  const { say, started } = await openTestConversation([new TimeoutError("Claude Code said nothing for 300 s.")]);
  await expect(say("Hello")).rejects.toThrow(TimeoutError);
  expect(started).toHaveLength(1);
});

test("no process is replaced in a turn that was stopped", async () => {
  const { say, started, stop } = await openTestConversation();
  stop.abort();
  await expect(say("Hello")).rejects.toMatchObject({ code: "stopped" });
  expect(started).toHaveLength(1);
});

test("no process is replaced once the conversation is closed", async () => {
  const { say, started, close } = await openTestConversation();
  const said = say("Hello");
  await close();
  await expect(said).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});

test("a turn that a used-up window refused is sent again to a new process when the window opens", async () => {
  const { say, started, waits } = await openTestConversation([usedUp], [usedUp], ["answers"]);
  expect(await say("Hello")).toEqual({ reason: "natural" });
  expect(started).toHaveLength(3);
  expect(new Set(started.flat()).size).toBe(1);
  expect(waits).toEqual(["ended", usedUp, "ended", usedUp]);
});

test("a turn that no longer waits for a window rejects with the original error", async () => {
  const { say, started } = await openTestConversation([usedUp], [usedUp], [usedUp]);
  await expect(say("Hello")).rejects.toBe(usedUp);
  expect(started).toHaveLength(3);
});

test.each([
  ["that the model had begun", [["begins and is refused"]], []],
  ["after an earlier one of the same conversation", [["answers", usedUp]], ["First"]],
] as [string, Reaction[][], string[]][])(
  "a turn %s is not sent again, because its work would be done twice",
  async (_which, processes, before) => {
    const { say, started, waits } = await openTestConversation(...processes);
    for (const text of before) await say(text);
    const error = await say("Hello").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageLimitError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/Used up\. .*twice/),
      window: "five_hour",
      resetsAt: usedUp.resetsAt,
    });
    expect(waits).toEqual([]);
    expect(started).toHaveLength(1);
  },
);

test.each([
  ["ended well leaves its process for another", ["answers"], "fit for another"],
  ["was never used leaves its process for another", [], "fit for another"],
  ["used up its budget ends it", ["budget"], "ended"],
  ["failed ends it", [new BoundaryError("A tool too many.", [])], "ended"],
] as [string, Reaction[], string][])("a conversation that %s", async (_which, reactions, expected) => {
  const { say, close, outcomes } = await openTestConversation(reactions);
  if (reactions.length > 0) await say("Hello").catch(() => {});
  await close();
  expect(outcomes).toEqual([expected]);
});

test("a conversation that is closed during a turn ends its process", async () => {
  const { say, close, outcomes } = await openTestConversation(["hangs"]);
  void say("Hello").catch(() => {});
  await close();
  expect(outcomes).toEqual(["ended"]);
});

test("a conversation whose last turn failed ends its process", async () => {
  const { say, close, outcomes } = await openTestConversation(["answers", "speaks and dies"]);
  await say("Hello");
  await say("Again").catch(() => {});
  await close();
  expect(outcomes).toEqual(["ended"]);
});

test("a process that is started while the conversation closes ends too", async () => {
  const { say, close, outcomes, started } = await openTestConversation(["dies"], ["hangs"]);
  const said = say("Hello");
  await Promise.resolve().then(() => {}); // the process is dead now, and another is being started
  await close();
  await expect(said).rejects.toThrow(BackendCrashError);
  expect(outcomes.length).toBeGreaterThanOrEqual(started.length);
  expect(new Set(outcomes)).toEqual(new Set(["ended"]));
});
