import { interceptAppends } from "@bridle/conformance";
import {
  type AnswerResult,
  type AnyTool,
  type Approval,
  type ApprovalAnswer,
  type EventLog,
  type Policy,
  type RememberedAnswer,
  type RunEvent,
  resolveAnnotations,
  type ToolAnnotations,
  type ToolIdentity,
  type TurnContext,
} from "@bridle/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type ApprovalQueue, createApprovalQueue } from "../approvals/approval-queue.ts";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { begin, createTestBackend, createTestTool, expectLaws, natural, step } from "../runtime/runs-for-tests.ts";
import { declareTool } from "../tools/toolbox.ts";
import { identifyTool } from "./applicable-answers.ts";
import { policyModeNames } from "./policy-modes.ts";
import { createPolicy, type Decision, type PolicyRules } from "./policy-rules.ts";

const annotationsOf: Record<string, ToolAnnotations> = {
  reader: { readOnly: true },
  unknown: {},
  writer: { destructive: false, openWorld: false },
  wiper: { destructive: true },
  fetcher: { readOnly: true, openWorld: true },
  Read: {},
};
const toolName: fc.Arbitrary<string> = fc.constantFrom("reader", "unknown", "writer", "wiper", "fetcher", "Read");
const value = fc.constantFrom("a", "b");
const verdict = fc.constantFrom<Decision>("allow", "ask", "deny");
const when = fc.option(fc.record({ value }), { nil: undefined });
const scope = fc.constantFrom("once", "session", "project", "always");
const few = { maxLength: 3 };

const plannedRules = fc.record({
  mode: fc.constantFrom(...policyModeNames),
  unattended: fc.boolean(),
  disable: fc.array(toolName, { maxLength: 1 }),
  rules: fc.array(fc.record({ tool: toolName, when, then: verdict }), few),
  annotations: fc.record({ readOnly: verdict, destructive: verdict, openWorld: verdict }, { requiredKeys: [] }),
});
const plannedAnswer = fc.record({
  kind: fc.constantFrom(
    "allow",
    "allow",
    "edit",
    "edit-badly",
    "deny",
    "deny-and-stop",
    "odd",
    "throw",
    "never",
    "other",
  ),
  delayMs: fc.nat(8),
  scope,
  when,
  edited: value,
});
const plan = fc.record({
  rules: plannedRules,
  remembered: fc.array(
    fc.record({ tool: toolName, when, decision: fc.constantFrom("allow", "deny"), isSameTool: fc.boolean() }),
    few,
  ),
  answers: fc.array(plannedAnswer, { minLength: 1, maxLength: 6 }),
  attended: fc.constantFrom("by a function", "at a desk", "on record", "at a desk", "on record", "by nobody"),
  steps: fc.array(fc.array(fc.record({ tool: toolName, value }), { maxLength: 5 }), few),
  stopAfterMs: fc.option(fc.nat(15), { nil: undefined }),
  policyFails: fc.option(fc.record({ at: fc.nat(8), how: fc.constantFrom("throws", "is odd") }), { nil: undefined }),
  rulesOf: fc.constantFrom("the runtime", "the run"),
  storeFailsAt: fc.option(fc.nat(8), { nil: undefined }),
  recordFails: fc.option(fc.record({ at: fc.nat(40), forever: fc.boolean() }), { nil: undefined }),
});
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never;

