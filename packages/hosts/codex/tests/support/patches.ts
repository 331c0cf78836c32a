/** Runs the real Codex with `apply_patch` open. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import type { AgentRun, AnyTool, RunEvent } from "@bridle/protocol";
import type { StepInput } from "@bridle/rehearsal";
import { z } from "zod";
import { modelRequests } from "./codex-wire.ts";
import { startCodex } from "./test-backend.ts";

export const patchOf = (body: string) => `*** Begin Patch\n${body}\n*** End Patch`;
export const patchCall = (body: string) => ({ call: "apply_patch", with_text: patchOf(body) });

const output = z.looseObject({ type: z.string(), call_id: z.string(), output: z.unknown() });
const body = z.looseObject({ input: z.array(z.unknown()) });

export interface PatchRun {
  readonly events: readonly RunEvent[];
  readonly result: Awaited<AgentRun["result"]>;
  /** The results of calls in the last request, in order. */
  readonly outputs: readonly string[];
  readonly requests: number;
}

type RuntimeOptions = Parameters<typeof createAgentRuntime>[0];

export interface PatchRunOptions extends Partial<Omit<RuntimeOptions, "backend">> {
  readonly tools?: readonly AnyTool[];
  readonly stepBudget?: number;
  readonly model?: string;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

export async function runPatches(
  projectDir: string,
  steps: readonly StepInput[],
  { tools = [], stepBudget = 9, model = "gpt-6-sol", signal, onEvent, ...options }: PatchRunOptions = {},
): Promise<PatchRun> {
  const { backend, rehearsal, close } = await startCodex({
    rehearsal: 1,
    turns: [{ steps: [...steps, { say: "Done." }] }],
  });
  const runtime = createAgentRuntime({ ...options, backend, models: { default: model } });
  const request = { prompt: "go", builtins: ["apply_patch"], tools, stepBudget, projectDir };
  const run = runtime.runAgentLoop({ ...request, ...(signal && { signal }) });
  const events: RunEvent[] = [];
  for await (const event of run) {
    events.push(event);
    onEvent?.(event);
  }
  const result = await run.result;
  await runtime.close();
  const sent = modelRequests(rehearsal.requests);
  await close();
  return { events, result, outputs: outputsIn(sent.at(-1)?.body), requests: sent.length };
}

function outputsIn(sent: unknown): string[] {
  if (sent === undefined) return [];
  return body.parse(sent).input.flatMap((item) => {
    const parsed = output.safeParse(item);
    return parsed.success ? [String(parsed.data.output)] : [];
  });
}

/** Lists the events of calls, each with what identifies the call. */
export function callEvents(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.evaluated") return [`${event.decision} by ${event.rule}`];
    if (event.type === "tool.denied") return ["denied"];
    if (event.type === "tool.finished") return [event.ok ? "ok" : "failed"];
    return event.type === "tool.requested" ? [event.tool] : [];
  });
}

/** Creates a folder that contains a project. */
export async function makeProject() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "bridle-patch-")));
  const project = join(root, "project");
  await mkdir(project);
  return { root, project, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Returns the content of every file in a folder, by its path in the folder. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((path) => readFile(path, "utf8")));
  return Object.fromEntries(files.map((path, index) => [path.slice(folder.length + 1), texts[index] ?? ""]));
}
