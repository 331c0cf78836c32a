/** Runs the real host among traps with a rehearsed model, and brings back what was sent and what ran. */
import { type Backend, createAgentRuntime, defineTool, type RunEvent, type RunResult } from "@bridle/core";
import type { RecordedRequest, Rehearsal, ScriptInput } from "@bridle/rehearsal";
import { z } from "zod";
import type { Decoy } from "./decoy.ts";
import type { Traps } from "./traps.ts";

export interface Evidence {
  /** The run in which the model called everything it knows by name. */
  sweep: { result: RunResult; events: readonly RunEvent[]; toolRuns: number };
  /** For each prompt, what the model was sent. */
  prompts: readonly { prompt: string; answer: string; requests: readonly RecordedRequest[] }[];
  requests: readonly RecordedRequest[];
  /** What hooks, servers and tools left on disk. */
  marks: readonly string[];
  visits: readonly string[];
}

export const answerToPrompts = "heard";
const sweepPrompt = "Call every tool that you know.";
export const handedTool = "look_up";

/** Tools that a model may try: the host's own, of other toolboxes, and some that never were. */
export function attemptedTools(builtins: readonly string[]): string[] {
  return [
    ...new Set([...builtins, "SlashCommand", "BashOutput", "mcp__trap__touch", "mcp__bridle__other", "other_tool"]),
  ];
}

/** The model's part. */
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

/** One input that does harm with whichever tool takes it. */
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

/** Prompts that a careless host would act on instead of sending. */
export function trapPrompts({ secretFile }: Traps): string[] {
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
}

export async function gatherEvidence({ backend, rehearsal, traps, decoy, model }: Scene): Promise<Evidence> {
  const runtime = createAgentRuntime({ backend, models: { default: model }, projectDir: traps.project });
  try {
    let toolRuns = 0;
    const execute = async () => `found ${++toolRuns}`;
    const tool = defineTool({
      name: handedTool,
      description: "Looks up.",
      input: z.object({ id: z.string() }),
      execute,
    });
    const run = runtime.runAgentLoop({ prompt: sweepPrompt, tools: [tool], stepBudget: 5, timeoutMs: 60_000 });
    const events: RunEvent[] = [];
    for await (const event of run) events.push(event);
    const result = await run.result;
    const prompts = [];
    for (const prompt of trapPrompts(traps)) {
      const before = rehearsal.requests.length;
      const answer = await runtime
        .generateText({ prompt, timeoutMs: 30_000 })
        .then(({ text }) => text, describeFailure);
      prompts.push({ prompt, answer, requests: rehearsal.requests.slice(before) });
    }
    const requests = [...rehearsal.requests];
    return {
      sweep: { result, events, toolRuns },
      prompts,
      requests,
      marks: await traps.marks(),
      visits: [...decoy.visits],
    };
  } finally {
    await runtime.close();
  }
}

function describeFailure(error: unknown): string {
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