/** Advances the time in steps, each after the effects of the previous step, so that the machine's load has no effect. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function inSteps(work: Promise<void>): Promise<void> {
  let over = false;
  const watched = work.finally(() => {
    over = true;
  });
  watched.catch(() => {});
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1);
  }
  await watched;
}

function afterMs(delayMs: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), delayMs);
  return controller.signal;
}

test("for all rules, answers, tools and event logs, only allowed calls run", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(plan, (planned) => inSteps(play(planned))),
    { numRuns: 400 * Number(process.env.SOAK_FACTOR ?? 1) },
  );
});

interface Executed {
  id: string;
  tool: string;
  value: string;
}

interface Given extends ApprovalAnswer {
  id: string;
  tool: string;
}

async function play(planned: Plan): Promise<void> {
  const { rules, attended, steps, stopAfterMs, recordFails } = planned;
  const executed: Executed[] = [];
  const given: Given[] = [];
  const unjudged = new Set<string>();
  const receipts: boolean[] = [];
  const turn = async (host: TurnContext) => {
    for (const [index, calls] of steps.entries()) {
      step(host);
      await Promise.all(calls.map((call, order) => make(host, `${index}-${order}`, call, executed)));
    }
    return natural;
  };
  const own = createPolicy(rules as PolicyRules);
  const ofRun = planned.rulesOf === "the run";
  const policy = failing(ofRun ? createPolicy({ mode: "yolo" }) : own, planned.policyFails, unjudged);
  const record = failingRecord(recordFails);
  const permissions = failingPermissions(planned);
  const person = personOf(planned, given);
  const desk = createApprovalQueue();
  const ways = {
    "at a desk": desk.approve,
    "on record": "event-log",
    "by a function": person,
    "by nobody": person,
  } as const;
  const approve = ways[attended];
  const place = attended === "at a desk" ? deskPlace(desk) : attended === "on record" ? inboxPlace(record) : undefined;
  const onEvent = (event: RunEvent) => {
    if (place && event.type === "approval.requested") void answerAt(place, event);
  };
  async function answerAt(
    { open, answer: give }: Place,
    { approvalId }: Extract<RunEvent, { type: "approval.requested" }>,
  ): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    const approval = (await open()).find(({ id }) => id === approvalId);
    if (!approval) return;
    const { inputHash } = approval;
    receipts.push(!(await give(approvalId, { decision: "allow", inputHash: `${inputHash}0` })).accepted);
    const answer = await person(approval, afterMs(20)).catch(() => undefined);
    if (!["allow", "deny", "deny-and-stop"].includes(answer?.decision ?? "") || answer?.inputHash) return;
    const wasOpen = (await open()).some(({ id }) => id === approvalId);
    const isTaken = wasOpen && (await give(approvalId, { decision: "deny", ...answer, inputHash })).accepted;
    if (!isTaken) forget(given, approval); // its time limit was over
    receipts.push(!(await give(approvalId, { decision: "allow", inputHash })).accepted);
  }
  const run = begin(
    createTestBackend(turn),
    { tools: tools(executed), builtins: ["Read"], ...(ofRun && { policy: own }) },
    {
      policy,
      eventLog: record,
      permissions,
      onEvent,
      approvalTimeoutMs: 15,
      ...(attended === "by nobody" ? {} : { approve }),
    },
  );
  if (stopAfterMs !== undefined) setTimeout(() => run.stop(), stopAfterMs);
  const events = recordFails?.forever ? await expectOneEnd(run) : (await expectLaws(run)).events;
  expect(new Set(executed.map(({ id }) => id)).size).toBe(executed.length);
  for (const execution of executed) {
    expect(unjudged.has(execution.id), "a call that the policy could not judge").toBe(false);
    expect(justification(execution, planned, given), JSON.stringify({ execution, given })).toBeDefined();
  }
  expect(receipts, "only the first answer for the input that was shown counts").not.toContain(false);
  expectStarted(events, executed);
}

/** A queue or store that accepts answers by the ids of their questions. */
interface Place {
  open(): Promise<readonly Approval[]>;
  answer(...given: Parameters<ApprovalQueue["answer"]>): Promise<AnswerResult>;
}

function deskPlace(desk: ApprovalQueue): Place {
  return { open: async () => desk.pending, answer: async (...given) => desk.answer(...given) };
}

function inboxPlace({ approvals }: EventLog): Place {
  if (!approvals) throw new Error("The event log accepts no answers.");
  return approvals;
}

