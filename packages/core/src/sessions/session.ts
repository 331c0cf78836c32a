/**
 * A conversation of several runs. What it is, is its events on record: it goes on after a restart, and on any backend,
 * with the history that they tell of.
 */
import {
  type AgentSession,
  addToTotals,
  type EventDraft,
  emptyTranscript,
  type HistoryMessage,
  historyFrom,
  InvalidRequestError,
  noTotals,
  type RunEvent,
  reduceTranscript,
  type SendOptions,
  type SessionRequest,
  sessionAnswers,
} from "@bridle/protocol";
import { createMemoryPermissions } from "../approvals/memory-permissions.ts";
import { checkCompactAt, crowdingOf, measure, modelKey, nothingMeasured } from "../run/context-usage.ts";
import type { StartedRun } from "../run/engine.ts";
import type { HistoryReplacement, RunPlan, SessionPart } from "../run/run-plan.ts";
import type { Planner } from "../run/run-request.ts";
import { newSessionId } from "../system/ids.ts";
import { checkHistory } from "./check-history.ts";
import { createCondense, defaultCompaction } from "./compact.ts";
import { type LateAnswerServices, settleLeftOpen } from "./late-answers.ts";
import { checkSessionId } from "./session-id.ts";
import type { TurnTaking } from "./turn-taking.ts";
import { upToStep } from "./up-to-step.ts";
import { withoutDeltas } from "./without-deltas.ts";

export interface SessionServices extends LateAnswerServices {
  planner: Planner;
  /** The backend's id. */
  backend: string;
  turns: TurnTaking;
  begin(plan: RunPlan): StartedRun;
  /** Lets go of what the host holds for the session's next run. */
  leave(session: string): Promise<void>;
}

/** Throws InvalidRequestError for an id that cannot be one, and for a share that is none. */
export function openSession(request: SessionRequest, services: SessionServices): AgentSession {
  return createSession(checkSessionId(request.id ?? newSessionId()), request, services);
}

function createSession(
  id: string,
  request: SessionRequest,
  services: SessionServices,
  start?: HistoryReplacement,
): AgentSession {
  const { record, planner, backend, turns, begin, now } = services;
  const { compaction = defaultCompaction } = request;
  const compactAt = checkCompactAt(request.compactAt);
  const condense = createCondense(request, services, id);
  let transcript = emptyTranscript;
  let totals = noTotals;
  let meter = nothingMeasured;
  const approvals: RunEvent[] = [];
  const earlierResults = new Map<string, () => string | undefined>();
  let read = 0;
  /** Goes on record with the next run. */
  let replacement = start;
  let current: StartedRun | undefined;
  let closed = false;

  /** Reads on from where it stopped: others may have added to the session meanwhile. */
  function readOn(): void {
    for (const event of withoutDeltas(record, id, read + 1)) {
      transcript = reduceTranscript(transcript, event);
      totals = addToTotals(totals, event);
      meter = measure(meter, event);
      if (event.type === "tool.finished" && event.artifact !== undefined) {
        const { callId, artifact } = event;
        earlierResults.set(callId, () => record.artifact(artifact));
      }
      if (event.type === "approval.requested" || event.type === "approval.decided") approvals.push(event);
      read = event.seq;
    }
  }

  function history(): readonly HistoryMessage[] {
    readOn();
    return replacement?.messages ?? historyFrom(transcript);
  }

  async function send(prompt: SendPrompt, { whenBusy = "wait", ...options }: SendOptions = {}): Promise<StartedRun> {
    const done = await turns.take(id, whenBusy, options.signal);
    try {
      if (closed) throw new InvalidRequestError(`The session ${id} is closed. Open it again to go on.`);
      const late = await settleLeftOpen(id, services);
      const run = begin(planOf(prompt, options, late));
      current = run;
      replacement = undefined;
      void run.result.then(done); // a result never rejects
      return run;
    } catch (error) {
      done();
      throw error;
    }
  }

  function planOf(prompt: SendPrompt, options: Omit<SendOptions, "whenBusy">, late: readonly EventDraft[]): RunPlan {
    const { id: _id, compactAt: _compactAt, ...shared } = request;
    const labels = { ...request.labels, ...options.labels };
    const loop = { ...shared, ...options, prompt, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
    readOn();
    const soon = late.map((draft, index) => ({
      ...draft,
      seq: read + 1 + index,
      time: now(),
      runId: "",
      sessionId: id,
    }));
    const before = replacement?.messages ?? historyFrom(soon.reduce(reduceTranscript, transcript));
    const part: SessionPart = {
      sessionId: id,
      history: before,
      earlierResults: new Map(earlierResults),
      ...(replacement === undefined ? {} : { replacement }),
      ...(late.length > 0 && { late }),
    };
    const plan = planner.planLoop(loop, part);
    const asked = modelKey(backend, plan.spec.model);
    const crowding = replacement ? undefined : crowdingOf(meter, { asked, prompt: [plan.input], compactAt });
    return {
      ...plan,
      session: { ...part, ...(crowding && { crowding }) },
      permissions: createMemoryPermissions(sessionAnswers([...approvals, ...soon])),
      condense: (whole, place) => condense(compaction, whole, place),
    };
  }

  async function fork({ atStep }: { atStep?: number } = {}): Promise<AgentSession> {
    readOn();
    const messages = atStep === undefined ? history() : historyFrom(upToStep(transcript, atStep));
    return createSession(newSessionId(), request, services, { reason: "forked", from: id, messages });
  }

  return {
    id,
    send,
    fork,
    history,
    get totals() {
      readOn();
      return totals;
    },
    get steps() {
      readOn();
      return transcript.steps;
    },
    edit(messages) {
      replacement = { reason: "edited", messages: checkHistory(messages) };
    },
    async compact(strategy) {
      const shorter = await condense(strategy, history());
      if (shorter) replacement = shorter;
      return shorter !== undefined;
    },
    async close() {
      closed = true;
      current?.stop("the session was closed");
      await current?.released;
      await services.leave(id);
    },
  };
}

type SendPrompt = Parameters<AgentSession["send"]>[0];
