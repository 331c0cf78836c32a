/** Compares sessions that continue in the process that holds their history with sessions that are rebuilt. */

import { inRows } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { type AgentSession, defineTool, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { childrenOf, hostsAmong, stillThere } from "./support/processes.ts";
import { type ScriptedContext, startScriptTurns } from "./support/runs.ts";
import { sentRequests } from "./support/test-context.ts";

const hosts = () => hostsAmong(childrenOf(process.pid));

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => `At ${at} there is «${"ünïcødé 🐎 ".repeat(30)}».`,
});
const hear = defineTool({ ...look, name: "hear", execute: async () => "Nothing." });
const request = { tools: [look], stepBudget: 5, system: "You look at things." };
const call = (at: unknown) => ({ call: "look", with: { at } });

/** Turns of two parallel calls, thinking, and a third call, whose input is invalid in every other turn. */
const turns = [1, 2, 3, 4].map((turn) => ({
  when: { user: `Turn ${turn}` },
  steps: [
    { think: `Thought ${turn}.`, say: `Looking for ${turn}.`, calls: [call(`${turn}a`), call(`${turn}b`)] },
    { calls: [call(turn % 2 === 0 ? `${turn}c` : turn)] },
    { say: `Answer ${turn}.` },
  ],
}));
const brief = { steps: [{ say: "Fine.", forever: true }] };
const script = [...turns, brief] as Parameters<typeof startScriptTurns>[0];

type Input = Extract<RunEvent, { type: "model.input" }>;

/**
 * Sends a message, and returns how the host got the history, according to the event log. Checks that every request contained the whole
 * history.
 */
async function say({ rehearsal }: Pick<ScriptedContext, "rehearsal">, session: AgentSession, text: string) {
  const before = session.history();
  const from = sentRequests(rehearsal.requests).length;
  const run = await session.send(text);
  const inputs: Input[] = [];
  for await (const event of run) if (event.type === "model.input") inputs.push(event);
  expect(await run.result).toMatchObject({ stopReason: "natural" });
  const own = sentRequests(rehearsal.requests)
    .slice(from)
    .filter(({ messages }) => JSON.stringify(messages).includes(JSON.stringify(text)));
  const asked = { role: "user" as const, content: [{ type: "text" as const, text }] };
  expect(inRows(own[0]?.messages ?? [])).toEqual(inRows([...before, asked]));
  expect(inRows(own.at(-1)?.messages ?? [])).toEqual(inRows(session.history().slice(0, -1)));
  const { resumed, reason } = inputs[0]?.history ?? {};
  return resumed && `${resumed}: ${reason}`;
}

const native = "native: fingerprint-matched";

test("the process that holds a session serves its next run, with the whole history of the event log", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  expect(await say(context, session, "Turn 1")).toBeUndefined();
  const first = hosts();
  expect(first).toHaveLength(1);
  for (const turn of [2, 3, 4]) {
    expect(await say(context, session, `Turn ${turn}`)).toBe(native);
    expect(hosts()).toEqual(first);
  }
  expect(context.backend.pool()).toMatchObject({ started: 1, reused: 3 });
  const last = JSON.stringify(context.rehearsal.requests.at(-1)?.body);
  for (const turn of [1, 2, 3]) expect(last).toContain(`"thinking":"Thought ${turn}."`);
});

const opened: readonly [tool: string, input: object, resumed: string][] = [
  ["WebSearch", { query: "bridges of today" }, native],
  ["WebFetch", { url: "http://127.0.0.1:1/", prompt: "What is there?" }, native],
  ["Read", { file_path: import.meta.filename, limit: 3 }, native],
  ["Grep", { pattern: "no file contains this" }, native],
  ["Glob", { pattern: "*.nothing" }, native],
  ["Bash", { command: "echo hello" }, "rebuilt: not-retained"],
];

test.each(sampleOf(opened, 3))(
  "after calls of %s, the next run of a session is as expected: in the same process if the tool only reads",
  async (tool, input, resumed) => {
    const context = await startScriptTurns([
      { when: { user: "Turn" }, steps: [{ call: tool, with: input }, { say: "Found." }] },
      { when: { user: "Perform a web search" }, steps: [{ say: "The bridge is open.", forever: true }] },
    ]);
    const session = await context.runtime.openSession({ tools: [], builtins: [tool], stepBudget: 3 });
    expect(await say(context, session, "Turn 1")).toBeUndefined();
    expect(session.history()).toHaveLength(4);
    expect(await say(context, session, "Turn 2")).toBe(resumed);
    expect(context.backend.pool()).toMatchObject(
      resumed === native ? { started: 1, reused: 1 } : { started: 2, reused: 0 },
    );
  },
);

