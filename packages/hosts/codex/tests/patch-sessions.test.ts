/** Tests sessions with patches in their histories: continued in their thread, rebuilt, and continued without the tool. */
import { createAgentRuntime, createPolicy } from "@bridle/core";
import type { AgentSession, RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { modelRequests } from "./support/codex-wire.ts";
import { filesIn, makeProject, patchCall } from "./support/patches.ts";
import { startCodex } from "./support/test-backend.ts";

const rule = { tool: "apply_patch", when: { "files.path": "/denied" }, then: "deny" } as const;
const policy = createPolicy({ mode: "yolo", rules: [rule] });
const turns = ["applied", "denied"].map((word) => ({
  when: { user: word },
  steps: [
    { think: "Hm.", ...patchCall(`*** Add File: ${word}.txt\n+a`) },
    { think: "So.", say: "Done." },
  ],
}));

async function open() {
  const { project, remove } = await makeProject();
  const context = await startCodex({ rehearsal: 1, turns: [...turns, { steps: [{ say: "Fine.", forever: true }] }] });
  const runtime = createAgentRuntime({ backend: context.backend, models: { default: "gpt-6-sol" }, policy });
  onTestFinished(async () => {
    await runtime.close();
    await context.close();
    await remove();
  });
  const request = { tools: [], builtins: ["apply_patch"], stepBudget: 5, projectDir: project };
  return { ...context, runtime, project, request };
}

const item = z.looseObject({ type: z.string(), input: z.unknown().optional(), output: z.unknown().optional() });

/** Sends a message. Returns how the host got the history, and the calls that the request contained. */
async function say(
  session: AgentSession,
  text: string,
  { rehearsal }: Pick<Awaited<ReturnType<typeof open>>, "rehearsal">,
) {
  const run = await session.send(text);
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(await run.result).toMatchObject({ stopReason: "natural" });
  const input = events.find((event) => event.type === "model.input");
  const { body } = modelRequests(rehearsal.requests).at(-1) ?? {};
  const items = z
    .looseObject({ input: z.array(item) })
    .parse(body)
    .input.filter(({ type }) => /_call/.test(type));
  const { resumed, reason } = input?.history ?? {};
  return { way: resumed && `${resumed}: ${reason}`, kinds: items.map(({ type }) => type), items };
}

const pair = ["custom_tool_call", "custom_tool_call_output"];

test("a session with patches continues in its thread, also after one that was denied", async () => {
  const context = await open();
  const session = await context.runtime.openSession(context.request);
  expect((await say(session, "applied", context)).way).toBeUndefined();
  const denied = await say(session, "denied", context);
  expect(denied).toMatchObject({ way: "native: fingerprint-matched", kinds: [...pair, ...pair] });
  const last = await say(session, "more", context);
  expect(last).toMatchObject({ way: "native: fingerprint-matched", kinds: [...pair, ...pair] });
  expect(
    JSON.stringify(context.rehearsal.requests.at(-1)?.body).match(/"encrypted_content":"/g)?.length,
  ).toBeGreaterThan(1);
  expect(await filesIn(context.project)).toEqual({ "applied.txt": "a\n" });
});

test("a rebuilt session has its patches in Codex's form, and as calls of an unknown tool if the tool is closed", async () => {
  const context = await open();
  const session = await context.runtime.openSession(context.request);
  await say(session, "applied", context);
  const { items: native } = await say(session, "denied", context);
  const copy = await context.runtime.openSession(context.request);
  copy.edit(session.history());
  const rebuilt = await say(copy, "more", context);
  expect(rebuilt).toMatchObject({ way: "rebuilt: not-retained", kinds: [...pair, ...pair] });
  const essence = (items: typeof native) => items.map(({ type, input, output }) => ({ type, input, output }));
  expect(essence(rebuilt.items)).toEqual(essence(native));
  const closed = await context.runtime.openSession({ ...context.request, builtins: [] });
  closed.edit(session.history());
  const functions = ["function_call", "function_call_output"];
  expect((await say(closed, "more", context)).kinds).toEqual([...functions, ...functions]);
});
