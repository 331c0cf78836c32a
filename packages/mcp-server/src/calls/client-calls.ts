import { randomUUID } from "node:crypto";
import { createToolbox } from "@bridle/core";
import {
  type AnyTool,
  isBridleError,
  type ToolContext,
  type ToolDeclaration,
  type ToolOutput,
  type ToolReply,
} from "@bridle/protocol";
import type { CallerTools } from "../caller.ts";
import { ClientRun, type ClientRunOptions } from "./client-run.ts";

/** One call by a client. */
export interface ClientCall {
  readonly tool: string;
  readonly input: unknown;
  /** Aborted if the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Receives the messages of `context.progress`. */
  onProgress(message: string): void;
}

/** A tool's reply, with data that is only for the run's log. */
export type ClientReply = ToolReply & { readonly structured?: unknown };

interface OpenClientCall extends Pick<ClientCall, "signal" | "onProgress"> {
  structured?: unknown;
}

export interface ClientCallsOptions extends Omit<ClientRunOptions, "tools" | "policy"> {
  readonly offered: CallerTools;
  /** The maximum number of open calls. */
  readonly maxOpenCalls: number;
  /** Called when the model may call one more tool. */
  onToolAdded(): void;
}

/** The calls of one connection. They belong to a run, which begins with the first call and ends after some time without a call. */
export class ClientCalls {
  readonly #options: ClientCallsOptions;
  readonly #tools: readonly AnyTool[];
  readonly #declarations: readonly ToolDeclaration[];
  readonly #open = new Map<string, OpenClientCall>();
  readonly #added = new Map<string, ToolDeclaration>();
  readonly #runs = new Set<ClientRun>();
  #current: ClientRun | undefined;
  #isClosed = false;

  /** Throws ToolSchemaError if a tool cannot be shown to a model. */
  constructor(options: ClientCallsOptions) {
    const { tools, hidden = [] } = options.offered;
    this.#options = options;
    this.#tools = tools.map((tool) => ({ ...tool, execute: (input, context) => this.#execute(tool, input, context) }));
    this.#declarations = createToolbox(tools).declarations.filter(({ name }) => !hidden.includes(name));
  }

  /** The tools that the client currently sees. */
  get declarations(): readonly ToolDeclaration[] {
    return [...this.#declarations, ...this.#added.values()];
  }

  get openCalls(): number {
    return this.#open.size;
  }

  /** Whether the tool exists, even if the client does not see it. */
  has(tool: string): boolean {
    return this.#tools.some(({ name }) => name === tool) || this.#added.has(tool);
  }

  /** Makes a call. Never rejects: every failure is a reply for the model. */
  async call({ tool, input, signal, onProgress }: ClientCall): Promise<ClientReply> {
    const { maxOpenCalls } = this.#options;
    if (this.#isClosed) return failure("The connection is closed.");
    if (this.#open.size >= maxOpenCalls) {
      return failure(`${maxOpenCalls} calls of this connection are open already. Wait for their results first.`);
    }
    const callId = `call_${randomUUID()}`;
    const entry: OpenClientCall = { signal, onProgress };
    this.#open.set(callId, entry);
    try {
      const reply = await this.#runForCalls().call({ callId, tool, input });
      this.#noteAdded(reply);
      return { ...reply, structured: entry.structured };
    } catch (error) {
      if (isBridleError(error)) return failure(error.message);
      throw error;
    } finally {
      this.#open.delete(callId);
    }
  }

  /** Aborts the open calls. Resolves when all events are in the log. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#runs].map((run) => run.close()));
  }

  #runForCalls(): ClientRun {
    if (this.#current && !this.#current.isEnding) return this.#current;
    for (const run of this.#runs) if (run.isEnding && run.openCalls === 0) this.#runs.delete(run);
    const { runtime, backend, maxCalls, idleMs, offered } = this.#options;
    this.#current = new ClientRun({
      runtime,
      backend,
      maxCalls,
      idleMs,
      tools: this.#tools,
      policy: offered.policy,
      describe: () => this.#options.describe(),
    });
    this.#runs.add(this.#current);
    return this.#current;
  }

  #noteAdded({ addedTool }: ToolReply): void {
    if (!addedTool || this.#added.has(addedTool.name)) return;
    this.#added.set(addedTool.name, addedTool);
    this.#options.onToolAdded();
  }

  /** Runs a tool until it is done or its client cancels the call. */
  async #execute(tool: AnyTool, input: Record<string, unknown>, context: ToolContext): Promise<ToolOutput | string> {
    const call = this.#open.get(context.callId);
    if (!call) return tool.execute(input, context);
    call.signal.throwIfAborted();
    const cancelled = Promise.withResolvers<never>();
    const onAbort = () => cancelled.reject(new Error("The client cancelled the call."));
    call.signal.addEventListener("abort", onAbort, { once: true });
    try {
      const signal = AbortSignal.any([context.signal, call.signal]);
      const progress = (message: string) => {
        context.progress(message);
        call.onProgress(message);
      };
      const output = await Promise.race([tool.execute(input, { ...context, signal, progress }), cancelled.promise]);
      if (typeof output === "object") call.structured = output.structured;
      return output;
    } finally {
      call.signal.removeEventListener("abort", onAbort);
    }
  }
}

function failure(output: string): ClientReply {
  return { output, isError: true };
}
