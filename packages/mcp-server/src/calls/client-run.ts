import { startTimer } from "@bridle/core";
import {
  type AgentRun,
  type AgentRuntime,
  type AnyTool,
  BackendCrashError,
  type Policy,
  type ToolCall,
  type ToolReply,
  type TurnContext,
} from "@bridle/protocol";
import { type ClientBackend, type ClientTurn, clientModel } from "./client-backend.ts";

export interface ClientRunOptions {
  readonly runtime: AgentRuntime;
  readonly backend: ClientBackend;
  readonly tools: readonly AnyTool[];
  readonly policy?: Policy | undefined;
  /** Describes the client for the event log. Called when a run begins. */
  describe(): ClientDescription;
  /** The number of calls after which a run ends, because the run's events are kept in memory until then. */
  readonly maxCalls: number;
  /** The number of milliseconds without a call after which a run ends. */
  readonly idleMs: number;
}

interface ClientDescription {
  /** A sentence that takes the place of a prompt. */
  readonly prompt: string;
  readonly labels: Record<string, string>;
}

/** A run that consists of the calls of one connection. */
export class ClientRun implements ClientTurn {
  readonly #options: ClientRunOptions;
  readonly #run: AgentRun;
  readonly #context = Promise.withResolvers<TurnContext>();
  readonly #done = Promise.withResolvers<void>();
  #calls = 0;
  #open = 0;
  #isEnding = false;
  #stopWaiting: () => void = () => {};

  constructor(options: ClientRunOptions) {
    const { runtime, backend, tools, policy } = options;
    this.#options = options;
    this.#context.promise.catch(() => {}); // a call that waits for the run reports the failure
    const hostSettings = backend.expect(this);
    try {
      this.#run = runtime.runAgentLoop({ ...options.describe(), tools, policy, model: clientModel, hostSettings });
    } catch (error) {
      backend.forget(hostSettings);
      throw error;
    }
    void this.#run.result.then(({ error }) => {
      backend.forget(hostSettings);
      this.#isEnding = true;
      this.#stopWaiting();
      this.#context.reject(error ?? new BackendCrashError("The run ended before the call."));
    });
  }

  /** Whether a new run is needed for further calls. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  get openCalls(): number {
    return this.#open;
  }

  take(context: TurnContext): Promise<void> {
    this.#context.resolve(context);
    return this.#done.promise;
  }

  /** Resolves when the run has begun. Rejects with a BridleError if it could not begin. */
  async call(call: ToolCall): Promise<ToolReply> {
    this.#stopWaiting();
    this.#calls += 1;
    this.#open += 1;
    if (this.#calls >= this.#options.maxCalls) this.#isEnding = true;
    try {
      return await (await this.#context.promise).callTool(call);
    } finally {
      this.#open -= 1;
      this.#wait();
    }
  }

  /** Ends the run and aborts its open calls. Resolves when the run's end is in the event log. */
  async close(): Promise<void> {
    this.#isEnding = true;
    this.#stopWaiting();
    if (this.#open === 0) this.#done.resolve();
    else this.#run.stop("the client left");
    await this.#run.result;
  }

  #wait(): void {
    if (this.#open > 0) return;
    if (this.#isEnding) this.#done.resolve();
    else this.#stopWaiting = startTimer(this.#options.idleMs, () => void this.close());
  }
}