/** Explains why an execution was allowed, using the plan and the answers, without the policy's code. */
function justification({ id, tool, value }: Executed, planned: Plan, given: readonly Given[]): string | undefined {
  const { rules, remembered, attended, steps } = planned;
  const [stepIndex = 0, order = 0] = id.split("-").map(Number);
  const asked = steps[stepIndex]?.[order];
  const fits = (pattern: { value: string } | undefined) => pattern === undefined || pattern.value === value;
  const own = rules.rules.find((rule) => rule.tool === tool && fits(rule.when))?.then;
  const kept = remembered.filter((answer) => answer.tool === tool && fits(answer.when));
  const said = given.filter((answer) => answer.tool === tool && fits(answer.when as { value: string } | undefined));
  const declared = annotationsOf[tool] ?? {};
  const annotations: ToolAnnotations = tool === "Read" ? declared : resolveAnnotations(declared);
  if (rules.disable.includes(tool) || own === "deny") return undefined;
  if (kept.some(({ decision }) => decision === "deny")) return undefined;
  const mode = rules.mode === "plan" ? "read-only" : rules.mode;
  if (mode === "read-only" && !annotations.readOnly) return undefined;
  const answer = given.findLast((each) => each.id === id && !isBadEdit(each)); // after a malformed answer the question stays open
  const canAnswer = attended !== "by nobody" && !rules.unattended && mode !== "dontAsk";
  if (canAnswer && answer?.decision === "allow") {
    const wanted = (answer.input as { value: string } | undefined)?.value ?? asked?.value;
    if (wanted === value) return "a person said so";
  }
  if (answer) return undefined;
  if (asked?.value !== value) return undefined;
  if (mode === "ask") return undefined;
  if (["yolo", "acceptAll", "bypassPermissions"].includes(mode)) return "the mode";
  if (mode === "auto" && !annotations.destructive && own !== "ask") return "the mode";
  if (
    kept.some(({ isSameTool }) => isSameTool) ||
    said.some((each) => each.decision === "allow" && each.scope !== "once")
  )
    return "remembered";
  if (own !== undefined) return own === "allow" ? "its rule" : undefined;
  const follows = { readOnly: "allow", destructive: "ask", openWorld: "ask", ...rules.annotations };
  const names = Object.keys(follows).filter((name) => Reflect.get(annotations, name));
  const promised = names.map((name) => Reflect.get(follows, name));
  return promised.length > 0 && promised.every((each) => each === "allow") ? "its annotations" : undefined;
}

function isBadEdit({ input }: Given): boolean {
  return input !== undefined && typeof (input as { value: unknown }).value !== "string";
}

/** Creates a user who answers each question as planned; an answer counts while the question is open. */
function personOf(
  { answers }: Plan,
  given: Given[],
): (approval: Approval, signal: AbortSignal) => Promise<ApprovalAnswer> {
  let asked = 0;
  return (approval, signal) =>
    new Promise((resolve, reject) => {
      const planned = answers[asked++ % answers.length];
      if (!planned) return reject(new Error("no answer"));
      const { id, value: current } = approval.input as { id: string; value: string };
      const { kind, delayMs, when, edited } = planned;
      setTimeout(() => {
        if (signal.aborted) return reject(new Error("too late"));
        if (kind === "never") return;
        if (kind === "throw") return reject(new Error("the line broke"));
        if (kind === "odd") return resolve({ decision: "certainly" } as never);
        if (kind === "other") return resolve({ decision: "allow", inputHash: "other" });
        const decision = kind === "deny" || kind === "deny-and-stop" ? kind : "allow";
        const input = kind === "edit" ? { id, value: edited } : kind === "edit-badly" ? { id, value: 5 } : undefined;
        const narrowed = when === undefined ? {} : { when };
        const answer = { decision, scope: planned.scope, ...narrowed, ...(input && { input }) } as ApprovalAnswer;
        given.push({ ...answer, ...(approval.everyTime && { scope: "once" }), id, tool: approval.tool });
        expect(current).toMatch(/^[ab]$/);
        resolve(answer);
      }, delayMs);
    });
}

/** Removes an answer, because its question was settled before. */
function forget(given: Given[], { input }: Approval): void {
  const index = given.findLastIndex(({ id }) => id === (input as { id: string }).id);
  given.splice(index, 1);
}

