/** Tests which workers are reused, with hosts that only count their processes and requests. */

import { createMemoryBackend } from "@bridle/conformance";
import {
  type Conversation,
  type ConversationSpec,
  defaultPromptCaching,
  type TurnContext,
  type TurnEnd,
  textMessage,
} from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { type RehearsalWorker, RehearsalWorkers } from "./rehearsal-workers.ts";

const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Fine", delay_ms: 100, forever: true }] }] });
const signal = new AbortController().signal;
const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  tools: [],
  builtins: [],
  history: [],
  stepBudget: 1,
  promptCaching: defaultPromptCaching,
  projectDir: "/",
};

/** Starts rehearsal workers, and lists them in the order of their start. The options set whether their hosts keep and reuse a process. */
function startWorkers({ keeps = true, reuses = true, reason = "natural" as TurnEnd["reason"] } = {}) {
  const started: (RehearsalWorker & { opened: number; closed: number })[] = [];
  const workers = new RehearsalWorkers(async () => {
    const state = { idle: 0, busy: 0, keys: 0, started: 0, reused: 0 };
    const conversation: Conversation = {
      promptContext: { implicitSources: [], hostAdds: [] },
      turn: async () => ({ reason }),
      async close() {
        state.idle = keeps ? 1 : 0;
      },
    };
    const worker = {
      opened: 0,
      closed: 0,
      rehearsal: await startRehearsal({ script }),
      host: {
        ...createMemoryBackend([]),
        pool: () => state,
        async open() {
          if (++worker.opened > 1 && reuses) state.reused++;
          return conversation;
        },
        close: async () => void worker.closed++,
      },
    };
    started.push(worker);
    return worker;
  });
  onTestFinished(() => workers.close());
  return { workers, started };
}

const noWork = () => Promise.reject(new Error("nobody asks for it"));
const turnHost: TurnContext = {
  signal,
  callTool: noWork,
  authorizeHostTool: noWork,
  awaitLimit: noWork,
  emit() {},
  completeHostTool() {},
  reportRefused() {},
};

async function hold(workers: RehearsalWorkers, other: Partial<ConversationSpec> = {}): Promise<void> {
  const conversation = await workers.open({ ...spec, ...other }, signal);
  await conversation.turn(textMessage("Go"), turnHost);
  await conversation.close();
}

/** Sends a request like one of the host. */
async function ask({ rehearsal: { url } }: RehearsalWorker): Promise<void> {
  const messages = [{ role: "user", content: "Go" }];
  const body = JSON.stringify({ model: "sonnet", max_tokens: 1, messages });
  await (await fetch(`${url}/v1/messages`, { method: "POST", body })).text();
}

test("the next conversation of the same kind reuses the rehearsal worker, and its model server starts over", async () => {
  const { workers, started } = startWorkers();
  const first = await workers.open(spec, signal);
  await Promise.all(started.map(ask));
  await first.close();
  await hold(workers);
  await hold(workers);
  expect(started).toMatchObject([{ opened: 3, closed: 0, rehearsal: { requests: [] } }]);
});

test("a conversation of another kind gets a new rehearsal worker, which replaces the idle one", async () => {
  const { workers, started } = startWorkers();
  await hold(workers);
  await hold(workers, { stepBudget: 2 });
  expect(started).toMatchObject([{ closed: 1 }, { opened: 1, closed: 0 }]);
});

test("at most as many rehearsal workers are idle as there were concurrent conversations", async () => {
  const { workers, started } = startWorkers();
  const both = await Promise.all([workers.open(spec, signal), workers.open(spec, signal)]);
  await Promise.all(both.flatMap((conversation) => [conversation.close(), conversation.close()]));
  await Promise.all([hold(workers), hold(workers), hold(workers)]);
  expect(started).toMatchObject([{ opened: 2 }, { opened: 2 }, { opened: 1 }]);
  expect(started.map(({ closed }) => closed)).toEqual([0, 0, 0]);
  await workers.close();
  expect(started.map(({ closed }) => closed)).toEqual([1, 1, 1]);
});

test("a rehearsal worker whose model server received a request after the end is not reused", async () => {
  const { workers, started } = startWorkers();
  await hold(workers);
  await Promise.all(started.map(ask));
  await hold(workers);
  expect(started).toMatchObject([{ closed: 1 }, { opened: 1, closed: 0 }]);
});

test("a rehearsal worker is closed with its conversation if a request is still open", async () => {
  const { workers, started } = startWorkers();
  const conversation = await workers.open(spec, signal);
  const late = started.map(ask);
  await Promise.all(started.map(({ rehearsal }) => rehearsal.nextRequest()));
  await conversation.close();
  expect(started).toMatchObject([{ closed: 1 }]);
  await Promise.allSettled(late);
});

/** The behaviour of a host, and the expected states of the workers of two conversations. */
const unfit: readonly [string, Parameters<typeof startWorkers>[0], object[]][] = [
  [
    "keeps no process",
    { keeps: false },
    [
      { opened: 1, closed: 1 },
      { opened: 1, closed: 1 },
    ],
  ],
  [
    "starts another process",
    { reuses: false },
    [
      { opened: 2, closed: 1 },
      { opened: 1, closed: 0 },
    ],
  ],
  [
    "may continue on its own",
    { reason: "budget" },
    [
      { opened: 1, closed: 1 },
      { opened: 1, closed: 1 },
    ],
  ],
];

test.each(unfit)("a rehearsal worker whose host %s is not reused", async (_which, options, stands) => {
  const { workers, started } = startWorkers(options);
  await hold(workers);
  await hold(workers);
  expect(started).toMatchObject(stands);
});

test("closed rehearsal workers start no new one", async () => {
  const { workers, started } = startWorkers();
  await hold(workers);
  await workers.close();
  await expect(hold(workers)).rejects.toThrow("The backend was closed.");
  expect(started).toMatchObject([{ closed: 1 }, { closed: 1 }]);
});
