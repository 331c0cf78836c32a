/** Runs the real host among traps with a rehearsed model, and collects its requests and the marks of everything that ran. */

import { createAgentRuntime, inParallel } from "@bridle/core";
import { type AgentRuntime, type Backend, defineTool, type RunEvent, type RunResult } from "@bridle/protocol";
import type { RecordedRequest, Rehearsal, ScriptInput } from "@bridle/rehearsal";
import { z } from "zod";
import type { Decoy } from "./decoy.ts";
import type { Traps } from "./traps.ts";

export interface Evidence {
  /** The run in which the model called every tool that the proof knows by name. */
  sweep?: { result: RunResult; events: readonly RunEvent[]; toolRuns: number };
  /** The run that opened the host's own tool for skills. */
  skills?: { result: RunResult };
  /** For each prompt, the requests that the model received. */
  prompts?: readonly { prompt: string; answer: string; requests: readonly RecordedRequest[] }[];
  requests: readonly RecordedRequest[];
  /** The marks that hooks, servers and tools left on disk. */
  marks: readonly string[];
  /** The names of files that the host kept in its own folder and in the user's cache. */
  traces: readonly string[];
  visits: readonly string[];
}

/** The three parts of the proof; nothing is claimed about a part that is left out. */
export type EvidencePart = "sweep" | "skills" | "prompts";
export const allParts: readonly EvidencePart[] = ["sweep", "skills", "prompts"];

export const answerToPrompts = "heard";
export const handedTool = "look_up";
export const skillsPrompt = "Which skills do you have?";
const sweepPrompt = "Call every tool that you know.";
const promptsAtOnce = 3;

/** Returns tools that a model may try: the host's own, tools of other toolboxes, and tools that never existed. */
export function attemptedTools(builtins: readonly string[]): string[] {
  return [
    ...new Set([...builtins, "SlashCommand", "BashOutput", "mcp__trap__touch", "mcp__bridle__other", "other_tool"]),
  ];
}

/** Writes the script of the rehearsed model. */
export function boundaryScript(builtins: readonly string[], traps: Traps, decoyUrl: string): ScriptInput {
  const input = trapInput(traps, decoyUrl);
  const calls = attemptedTools(builtins).map((call) => ({ call, with: input }));
  return {
    rehearsal: 1,
    turns: [
      { when: { user: sweepPrompt }, steps: [{ calls }, { call: handedTool, with: { id: "1" } }, { say: "done" }] },
      { steps: [{ say: answerToPrompts }] },
    ],
  };
}

/** Returns one input that causes harm with any tool that accepts it. */
function trapInput({ markFolder, secretFile, project }: Traps, decoyUrl: string): Record<string, unknown> {
  return {
    command: `touch '${markFolder}/shell'`,
    file_path: `${markFolder}/written`,
    notebook_path: `${markFolder}/written.ipynb`,
    path: project,
    pattern: "*",
    content: "trap",
    old_string: "",
    new_string: "trap",
    url: decoyUrl,
    prompt: `Read ${secretFile}`,
    query: "trap",
    skill: "trap",
    subagent_type: "trap",
    description: "trap",
  };
}

/** Returns prompts that a careless host would act on instead of sending them unchanged. */
function trapPrompts({ secretFile }: Traps): string[] {
  return [
    "Read @/etc/hostname",
    "Read @secret.txt",
    `Read @${secretFile}`,
    "/context",
    "/compact",
    "/init",
    "/trap now",
    "!touch x",
    "#remember",
  ];
}

export interface Scene {
  backend: Backend;
  rehearsal: Pick<Rehearsal, "requests">;
  traps: Traps;
  decoy: Decoy;
  model: string;
  signal?: AbortSignal | undefined;
}

/**
 * Gathers the evidence. Rejects if `signal` is aborted, because incomplete evidence would seem to prove parts that were never checked.
 * Reads marks and traces after the host has exited, because the host writes some of them as it exits.
 */
export async function gatherEvidence(scene: Scene, parts: readonly EvidencePart[] = allParts): Promise<Evidence> {
  const { rehearsal, traps, decoy } = scene;
  const runs = await runParts(scene, parts);
  const [marks, traces] = [await traps.marks(), await traps.traces()];
  return { ...runs, requests: [...rehearsal.requests], marks, traces, visits: [...decoy.visits] };
}

type Runs = Pick<Evidence, "sweep" | "skills" | "prompts">;

async function runParts(scene: Scene, parts: readonly EvidencePart[]): Promise<Runs> {
  const { backend, traps, model, signal } = scene;
  signal?.throwIfAborted();
  const runtime = createAgentRuntime({ backend, models: { default: model }, projectDir: traps.project });
  const stop = () => void runtime.close();
  signal?.addEventListener("abort", stop, { once: true });
  const runs: Runs = {};
  try {
    if (parts.includes("sweep")) runs.sweep = await sweepTools(runtime);
    if (parts.includes("skills")) runs.skills = await openSkills(runtime);
    if (parts.includes("prompts")) runs.prompts = await sendPrompts(runtime, scene);
    signal?.throwIfAborted();
    return runs;
  } finally {
    signal?.removeEventListener("abort", stop);
    await runtime.close();
  }
}

async function sweepTools(runtime: AgentRuntime): Promise<NonNullable<Evidence["sweep"]>> {
  let toolRuns = 0;
  const execute = async () => `found ${++toolRuns}`;
  const tool = defineTool({ name: handedTool, description: "Looks up.", input: z.object({ id: z.string() }), execute });
  const run = runtime.runAgentLoop({ prompt: sweepPrompt, tools: [tool], stepBudget: 5, timeoutMs: 30_000 });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return { result: await run.result, events, toolRuns };
}

async function openSkills(runtime: AgentRuntime): Promise<NonNullable<Evidence["skills"]>> {
  const request = { prompt: skillsPrompt, tools: [], builtins: ["Skill"], stepBudget: 1, timeoutMs: 30_000 };
  return { result: await runtime.runAgentLoop(request).result };
}

async function sendPrompts(
  runtime: AgentRuntime,
  { rehearsal, traps }: Scene,
): Promise<NonNullable<Evidence["prompts"]>> {
  const first = rehearsal.requests.length;
  const answers = await inParallel(trapPrompts(traps), { parallel: promptsAtOnce }, async (prompt) => ({
    prompt,
    answer: await runtime.generateText({ prompt, timeoutMs: 20_000 }).then(({ text }) => text, describeFailure),
  }));
  const requests = rehearsal.requests.slice(first);
  return answers.map(({ prompt, answer }) => ({
    prompt,
    answer,
    requests: requests.filter((request) => mentions(request, prompt)),
  }));
}

function mentions({ body }: RecordedRequest, prompt: string): boolean {
  return JSON.stringify(body)?.includes(JSON.stringify(prompt).slice(1, -1)) ?? false;
}

function describeFailure(error: unknown): string {
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
