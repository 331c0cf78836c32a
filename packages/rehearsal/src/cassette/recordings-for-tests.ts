/** Records runs of the engine, and plays their cassettes. */

import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import type { LoopRequest, RunEvent } from "@bridle/protocol";
import type { ScriptAnswer } from "../engine/answer.ts";
import type { RehearsedConversation } from "../engine/conversation.ts";
import { createPlayer } from "../engine/play.ts";
import { parseScript } from "../script/parse.ts";
import type { Cassette } from "./cassette.ts";
import { type CassetteRecorderOptions, createCassetteRecorder } from "./recorder.ts";
import { writeCassette } from "./write.ts";

type ScriptedRequest = Partial<LoopRequest> & Pick<LoopRequest, "prompt">;

/** Runs the requests one after another with a model in memory. */
export async function record(
  model: ScriptedModel,
  requests: readonly ScriptedRequest[],
  options: CassetteRecorderOptions = {},
): Promise<Cassette> {
  const memory = createMemoryEventLog();
  const recorder = createCassetteRecorder({ readArtifact: memory.artifact, ...options });
  const { onEvent } = recorder;
  const runtime = createAgentRuntime({
    backend: createMemoryBackend(model),
    models: { default: "memory-1" },
    eventLog: memory,
    onEvent,
  });
  for (const request of requests) await runtime.runAgentLoop({ tools: [], stepBudget: 9, ...request }).result;
  await runtime.close();
  return recorder.cassette();
}

/** Returns the events of a run, with their positions. */
export function eventsOf(runId: string, drafts: readonly object[], time = 0): RunEvent[] {
  return drafts.map((draft, index) => ({ ...draft, runId, seq: index + 1, time: time + index }) as RunEvent);
}

/** Returns the events of a run with one message, as far as a cassette reads them. */
export function runOf(
  runId: string,
  prompt: string,
  events: readonly object[],
  result: object = {},
  time = 0,
): RunEvent[] {
  return eventsOf(
    runId,
    [
      { type: "run.started", operation: "loop", backend: "memory", model: "m" },
      { type: "model.input", turn: 1, artifact: "none", messages: [{ role: "user", content: prompt }] },
      ...events,
      { type: "run.finished", result: { stopReason: "natural", ...result } },
    ],
    time,
  );
}

export const fileOf = (cassette: Cassette) => writeCassette(cassette, { at: new Date(0) });

/** Writes a cassette, reads it again and returns its answer, or the reason why it has none. */
export function playBack(cassette: Cassette, conversation: Partial<RehearsedConversation>): ScriptAnswer | string {
  const base: RehearsedConversation = { id: "c", system: "", user: "", turn: 1, answers: [], results: [], offered: [] };
  const play = createPlayer(parseScript(fileOf(cassette), "cassette.yaml"))({ ...base, ...conversation });
  if (play.kind === "mismatch") return play.reason;
  return play.answer ?? play.step.act.kind;
}