async function make(host: TurnContext, id: string, { tool, value }: { tool: string; value: string }, log: Executed[]) {
  const call = { callId: id, tool, input: { id, value } };
  if (tool !== "Read") return host.callTool(call);
  const { allow } = await host.authorizeHostTool(call);
  if (!allow) return;
  log.push({ id, tool, value });
  host.completeHostTool(id, true, "read");
}

function tools(executed: Executed[]): AnyTool[] {
  const input = z.object({ id: z.string(), value: z.string() });
  const names = Object.keys(annotationsOf).filter((name) => name !== "Read");
  return names.map((tool) => {
    const execute = async ({ id, value }: Record<string, unknown>) => {
      executed.push({ id: String(id), tool, value: String(value) });
      await new Promise((resolve) => setTimeout(resolve, 1));
      return "done";
    };
    return createTestTool(tool, execute, { input, annotations: annotationsOf[tool] ?? {} });
  });
}

function failing(policy: Policy, fails: Plan["policyFails"], unjudged: Set<string>): Policy {
  const judged = new Set<string>();
  let count = 0;
  return {
    ...policy,
    evaluate(call, remembered) {
      const { id } = call.input as { id: string };
      const isFirst = !judged.has(id);
      judged.add(id);
      if (count++ !== fails?.at) return policy.evaluate(call, remembered);
      if (isFirst) unjudged.add(id);
      if (fails.how === "is odd") return { decision: "perhaps", rule: "odd" } as never;
      throw new Error("the policy broke");
    },
  };
}

/** Returns the identity of a tool in these runs. */
function identityOf(tool: string): ToolIdentity {
  const given = tools([]).find(({ name }) => name === tool);
  return given ? identifyTool(declareTool(given)) : { source: "the host hostile" };
}

function failingPermissions({ remembered, storeFailsAt }: Plan) {
  const about = { scope: "project", by: "somebody", at: "2026-01-31T00:00:00Z" } as const;
  const kept = remembered.map(({ when, isSameTool, ...answer }) => {
    const identity = isSameTool ? identityOf(answer.tool) : { source: "another server", definitionHash: "0" };
    return { ...answer, ...about, identity, ...(when && { when }) };
  });
  const store = createMemoryPermissions(kept as RememberedAnswer[]);
  let count = 0;
  const attempt = <T>(work: () => Promise<T>) =>
    count++ === storeFailsAt ? Promise.reject(new Error("the file broke")) : work();
  return {
    read: () => attempt(store.read),
    add: (answer: RememberedAnswer) => attempt(() => store.add(answer)),
  };
}

function failingRecord(fails: { at: number; forever: boolean } | undefined): EventLog {
  const record = createMemoryEventLog();
  let count = 0;
  return interceptAppends(record, (append) => (...parts) => {
    const index = count++;
    if (fails && (index === fails.at || (fails.forever && index > fails.at))) throw new Error("the disk is full");
    return append(...parts);
  });
}

/** Expects one end of the run and at most one outcome of each call. An event log that keeps failing stores no outcomes. */
async function expectOneEnd(run: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(events.filter(({ type }) => type === "run.finished")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("run.finished");
  const outcomes = events.filter(({ type }) => type === "tool.denied" || type === "tool.finished");
  const ids = outcomes.map((event) => ("callId" in event ? event.callId : ""));
  expect(new Set(ids).size).toBe(ids.length);
  return events;
}

/** Expects that calls that ran are logged as started, and that denied calls did not run. */
function expectStarted(events: readonly RunEvent[], executed: readonly Executed[]): void {
  const started = new Set(events.flatMap((event) => (event.type === "tool.started" ? [event.callId] : [])));
  const denied = new Set(events.flatMap((event) => (event.type === "tool.denied" ? [event.callId] : [])));
  for (const { id } of executed) {
    expect(started.has(id), `${id} is logged as started`).toBe(true);
    expect(denied.has(id), `${id} is denied`).toBe(false);
  }
}