test("a held history differs from a rebuilt one only in thinking, the place of notes and cache marks, and the form of results", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  for (const turn of [1, 2]) await say(context, session, `Turn ${turn}`);
  const copy = await context.runtime.openSession(request);
  copy.edit(session.history());
  await say(context, session, "Last");
  const held = bodyOf(context);
  expect(await say(context, copy, "Last")).toBe("rebuilt: not-retained");
  const told = bodyOf(context);
  expect(held.notes).toEqual(told.notes);
  expect(held.thoughts).toEqual(["Thought 1.", "Thought 2."]);
  expect(told.thoughts).toEqual([]);
  expect(held.body).toEqual(told.body);
});

interface Block {
  type: string;
  text?: string | undefined;
  thinking?: string | undefined;
  content?: unknown;
  cache_control?: unknown;
}

/** Returns the newest request in a comparable form: the host's own notes, the model's thinking, and the rest. */
function bodyOf({ rehearsal }: Pick<ScriptedContext, "rehearsal">) {
  const {
    messages,
    system,
    diagnostics: _own,
    metadata: _ids,
    ...rest
  } = newestBody.parse(rehearsal.requests.at(-1)?.body);
  const blocks = messages.flatMap(({ role, content }) => toBlocks(content).map((block) => ({ role, block })));
  const isNote = ({ role, block }: { role: string; block: Block }) =>
    role === "system" || block.text?.startsWith("<system-reminder>");
  const said = blocks.filter((each) => !isNote(each) && each.block.type !== "thinking");
  return {
    notes: blocks.filter(isNote).map(({ block }) => block.text),
    thoughts: blocks.flatMap(({ block }) => (block.thinking === undefined ? [] : [block.thinking])),
    body: {
      ...rest,
      system: system.filter(({ text }) => !text?.startsWith("x-anthropic-billing-header")),
      said: said.map(({ role, block: { cache_control: _mark, ...block } }) => ({
        role,
        ...block,
        content: textsIn(block.content),
      })),
    },
  };
}

const blockSchema = z.looseObject({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() });
const newestBody = z.looseObject({
  system: z.array(blockSchema),
  messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(blockSchema)]) })),
});

const toBlocks = (content: string | Block[]): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Returns the text of a result, which is a string or a list of blocks. */
function textsIn(content: unknown): unknown {
  return Array.isArray(content) ? content.map((block: Block) => block.text).join("") : content;
}

type Change = (context: ScriptedContext, session: AgentSession) => Promise<AgentSession> | AgentSession;
const changes: readonly [how: string, change: Change][] = [
  ["edited", (_context, session) => edited(session)],
  ["compacted", (_context, session) => shortened(session)],
  ["opened with other tools", ({ runtime }, { id }) => runtime.openSession({ ...request, id, tools: [look, hear] })],
  ["opened with another model", ({ runtime }, { id }) => runtime.openSession({ ...request, id, model: "haiku" })],
  ["opened with other instructions", ({ runtime }, { id }) => runtime.openSession({ ...request, id, system: "Look." })],
];

test.each(sampleOf(changes, 3))(
  "a session that was %s is rebuilt, and its process no longer serves it",
  async (_how, change) => {
    const context = await startScriptTurns(script);
    const session = await context.runtime.openSession(request);
    await say(context, session, "Turn 1");
    expect(await say(context, await change(context, session), "Turn 2")).toBe("rebuilt: changed");
    expect(context.backend.pool()).toMatchObject({ started: 2, reused: 0 });
  },
);

async function shortened(session: AgentSession): Promise<AgentSession> {
  expect(await session.compact("drop-tool-results")).toBe(true);
  return session;
}

function edited(session: AgentSession): AgentSession {
  session.edit(
    session
      .history()
      .slice(0, -1)
      .concat({ role: "assistant", content: [{ type: "text", text: "So." }] }),
  );
  return session;
}

test("of two runs that continue the same history, the first gets the process and the other is rebuilt", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  for (const turn of [1, 2]) await say(context, session, `Turn ${turn}`);
  const [fork, earlier] = [await session.fork(), await session.fork({ atStep: 3 })];
  expect(await say(context, earlier, "Turn 3")).toBe("rebuilt: not-retained");
  expect(await say(context, fork, "Hello")).toBe(native);
  expect(await say(context, session, "Turn 3")).toBe("rebuilt: reassigned");
  expect(await say(context, session, "Turn 4")).toBe(native);
  expect(await say(context, fork, "Turn 3")).toBe(native);
});

test("two parallel runs that continue the same history share no process", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  const fork = await session.fork();
  const both = await Promise.all([say(context, session, "Turn 2"), say(context, fork, "Turn 3")]);
  expect(both.toSorted()).toEqual([native, expect.stringContaining("rebuilt")]);
});

