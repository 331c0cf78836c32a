import { HostChildProcess } from "@bridle/host-shared";
import { BackendCrashError, isBridleError, TimeoutError } from "@bridle/protocol";
import type { z } from "zod";
import { applyPatch } from "../boundary/opened-tools.ts";
import type { PrivateHome } from "../home/private-home.ts";
import { mergeLimits } from "../limits/windows.ts";
import {
  approvalSchema,
  callSchema,
  type HostLimits,
  initializeAnswer,
  type Line,
  type Notification,
  readNotification,
} from "../messages/messages.ts";
import { JsonRpc, type RpcHandlers } from "./json-rpc.ts";

/** A request from the process that belongs to a conversation. */
export interface ThreadRequest {
  method: "item/tool/call" | "item/fileChange/requestApproval";
  callId: string;
  tool: string;
  input: unknown;
}

/** The conversation that a thread belongs to. */
export interface ThreadReceiver {
  receive(notification: Notification): void;
  receiveRaw(line: Line): void;
  /** Receives the account's usage windows. Another conversation of the process may have caused the report. */
  receiveLimits(limits: HostLimits): void;
  /** Answers a request. Resolves with the answer for the process; undefined if the process gets none. */
  answer(request: ThreadRequest): Promise<unknown>;
  fail(error: unknown): void;
}

export interface AppServerOptions {
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  home: PrivateHome;
  /** Milliseconds after which a request to the process fails if it has no answer. */
  timeLimitMs: number;
}

const clientInfo = { name: "bridle", version: "0.1.0" };

/** One process of `codex app-server`, which serves many conversations at once. */
export class AppServer {
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  readonly #child = new HostChildProcess();
  readonly #rpc: JsonRpc;
  readonly #home: PrivateHome;
  readonly #threads = new Map<string, ThreadReceiver>();
  #failure: unknown;
  #isStuck = false;
  #isClosed = false;
  #limits: HostLimits | undefined;

  constructor({ command, args, environment, home, timeLimitMs }: AppServerOptions) {
    this.#home = home;
    const child = this.#child.spawn({
      command,
      args,
      cwd: home.workingFolder,
      env: { ...environment, ...home.variables },
    });
    const handlers: RpcHandlers = {
      onRequest: (method, params) => this.#answer(method, params),
      onNotification: (line) => this.#receive(line),
      onBroken: (error) => this.#break(error),
      onLate: () => {
        this.#isStuck = true;
        return stuckError(timeLimitMs);
      },
    };
    this.#rpc = new JsonRpc(child.stdout, child.stdin, handlers, timeLimitMs);
    const ended = Promise.withResolvers<void>();
    child.once("exit", () => setTimeout(ended.resolve, 20)); // waits for the newest lines of standard error
    child.once("error", (error) => {
      this.#break(error);
      ended.resolve();
    });
    this.gone = ended.promise.then(() => this.#end());
  }

  get home(): PrivateHome {
    return this.#home;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether the process can serve further conversations. A process that is stuck may still serve its current conversations. */
  get isUsable(): boolean {
    return this.#failure === undefined && !this.#isStuck;
  }

  /** The account's usage windows, as the process last reported them. */
  get limits(): HostLimits | undefined {
    return this.#limits;
  }

  /**
   * Initializes the process. Call this first. Other requests need not wait for the answer, because the process reads one message after the
   * other.
   */
  async initialize(): Promise<void> {
    const capabilities = { experimentalApi: true, requestAttestation: false };
    const answer = this.request("initialize", { clientInfo, capabilities }, initializeAnswer);
    this.#rpc.notify("initialized");
    await answer;
  }

  /**
   * Sends a request, and returns the answer. Throws BackendCrashError if the process has ended, refuses the request, or answers in another
   * form.
   */
  async request<T>(method: string, params: object, schema: z.ZodType<T>): Promise<T> {
    const parsed = schema.safeParse(await this.#rpc.request(method, params));
    if (parsed.success) return parsed.data;
    throw new BackendCrashError(`Codex answered ${method} in an unknown form.`, { cause: parsed.error });
  }

  attach(threadId: string, receiver: ThreadReceiver): void {
    this.#threads.set(threadId, receiver);
    if (this.#failure !== undefined) receiver.fail(this.#failure);
  }

  /** Detaches a thread. Its later messages are dropped. */
  detach(threadId: string): void {
    this.#threads.delete(threadId);
  }

  unref(): void {
    this.#child.unref();
  }

  ref(): void {
    this.#child.ref();
  }

  /** Whether this program has ended the process. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    this.#failure ??= new BackendCrashError("The process of Codex was closed.");
    this.ref();
    await this.#child.end(graceMs);
    await this.gone;
  }

  #receive(line: Line): void {
    let notification: Notification | undefined;
    try {
      notification = readNotification(line);
    } catch (error) {
      this.#break(error);
      return;
    }
    if (notification?.method === "account/rateLimits/updated") this.#updateLimits(notification.params.rateLimits);
    const receiver = this.#receiverOf(line.params);
    receiver?.receiveRaw(line);
    if (notification) receiver?.receive(notification);
  }

  #updateLimits(report: HostLimits): void {
    this.#limits = mergeLimits(this.#limits, report);
    for (const receiver of this.#threads.values()) receiver.receiveLimits(this.#limits);
  }

  #receiverOf(params: unknown): ThreadReceiver | undefined {
    const id: unknown = typeof params === "object" && params !== null ? Reflect.get(params, "threadId") : undefined;
    return typeof id === "string" ? this.#threads.get(id) : undefined;
  }

  /** Answers a request. Refuses every request that is not a conversation's call, such as a question to the user. */
  async #answer(method: string, params: unknown): Promise<unknown> {
    const receiver = this.#receiverOf(params);
    if (!receiver) throw new Error("there is no such conversation");
    if (method === "item/tool/call") {
      const { callId, tool, arguments: input } = callSchema.parse(params);
      return receiver.answer({ method, callId, tool, input });
    }
    if (method === "item/fileChange/requestApproval") {
      const { itemId } = approvalSchema.parse(params);
      return receiver.answer({ method, callId: itemId, tool: applyPatch, input: undefined });
    }
    throw new Error(`${method} is not available`);
  }

  #break(error: unknown): void {
    this.#failure ??= crashError(error, this.#child.stderr);
    void this.#child.end(0);
  }

  async #end(): Promise<void> {
    this.#failure ??= crashError(undefined, this.#child.stderr);
    this.#rpc.fail(this.#failure);
    for (const receiver of this.#threads.values()) receiver.fail(this.#failure);
    this.#threads.clear();
    await this.#home.remove().catch(() => {}); // if this fails, a later start removes the folder
  }
}

function stuckError(timeLimitMs: number): TimeoutError {
  return new TimeoutError(
    `Codex did not answer a request for ${timeLimitMs / 1000} s. Check the network, or allow a longer silence with llm.provider.idleTimeoutMs.`,
  );
}

/** Returns the error of a process that ended too early, with the newest lines of its standard error. */
function crashError(cause: unknown, stderr: string): Error {
  if (isBridleError(cause)) return cause;
  const reason = cause instanceof Error ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const lines = stderr.trim().split("\n").slice(-5).join("\n");
  const output = lines === "" ? "" : ` Standard error: ${lines}`;
  return new BackendCrashError(`Codex ended without an answer${reason}.${output}`, { cause });
}
