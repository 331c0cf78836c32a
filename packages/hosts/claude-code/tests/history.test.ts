import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultPromptCaching, type HistoryMessage, type TurnContext, textMessage } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { comparable } from "./support/comparable.ts";
import { type HostTestContext, sentRequests, startTestContext } from "./support/test-context.ts";

const text = (role: "user" | "assistant", said: string): HistoryMessage => ({
  role,
  content: [{ type: "text", text: said }],
});
const calls = (...ids: string[]): HistoryMessage => ({
  role: "assistant",
  content: [
    { type: "text", text: "Let me see." },
    ...ids.map((callId) => ({ type: "tool-call" as const, callId, tool: "look", input: { at: `${callId} 🐎` } })),
  ],
});
const results = (...outputs: [callId: string, output: string, isError?: boolean][]): HistoryMessage => ({
  role: "user",
  content: outputs.map(([callId, output, isError = false]) => ({ type: "tool-result", callId, output, isError })),
});
const withCalls: HistoryMessage[] = [
  text("user", "One: @secret.txt /compact ünïcødé"),
  text("assistant", "First."),
  text("user", "Two."),
  calls("toolu_1", "call_2"),
  results(["toolu_1", 'seen "1" 漢字'], ["call_2", "broken", true]),
  calls("other-3"),
  results(["other-3", ""]),
  text("assistant", "Second."),
];

const host = (): TurnContext => ({
  signal: new AbortController().signal,
  emit: () => {},
  callTool: async ({ callId }) => ({ output: `live ${callId}`, isError: false }),
  authorizeHostTool: async () => ({ allow: false, reply: "" }),
  completeHostTool: () => {},
  reportRefused: () => {},
  awaitLimit: (error) => Promise.reject(error),
});

async function openTestContext(): Promise<HostTestContext> {
  const context = await startTestContext({ rehearsal: 1, turns: [{ steps: [{ say: "Fine.", forever: true }] }] });
  onTestFinished(context.close);
  return context;
}

/** Opens a conversation with this history, sends a message, and closes it. */
async function continueFrom(
  { backend, home }: Pick<HostTestContext, "backend" | "home">,
  history: readonly HistoryMessage[],
) {
  const conversation = await backend.open(
    {
      model: "sonnet",
      system: { static: "You look at things.", dynamic: "" },
      tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: {} }],
      builtins: [],
      stepBudget: 3,
      promptCaching: defaultPromptCaching,
      history,
      projectDir: home.project,
    },
    new AbortController().signal,
  );
  const end = await conversation.turn(textMessage("And now?"), host());
  await conversation.close();
  return { end, promptContext: conversation.promptContext };
}

test("a new history is sent byte for byte, with calls and results, and nothing else", async () => {
  const context = await openTestContext();
  const { end } = await continueFrom(context, withCalls);
  expect(end).toEqual({ reason: "natural" });
  expect(sentRequests(context.rehearsal.requests)).toHaveLength(1);
  expect(sentRequests(context.rehearsal.requests)[0]?.messages).toEqual([...withCalls, text("user", "And now?")]);
});

test("a request with a history differs from one without only by the history", async () => {
  const context = await openTestContext();
  await continueFrom(context, withCalls);
  await continueFrom(context, []);
  const [long = "", short = ""] = comparable(context.rehearsal.requests);
  const [full, bare] = [long, short].map((body) =>
    JSON.parse(body.replace(/x-anthropic-billing-header:[^"]*/, "header")),
  );
  const own = withCalls.length;
  expect({ ...full, messages: [] }).toEqual({ ...bare, messages: [] });
  const isNote = ({ role }: { role: string }) => role === "system";
  const [notes, words] = [
    full.messages.filter(isNote),
    full.messages.filter((each: { role: string }) => !isNote(each)),
  ];
  expect(words.slice(own)).toEqual(bare.messages.filter((each: { role: string }) => !isNote(each)));
  const saidBy = (all: { content: unknown[] }[]) => all.flatMap(({ content }) => content);
  expect(saidBy(notes)).toEqual(saidBy(bare.messages.filter(isNote)));
});

test("a history leaves no file behind, and no process for another call", async () => {
  const context = await openTestContext();
  await continueFrom({ ...context, backend: context.unpooled }, []);
  const before = await filesIn(context.home.home);
  await continueFrom(context, withCalls);
  await context.backend.close();
  expect(await filesIn(context.home.home)).toEqual(before);
  const left = (await readdir(context.home.environment.TMPDIR ?? "")).filter((name) =>
    name.includes(`-host-${process.pid}-`),
  );
  expect(left).toEqual([]);
  expect(context.backend.pool()).toMatchObject({ reused: 0, idle: 0 });
  await expect(access(join(context.home.configDir, "projects"))).rejects.toThrow("ENOENT");
});

test("an unanswered message is sent with the next one, and the host adds no answer", async () => {
  const context = await openTestContext();
  const { promptContext } = await continueFrom(context, [
    text("user", "One."),
    text("assistant", "First."),
    text("user", "Wait"),
  ]);
  expect(sentRequests(context.rehearsal.requests)[0]?.messages).toEqual([
    text("user", "One."),
    text("assistant", "First."),
    {
      role: "user",
      content: [
        { type: "text", text: "Wait" },
        { type: "text", text: "And now?" },
      ],
    },
  ]);
  expect(promptContext.hostAdds.join()).not.toContain("never saw");
});

test("the line that the host adds after unseen results is listed in hostAdds", async () => {
  const context = await openTestContext();
  const stopped = withCalls.slice(0, 5);
  const { promptContext } = await continueFrom(context, stopped);
  expect(sentRequests(context.rehearsal.requests)[0]?.messages).toEqual([
    ...stopped,
    text("assistant", "No response requested."),
    text("user", "And now?"),
  ]);
  expect(promptContext.hostAdds).toContainEqual(expect.stringContaining("tool results that the model never saw"));
});

test("long results of a history are sent whole", async () => {
  const context = await openTestContext();
  const long = "0123456789".repeat(12_000);
  const history = [text("user", "One."), calls("toolu_1"), results(["toolu_1", long]), text("assistant", "Long.")];
  await continueFrom(context, history);
  expect(sentRequests(context.rehearsal.requests)[0]?.messages.slice(0, 4)).toEqual(history);
});

test("a history that does not fit fails at once, without compaction by the host", async () => {
  const tooLong = { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum", forever: true };
  const context = await startTestContext({ rehearsal: 1, turns: [{ when: { user: "And now" }, steps: [tooLong] }] });
  onTestFinished(context.close);
  const history = [...withCalls, text("user", "Three."), text("assistant", "Third.")];
  await expect(continueFrom(context, history)).rejects.toMatchObject({ code: "context_overflow" });
  expect(sentRequests(context.rehearsal.requests)).toHaveLength(1);
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  expect(texts.join()).not.toContain("Let me see.");
  return files.filter((file) => !file.includes("backup")).sort();
}