test("a session is rebuilt after its process was killed", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  await expect.poll(() => context.backend.pool()).toMatchObject({ idle: 1 });
  for (const { pid } of hosts()) process.kill(pid, "SIGKILL");
  await expect.poll(() => context.backend.pool()).toMatchObject({ idle: 0 });
  expect(await say(context, session, "Turn 2")).toBe("rebuilt: died");
  for (const { pid } of hosts()) process.kill(pid, "SIGKILL"); // the message is sent before the pool notices that the processes have died
  const run = await session.send("Turn 3");
  expect(await run.result).toMatchObject({ stopReason: "natural", text: "Answer 3." });
  expect(await say(context, session, "Turn 4")).toBe(native);
});

test("a session is rebuilt after a run that was stopped", async () => {
  const context = await startScriptTurns([
    { when: { user: "Stop" }, steps: [{ say: "Well", stall: true }] },
    ...script,
  ]);
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  const run = await session.send("Stop");
  for await (const { type } of run) if (type === "text.delta") run.stop();
  expect(await run.result).toMatchObject({ stopReason: "stopped" });
  await expect.poll(hosts, { timeout: 5000 }).toEqual([]);
  expect(await say(context, session, "Turn 2")).toBe("rebuilt: not-retained");
});

test("a session is rebuilt after a turn in which the host made the model continue", async () => {
  const context = await startScriptTurns([
    { when: { user: "Empty" }, steps: [{ say: "" }, { say: "Fine." }] },
    ...script,
  ]);
  const session = await context.runtime.openSession(request);
  await say(context, session, "Empty");
  expect(await say(context, session, "Turn 1")).toBe("rebuilt: not-retained");
});

test("processes that hold sessions end when there are too many", async () => {
  const context = await startScriptTurns(script, { pool: { maxProcesses: 2 } });
  const sessions = await Promise.all([1, 2, 3].map(() => context.runtime.openSession(request)));
  for (const session of sessions) await say(context, session, "Turn 1");
  await expect.poll(() => hosts().length, { timeout: 5000 }).toBe(2);
  const [one, , three] = sessions;
  if (!one || !three) throw new Error("three are open");
  expect(await say(context, one, "Turn 2")).toBe("rebuilt: evicted");
  expect(await say(context, three, "Turn 2")).toBe(native);
});

test("a session is rebuilt after its process was idle for too long", async () => {
  const context = await startScriptTurns(script, { pool: { idleMs: 300 } });
  const session = await context.runtime.openSession(request);
  await say(context, session, "Turn 1");
  await expect.poll(hosts, { timeout: 5000 }).toEqual([]);
  expect(await say(context, session, "Turn 2")).toBe("rebuilt: expired");
});

test("a closed session's process is rewound and serves calls of the same kind", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession(request);
  for (const turn of [1, 2]) await say(context, session, `Turn ${turn}`);
  await session.close();
  const { result } = context.runtime.runAgentLoop({ ...request, prompt: "Turn 3" });
  expect(await result).toMatchObject({ text: "Answer 3." });
  expect(context.backend.pool()).toMatchObject({ started: 1, reused: 2 });
  const held = bodyOf(context);
  const fresh = createAgentRuntime({
    backend: context.unpooled,
    models: { default: "sonnet" },
    projectDir: context.home.project,
  });
  await fresh.runAgentLoop({ ...request, prompt: "Turn 3" }).result;
  expect(withoutIds(held)).toEqual(withoutIds(bodyOf(context)));
  await fresh.close();
});

/** Makes two runs of one script comparable, by replacing the ids that the model gives its calls. */
const withoutIds = (body: unknown) => JSON.stringify(body).replaceAll(/"(?:toolu|msg)_\w+"/g, '"id"');

test("a call without a session never gets a process that holds one", async () => {
  const context = await startScriptTurns(script);
  const session = await context.runtime.openSession({ ...request, tools: [] });
  await say(context, session, "Hello");
  const prompt = [...session.history(), { role: "user" as const, content: "Go" }] as never;
  await context.runtime.runAgentLoop({ ...request, tools: [], prompt }).result;
  expect(context.backend.pool()).toMatchObject({ started: 2, reused: 0 });
  expect(await say(context, session, "And now?")).toBe(native);
});

test("closing the runtime ends the processes that hold sessions", async () => {
  const context = await startScriptTurns(script);
  const sessions = await Promise.all([1, 2, 3].map(() => context.runtime.openSession(request)));
  await Promise.all(sessions.map((session) => say(context, session, "Hello")));
  const held = hosts();
  expect(held.length).toBeGreaterThanOrEqual(3);
  await context.runtime.close();
  expect(stillThere(held)).toEqual([]);
  expect(hosts()).toEqual([]);
});
