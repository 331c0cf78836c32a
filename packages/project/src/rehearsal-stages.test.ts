/** Which stages are used again, on hosts that do nothing but count. */

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
import { createStages, type Stage, type Stages } from "./rehearsal-stages.ts";

const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Fine", delay_ms: 100, forever: true }] }] });
const signal = new AbortController().signal;
const spec: ConversationSpec = {
  model: "sonnet",
  system: { static: "", dynamic: "" },
  ...{ tools: [], builtins: [], history: [] },
  ...{ stepBudget: 1, promptCaching: defaultPromptCaching, projectDir: "/" },
};

/** Stages as they are set, whose hosts keep a process or do not, and use it again or do not. */
function hall({ keeps = true, reuses = true, reason = "natural" as TurnEnd["reason"] } = {}) {
  const set: (Stage & { opened: number; closed: number })[] = [];
  const stages = createStages(async () => {
    const state = { idle: 0, busy: 0, keys: 0, started: 0, reused: 0 };
    const conversation: Conversation = {
      promptContext: { implicitSources: [], hostAdds: [] },
      turn: async () => ({ reason }),
      async close() {
        state.idle = keeps ? 1 : 0;
      },
    };
    const stage = {
      ...{ opened: 0, closed: 0 },
      rehearsal: await startRehearsal({ script }),
      host: {
        ...createMemoryBackend([]),
        pool: () => state,
        async open() {
          if (++stage.opened > 1 && reuses) state.reused++;
          return conversation;
        },
        close: async () => void stage.closed++,
      },
    };
    set.push(stage);
    return stage;
  });
  onTestFinished(stages.close);
  return { stages, set };
}

const noWork = () => Promise.reject(new Error("nobody asks for it"));
const turnHost: TurnContext = {
  ...{ signal, callTool: noWork, authorizeHostTool: noWork, awaitLimit: noWork },
  ...{ emit() {}, completeHostTool() {}, reportRefused() {} },
};

async function hold(stages: Stages, other: Partial<ConversationSpec> = {}): Promise<void> {
  const conversation = await stages.open({ ...spec, ...other }, signal);
  await conversation.turn(textMessage("Go"), turnHost);
  await conversation.close();
}

/** A request such as the host would send. */
async function ask({ rehearsal: { url } }: Stage): Promise<void> {
  const messages = [{ role: "user", content: "Go" }];
  const body = JSON.stringify({ model: "sonnet", max_tokens: 1, messages });
  await (await fetch(`${url}/v1/messages`, { method: "POST", body })).text();
}

test("the next conversation of the same kind gets the stage, whose model server begins anew", async () => {
  const { stages, set } = hall();
  const first = await stages.open(spec, signal);
  await Promise.all(set.map(ask));
  await first.close();
  await hold(stages);
  await hold(stages);
  expect(set).toMatchObject([{ opened: 3, closed: 0, rehearsal: { requests: [] } }]);
});

test("one of another kind gets a stage of its own, in the place of the one that waits", async () => {
  const { stages, set } = hall();
  await hold(stages);
  await hold(stages, { stepBudget: 2 });
  expect(set).toMatchObject([{ closed: 1 }, { opened: 1, closed: 0 }]);
});

test("as many wait as there were conversations at a time; a second close of one is not another's", async () => {
  const { stages, set } = hall();
  const both = await Promise.all([stages.open(spec, signal), stages.open(spec, signal)]);
  await Promise.all(both.flatMap((conversation) => [conversation.close(), conversation.close()]));
  await Promise.all([hold(stages), hold(stages), hold(stages)]);
  expect(set).toMatchObject([{ opened: 2 }, { opened: 2 }, { opened: 1 }]);
  expect(set.map(({ closed }) => closed)).toEqual([0, 0, 0]);
  await stages.close();
  expect(set.map(({ closed }) => closed)).toEqual([1, 1, 1]);
});

test("a stage whose model server was asked after the end is not used again", async () => {
  const { stages, set } = hall();
  await hold(stages);
  await Promise.all(set.map(ask));
  await hold(stages);
  expect(set).toMatchObject([{ closed: 1 }, { opened: 1, closed: 0 }]);
});

test("a stage is closed with its conversation where a request is still on its way", async () => {
  const { stages, set } = hall();
  const conversation = await stages.open(spec, signal);
  const late = set.map(ask);
  await Promise.all(set.map(({ rehearsal }) => rehearsal.nextRequest()));
  await conversation.close();
  expect(set).toMatchObject([{ closed: 1 }]);
  await Promise.allSettled(late);
});

/** What a host does, and how the two stages of two conversations stand then. */
const unfit: readonly [string, Parameters<typeof hall>[0], object[]][] = [
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
    "may go on by itself",
    { reason: "budget" },
    [
      { opened: 1, closed: 1 },
      { opened: 1, closed: 1 },
    ],
  ],
];

test.each(unfit)("a stage whose host %s is not used again", async (_which, options, stands) => {
  const { stages, set } = hall(options);
  await hold(stages);
  await hold(stages);
  expect(set).toMatchObject(stands);
});

test("closed, it sets no stage any more", async () => {
  const { stages, set } = hall();
  await hold(stages);
  await stages.close();
  await expect(hold(stages)).rejects.toThrow("The backend was closed.");
  expect(set).toMatchObject([{ closed: 1 }, { closed: 1 }]);
});
