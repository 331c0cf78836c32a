import {
  BackendCrashError,
  type BackendEvent,
  BoundaryError,
  type BridleError,
  type ConversationSpec,
  defaultPromptCaching,
  type TurnHost,
  textMessage,
} from "@bridle/core";
import { expect, test } from "vitest";
import { createConversation } from "./conversation.ts";
import type { HostSession } from "./host-session.ts";
import type { HostMessage } from "./messages.ts";

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

/** What a made-up process does with each message that it is sent: it answers, it dies, or it says something and dies. */
type Fate = "answers" | "dies" | "speaks and dies" | BridleError;

/** A conversation over processes with these fates, one list for each process, and what became of them. */
function converse(...processes: Fate[][]) {
  const started: string[][] = [];
  const events: BackendEvent[] = [];
  const stop = new AbortController();
  const host: TurnHost = {
    signal: stop.signal,
    emit: (event) => void events.push(event),
    callTool: async () => ({ output: "", isError: true }),
    admitBuiltin: async () => ({ allow: false, reply: "" }),
    settleBuiltin: () => {},
    reportRefused: () => {},
  };

  function openSession(): HostSession {
    const fates = processes[started.length] ?? [];
    const sent: string[] = [];
    started.push(sent);
    let heard = false;
    return {
      get heard() {
        return heard;
      },
      async close() {},
      begin(message, turn) {
        const fate = fates[sent.length] ?? "dies";
        sent.push(JSON.stringify(message.message.content));
        heard ||= fate !== "dies";
        if (fate === "answers") turn.take(success);
        else if (fate === "dies" || fate === "speaks and dies") turn.fail(new Error(`it ${fate}`));
        else turn.fail(fate);
      },
    };
  }

  const surroundings = { implicitSources: [], hostAdds: [] };
  const conversation = createConversation({ spec, auth: "session", environment: {}, surroundings }, openSession);
  const say = (text: string) => conversation.turn(textMessage(text), host);
  const retries = () => events.filter(({ type }) => type === "retry.scheduled");
  return { say, started, retries, stop, close: () => conversation.close() };
}

test("a process that dies before it says anything is started again, with the same message, and that is told", async () => {
  const { say, started, retries } = converse(["dies"], ["dies"], ["answers"]);
  expect(await say("Hello")).toEqual({ reason: "natural" });
  expect(new Set(started.flat()).size).toBe(1);
  expect(started).toHaveLength(3);
  expect(retries()).toMatchObject([
    { attempt: 1, maxAttempts: 3, reason: expect.stringContaining("it dies") },
    { attempt: 2, maxAttempts: 3 },
  ]);
});

test("it is started again three times at most; then the crash is the error", async () => {
  const { say, started, retries } = converse();
  await expect(say("Hello")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(4);
  expect(retries()).toHaveLength(3);
});

test("one that had said something is not: its requests may have been made", async () => {
  const { say, started } = converse(["speaks and dies"]);
  await expect(say("Hello")).rejects.toThrow("it speaks and dies");
  expect(started).toHaveLength(1);
});

test("one that dies in a later turn is not: a new one would know nothing of the earlier turns", async () => {
  const { say, started } = converse(["answers", "dies"]);
  await say("My name is Ada");
  await expect(say("What is my name?")).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});

test("one that came up otherwise than asked is not: it would again", async () => {
  const { say, started } = converse([new BoundaryError("A tool too many.", ["a tool too many"])]);
  await expect(say("Hello")).rejects.toThrow(BoundaryError);
  expect(started).toHaveLength(1);
});

test("nothing is started again for a turn that was stopped", async () => {
  const { say, started, stop } = converse();
  stop.abort();
  await expect(say("Hello")).rejects.toMatchObject({ code: "stopped" });
  expect(started).toHaveLength(1);
});

test("nothing is started again once the conversation is closed", async () => {
  const { say, started, close } = converse();
  const said = say("Hello");
  await close();
  await expect(said).rejects.toThrow(BackendCrashError);
  expect(started).toHaveLength(1);
});
