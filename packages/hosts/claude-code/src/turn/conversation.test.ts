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
import { openConversation } from "./conversation.ts";

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
  ...{ type: "result", subtype: "error_max_turns", is_error: true },
  ...{ total_cost_usd: 0, modelUsage: {} },
};

const firstWord: HostMessage = {
  type: "assistant",
  message: { id: "1", model: "m", content: [{ type: "text", text: "Well" }], usage: null },
};

/** What a made-up process does with each message that it is sent: it answers, it dies, or it says something and dies. */
type Fate = "answers" | "budget" | "hangs" | "dies" | "speaks and dies" | "begins and is refused" | BridleError;

const usedUp = new UsageLimitError("Used up.", { window: "five_hour", resetsAt: new Date(0) });

/** How often a turn may wait for a used-up window here. */
const patience = 2;

/** A conversation over processes with these fates, one list for each process, and what became of them. */
async function converse(...processes: Fate[][]) {
  const started: string[][] = [];
  const events: BackendEvent[] = [];
  const stop = new AbortController();
  const waits: (BridleError | "ended")[] = [];
  const left: ("fit for another" | "ended")[] = [];
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
    const fates = processes[started.length] ?? [];
    const sent: string[] = [];
    started.push(sent);
    let heard = false;
    return {
      ...{ meter: createUsageMeter(), pid: undefined, gone: new Promise(() => {}) },
      ...{ rewind: async () => true, keepConversation: async () => true, unref() {}, ref() {}, close: async () => {} },
      get hasResponded() {
        return heard;
      },
      begin(message, turn) {
        const fate = fates[sent.length] ?? "dies";
        sent.push(JSON.stringify(message.message.content));
        heard ||= fate !== "dies" && !(fate instanceof TimeoutError);
        if (fate === "begins and is refused") turn.receive(firstWord);
        if (fate === "begins and is refused") turn.fail(usedUp);
        else if (fate === "answers") turn.receive(success);
        else if (fate === "budget") turn.receive(outOfBudget);
        else if (fate === "dies" || fate === "speaks and dies") turn.fail(new Error(`it ${fate}`));
        else if (fate !== "hangs") turn.fail(fate);
      },
    };
  }

  const source: ProcessSource = {
    acquire: async () => ({ process: openProcess() }),
    async release() {
      left.push("fit for another");
    },
    async end(_process, next) {
      if (next === "none") waits.push("ended");
      left.push("ended");
    },
  };
  const promptContext = { implicitSources: [], hostAdds: [] };
  const conversation = await openConversation(
    { spec, auth: "session", hasBaseUrl: false, idleTimeoutMs: 60_000, environment: {}, promptContext },
    source,
  );
  const say = (text: string) => conversation.turn(textMessage(text), host);
  const retries = () => events.filter(({ type }) => type === "retry.scheduled");
  return { say, started, retries, stop, waits, left, close: () => conversation.close() };
}

test("a process that dies before it says anything is started again, with the same message, and that is told", async () => {
  const { say, started, retries } = await converse(["dies"], ["dies"], ["answers"]);
  expect(await say("Hello")).toEqual({ reason: "natural" });
  expect(new Set(started.flat()).size).toBe(1);
  expect(started).toHaveLength(3);
  expect(retries()).toMatchObject([
    { attempt: 1, maxAttempts: 3, reason: expect.stringContaining("it dies") },
    { attempt: 2, maxAttempts: 3 },
  ]);
});

test("it is started again three times at most; then the crash is the error", async () => {
  const { say, started, retries } = await converse();
  await expect(say("Hello")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(4);
  expect(retries()).toHaveLength(3);
});

test("one that had said something is not: its requests may have been made", async () => {
  const { say, started } = await converse(["speaks and dies"]);
  await expect(say("Hello")).rejects.toThrow("it speaks and dies");
  expect(started).toHaveLength(1);
});

test("one that dies in a later turn is not: a new one would know nothing of the earlier turns", async () => {
  const { say, started } = await converse(["answers", "dies"]);
  await say("My name is Ada");
  await expect(say("What is my name?")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});

test("one that came up otherwise than asked is not: it would again", async () => {
  const { say, started } = await converse([new BoundaryError("A tool too many.", ["a tool too many"])]);
  await expect(say("Hello")).rejects.toThrow(BoundaryError);
  expect(started).toHaveLength(1);
});

test("one that says nothing for too long is not: as long again would pass", async () => {
  const { say, started } = await converse([new TimeoutError("Claude Code said nothing for 300 s.")]);
  await expect(say("Hello")).rejects.toThrow(TimeoutError);
  expect(started).toHaveLength(1);
});

test("nothing is started again for a turn that was stopped", async () => {
  const { say, started, stop } = await converse();
  stop.abort();
  await expect(say("Hello")).rejects.toMatchObject({ code: "stopped" });
  expect(started).toHaveLength(1);
});

test("nothing is started again once the conversation is closed", async () => {
  const { say, started, close } = await converse();
  const said = say("Hello");
  await close();
  await expect(said).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});

test("a turn that a used-up window refused is sent again when it opens, by a new process that is not held meanwhile", async () => {
  const { say, started, waits } = await converse([usedUp], [usedUp], ["answers"]);
  expect(await say("Hello")).toEqual({ reason: "natural" });
  expect(started).toHaveLength(3);
  expect(new Set(started.flat()).size).toBe(1);
  expect(waits).toEqual(["ended", usedUp, "ended", usedUp]);
});

test("one that nobody waits for ends with the error as it came", async () => {
  const { say, started } = await converse([usedUp], [usedUp], [usedUp]);
  await expect(say("Hello")).rejects.toBe(usedUp);
  expect(started).toHaveLength(3);
});

test.each([
  ["in which the model had begun to work", [["begins and is refused"]], []],
  ["after an earlier one of the same conversation", [["answers", usedUp]], ["First"]],
] as [string, Fate[][], string[]][])(
  "a turn %s is not sent again: it would be done twice, and the error says so",
  async (_which, processes, before) => {
    const { say, started, waits } = await converse(...processes);
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
  ["was never used does too", [], "fit for another"],
  ["used up its budget ends it", ["budget"], "ended"],
  ["failed ends it", [new BoundaryError("A tool too many.", [])], "ended"],
] as [string, Fate[], string][])("a conversation that %s", async (_which, fates, expected) => {
  const { say, close, left } = await converse(fates);
  if (fates.length > 0) await say("Hello").catch(() => {});
  await close();
  expect(left).toEqual([expected]);
});

test("one that is closed in the middle of a turn ends its process", async () => {
  const { say, close, left } = await converse(["hangs"]);
  void say("Hello").catch(() => {});
  await close();
  expect(left).toEqual(["ended"]);
});

test("one that failed at last after it had ended well ends its process", async () => {
  const { say, close, left } = await converse(["answers", "speaks and dies"]);
  await say("Hello");
  await say("Again").catch(() => {});
  await close();
  expect(left).toEqual(["ended"]);
});

test("a process that is started again while the conversation is closed is ended too", async () => {
  const { say, close, left, started } = await converse(["dies"], ["hangs"]);
  const said = say("Hello");
  await Promise.resolve().then(() => {}); // it has died by now, and another is being started
  await close();
  await expect(said).rejects.toThrow(BackendCrashError);
  expect(left.length).toBeGreaterThanOrEqual(started.length);
  expect(new Set(left)).toEqual(new Set(["ended"]));
});
