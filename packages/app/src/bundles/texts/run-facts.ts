/** Collects the facts about runs from their events. */
import { type EventOf, promptText, type RunEvent, type RunResult } from "@bridle/protocol";
import { type CallFacts, CallFactsBuilder } from "./call-facts.ts";
import { short } from "./run-words.ts";

/** The first items of a list, and the length of the whole list. */
export interface Beginning<T> {
  readonly first: readonly T[];
  readonly total: number;
}

export interface RunFacts {
  readonly runId: string;
  readonly started: EventOf<"run.started"> | undefined;
  /** The time of the first event, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** The time of the last event before the end. If the process died, another process wrote the end later. */
  readonly lastSignAt: number;
  /** The user's messages, shortened. */
  readonly prompts: Beginning<string>;
  /** The models that answered, by the names that the host uses. */
  readonly answeredBy: readonly string[];
  readonly calls: Beginning<CallFacts>;
  readonly retries: Beginning<EventOf<"retry.scheduled">>;
  /** Limits that took effect, and notices. */
  readonly news: Beginning<RunEvent>;
  readonly result: RunResult | undefined;
  /** Sentences about facts that are missing in the events. */
  readonly unknown: readonly string[];
}

/** The maximum number of facts of each kind. A summary fits on a screen. */
const max = { prompts: 5, calls: 8, retries: 4, news: 3, open: 10_000, unknown: 20 };

/** Keeps the first items of a list. */
class FirstItems<T> implements Beginning<T> {
  readonly first: T[] = [];
  readonly #max: number;
  total = 0;

  constructor(maxItems: number) {
    this.#max = maxItems;
  }

  add(item: T): void {
    this.total += 1;
    if (this.first.length < this.#max) this.first.push(item);
  }
}

/** Collects the facts about one run, event by event. Memory use does not grow with the number of events. */
export class RunFactsBuilder {
  readonly #runId: string;
  readonly #startedAt: number;
  #started: EventOf<"run.started"> | undefined;
  #lastAt: number;
  #lastSignAt: number;
  readonly #prompts = new FirstItems<string>(max.prompts);
  readonly #models = new Set<string>();
  readonly #calls = new FirstItems<CallFactsBuilder>(max.calls);
  readonly #callsById = new Map<string, CallFactsBuilder>();
  readonly #retries = new FirstItems<EventOf<"retry.scheduled">>(max.retries);
  readonly #news = new FirstItems<RunEvent>(max.news);
  #isAnswering = false;
  #events = 0;
  #result: RunResult | undefined;

  constructor({ runId, time }: RunEvent) {
    this.#runId = runId;
    this.#startedAt = time;
    this.#lastAt = time;
    this.#lastSignAt = time;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  /** The number of events so far. */
  get events(): number {
    return this.#events;
  }

  add(event: RunEvent): void {
    this.#events += 1;
    this.#lastAt = event.time;
    if (event.type !== "run.finished") this.#lastSignAt = event.time;
    switch (event.type) {
      case "run.started":
        this.#started ??= event;
        break;
      case "run.finished":
        this.#result = event.result;
        break;
      case "model.input":
        for (const message of event.messages)
          if (message.role === "user") this.#prompts.add(short(promptText(message)));
        break;
      case "step.started":
        if (event.model !== undefined) this.#models.add(event.model);
        this.#isAnswering = true;
        break;
      case "step.finished":
        this.#isAnswering = false;
        break;
      case "retry.scheduled":
        this.#retries.add(event);
        break;
      case "tool.requested":
        this.#addCall(event);
        break;
      default:
        if (isNews(event)) this.#news.add(event);
        else this.#updateCall(event);
    }
  }

  facts(): RunFacts {
    const result = this.#result;
    const models = [...this.#models, result?.model].filter((model) => model !== undefined);
    return {
      runId: this.#runId,
      started: this.#started,
      startedAt: this.#startedAt,
      prompts: this.#prompts,
      result,
      lastAt: this.#lastAt,
      lastSignAt: this.#lastSignAt,
      retries: this.#retries,
      news: this.#news,
      answeredBy: [...new Set(models)],
      calls: { first: this.#calls.first.map((call) => call.facts()), total: this.#calls.total },
      unknown: this.#listUnknown(),
    };
  }

  #addCall(event: EventOf<"tool.requested">): void {
    const call = new CallFactsBuilder(event, this.#startedAt);
    this.#calls.add(call);
    this.#callsById.set(event.callId, call);
    if (this.#callsById.size > max.open) this.#callsById.delete(this.#callsById.keys().next().value ?? "");
  }

  #updateCall(event: RunEvent): void {
    if (!("callId" in event)) return;
    const call = this.#callsById.get(event.callId);
    call?.add(event);
    if (call && !call.isOpen) this.#callsById.delete(event.callId);
  }

  #listUnknown(): string[] {
    const open = [...this.#callsById.values()]
      .map((call) => call.facts())
      .filter(({ outcome }) => outcome === "unknown");
    const more = open.length - max.unknown;
    return [
      ...open
        .slice(0, max.unknown)
        .map(({ tool, callId }) => `Whether the call ${callId} of ${tool} had its effect: it started, but has no end.`),
      ...(more > 0 ? [`The same of ${more} more calls.`] : []),
      ...(this.#result === undefined ? ["How the run ended: it was in progress when the bundle was created."] : []),
      ...(this.#result?.error?.code === "process_died"
        ? ["Why the process died, and when exactly: it was after the last event."]
        : []),
      ...(this.#isAnswering ? ["The rest of the last answer, which is not complete."] : []),
    ];
  }
}

/** Whether an event is about a limit, or a notice. */
export function isNews({ type }: RunEvent): boolean {
  return type.startsWith("limit.") || type === "notice";
}

/** The newest runs, and the number of runs before them. */
export interface NewestRuns {
  readonly runs: readonly RunFacts[];
  readonly earlier: number;
}

/** The maximum number of runs in a summary. */
const maxRuns = 5;

/** Collects the facts about the newest runs. */
export class NewestRunsBuilder {
  readonly #runs = new Map<string, RunFactsBuilder>();
  #earlier = 0;

  /** Returns the facts about the run of the event. */
  add(event: RunEvent): RunFactsBuilder {
    const run = this.#runs.get(event.runId) ?? this.#begin(event);
    run.add(event);
    return run;
  }

  facts(): NewestRuns {
    return { runs: [...this.#runs.values()].map((run) => run.facts()), earlier: this.#earlier };
  }

  #begin(event: RunEvent): RunFactsBuilder {
    const run = new RunFactsBuilder(event);
    this.#runs.set(event.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size <= maxRuns || oldest === undefined) return run;
    this.#runs.delete(oldest);
    this.#earlier += 1;
    return run;
  }
}
