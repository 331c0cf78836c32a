import { type EventDraft, omitUndefined, type ParentCall, type RunEvent } from "@bridle/protocol";
import type { RunEnding } from "../ending.ts";
import { type CallerCall, type CallingRun, copyQuestion, createParentCall } from "./calling-run.ts";

/** The parts of a run that its nested runs use. `stop` stops this run alone. */
interface Self extends Omit<CallingRun, "pause" | "own" | "log"> {
  /** Aborted when the call is over. */
  signalOf(callId: string): AbortSignal;
}

interface NestingOptions {
  readonly self: Self;
  /** The call that started the run, if there is one. */
  readonly above: CallerCall | undefined;
  /** Pauses this run alone. */
  pause(): () => Promise<void>;
  log(draft: EventDraft): void;
}

type Owned = Parameters<CallingRun["own"]>[1];

/** Connects a run with its caller and its nested runs: links in the logs, questions, pauses and the order of ends. */
export class Nesting {
  readonly #options: NestingOptions;
  readonly #asCaller: CallingRun;
  readonly #below = new Set<Owned>();
  /** The functions that let the caller continue, one for each pause. */
  readonly #resumes = new Set<() => Promise<void>>();
  #leave = () => {};
  #state: "new" | "begun" | "ended" = "new";

  constructor(options: NestingOptions) {
    const { self, log } = options;
    this.#options = options;
    const { pause, stop } = this;
    this.#asCaller = { ...self, log, stop, pause: pause.bind(this), own: this.#own.bind(this) };
  }

  /** Stops this run and all its callers. */
  stop: CallingRun["stop"] = (reason, by) => {
    const { self, above } = this.#options;
    self.stop(reason, by);
    above?.caller.stop(reason, by);
  };

  /** Returns a call of this run, for the runs that the call's tool starts. */
  callFor = (callId: string): ParentCall => createParentCall(this.#asCaller, callId);

  /** Registers the run as a nested run of its caller. */
  enter(run: Owned): void {
    const { above } = this.#options;
    if (above) this.#leave = above.caller.own(above.callId, run);
  }

  /** Logs in the caller's log that the run has started, unless the run has already ended. */
  begin(started: Omit<Extract<EventDraft, { type: "nested.started" }>, "type" | "callId" | "nestedRunId">): void {
    const { above, self } = this.#options;
    if (!above || this.#state === "ended") return;
    this.#state = "begun";
    const { callId, caller } = above;
    caller.log({ type: "nested.started", callId, nestedRunId: self.id, ...omitUndefined(started) });
  }

  observe(event: RunEvent): void {
    const { above } = this.#options;
    if (above) copyQuestion(event, above);
  }

  /** Pauses this run and its callers. The callers are resumed first, because this run may use their permits. */
  pause(): () => Promise<void> {
    const resumeOwn = this.#options.pause();
    const resumeCaller = this.#options.above?.caller.pause();
    if (resumeCaller) this.#resumes.add(resumeCaller);
    return async () => {
      if (resumeCaller) {
        this.#resumes.delete(resumeCaller);
        await resumeCaller();
      }
      await resumeOwn();
    };
  }

  /** Ends the nested runs before the run itself ends. Nested runs are never continued, so they leave no question open. */
  endNested({ stopReason }: RunEnding): void {
    const reason = new Error(`the run that called it has ended (${stopReason})`);
    for (const run of [...this.#below]) run.end(reason);
  }

  /** Logs the end of the run with its final figures. */
  end({ stopReason }: RunEnding): void {
    const { above, self } = this.#options;
    this.#leave();
    for (const resume of this.#resumes) void resume().catch(() => {}); // the caller may have ended
    this.#resumes.clear();
    const hasBegun = this.#state === "begun";
    this.#state = "ended";
    if (!above || !hasBegun) return;
    const { callId, caller } = above;
    caller.log({ type: "nested.finished", callId, nestedRunId: self.id, stopReason, totals: self.spending.totals });
  }

  #own(callId: string, run: Owned): () => void {
    const over = this.#options.self.signalOf(callId);
    const end = () => run.end(new Error("the call that started it is over"));
    over.addEventListener("abort", end, { once: true });
    this.#below.add(run);
    return () => {
      over.removeEventListener("abort", end);
      this.#below.delete(run);
    };
  }
}
