import { inRows } from "@bridle/conformance";
import { defaultPromptCaching, type HistoryMessage, type TurnContext, textMessage } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { modelApiIds } from "../src/settings/options.ts";
import { sentRequests } from "./sent-requests.ts";
import { modelOf, optionsFor, startTestBackend } from "./test-backend.ts";

const look = (callId: string) => ({ type: "tool-call" as const, callId, tool: "look", input: { at: `${callId} 🐎` } });
const found = (callId: string, output: string, isError = false) => ({
  type: "tool-result" as const,
  callId,
  output,
  isError,
});
const history: HistoryMessage[] = [
  { role: "user", content: [{ type: "text", text: "One: ünïcødé" }] },
  { role: "assistant", content: [{ type: "text", text: "Let me see." }, look("toolu_1"), look("call_2")] },
  { role: "user", content: [found("toolu_1", 'seen "1"\n漢字'), found("call_2", "broken", true)] },
  { role: "assistant", content: [look("other-3")] },
  { role: "user", content: [found("other-3", "")] },
  { role: "assistant", content: [{ type: "text", text: "Two of three." }] },
];

test.each(modelApiIds)(
  "%s sends the history unchanged before the new message, with its tool calls and results",
  async (id) => {
    const started = await startTestBackend(
      { rehearsal: 1, turns: [{ steps: [{ call: "look", with: { at: "new" } }, { say: "Done." }] }] },
      (url) => optionsFor(id, url),
    );
    onTestFinished(started.close);
    const conversation = await started.backend.open(
      {
        model: modelOf[id],
        system: { static: "You look.", dynamic: "" },
        builtins: [],
        stepBudget: 3,
        tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: {} }],
        promptCaching: defaultPromptCaching,
        history,
        projectDir: "/",
      },
      new AbortController().signal,
    );
    await conversation.turn(textMessage("And now?"), host);
    const [first, second] = sentRequests(started.rehearsal.requests).map(({ messages }) => inRows(messages));
    const asked = [...inRows(history), { role: "user", content: [{ type: "text", text: "And now?" }] }];
    expect(first).toEqual(asked);
    expect(second?.slice(0, asked.length)).toEqual(asked);
    expect(second?.at(-1)?.content).toMatchObject([{ type: "tool-result", output: "live" }]);
  },
);

const host: TurnContext = {
  signal: new AbortController().signal,
  emit: () => {},
  callTool: async () => ({ output: "live", isError: false }),
  authorizeHostTool: async () => ({ allow: false, reply: "" }),
  completeHostTool: () => {},
  reportRefused: () => {},
  awaitLimit: (error) => Promise.reject(error),
};
