import type { OpenChat } from "@bridle/app/chat";
import type { AgentChatPlan } from "@bridle/app/runs";
import type { SessionSummary } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { ProjectCli } from "../../command/cli.ts";
import type { ChoiceQuestion } from "../choice-panel.ts";
import { createActions } from "./actions.ts";

/** Creates the commands of a chat in a project with this many sessions. The chat continues the newest session. */
function actionsWith(count: number) {
  const all = Array.from({ length: count }, (_, index): SessionSummary => {
    return { sessionId: `ses_${index}`, startedAt: 0, lastAt: 0, lastSeq: 1, runs: 1, firstPrompt: `prompt ${index}` };
  });
  const eventLog = { sessions: async ({ last }: { last: number }) => all.slice(0, last) };
  const asked: ChoiceQuestion[] = [];
  const chat = {
    runner: {},
    control: {},
    runs: { session: { id: "ses_0" } },
    withEventLog: (work: (log: typeof eventLog) => unknown) => work(eventLog),
  } as unknown as OpenChat;
  const choose = async (question: ChoiceQuestion) => void asked.push(question);
  const parts = { cli: {} as ProjectCli, plan: { tools: [] } as AgentChatPlan, chat, choose, leave() {} };
  return { actions: createActions({ ...parts, width: () => 80 }), asked };
}

test("a list of sessions says if there are older ones", async () => {
  expect(await actionsWith(20).actions.sessions(undefined)).toMatch(/prompt 19\n\/sessions ID resumes one\.$/);
  const longer = await actionsWith(21).actions.sessions(undefined);
  expect(longer).toMatch(/prompt 19\n\/sessions ID resumes one\. There are older ones: "bridle sessions list"\.$/);
});

test("a choice of sessions says if there are older ones", async () => {
  const few = actionsWith(10);
  await few.actions.resume(undefined);
  expect(few.asked[0]).toMatchObject({ title: "Which session?", choices: { length: 9 } });
  const many = actionsWith(11);
  await many.actions.resume(undefined);
  expect(many.asked[0]?.title).toBe("Which session? There are older ones: /sessions lists more.");
});
