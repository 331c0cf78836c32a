import { randomUUID, type UUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { removeOrphanedFolders } from "@bridle/core";
import { HostChildProcess, startBoundaryError } from "@bridle/host-shared";
import {
  BackendCrashError,
  type ConversationSpec,
  createUsageMeter,
  isBridleError,
  type ToolCall,
  type ToolReply,
} from "@bridle/protocol";
import { boundaryDifferences } from "../boundary/init-check.ts";
import { rewindHost, startHost } from "../boundary/start-host.ts";
import { writeHistory } from "../history/history-file.ts";
import { type Init, isAboutATurn, readMessage } from "../messages/messages.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { ToolServer } from "../tools/tool-server.ts";
import type { HostProcess, HostProcessOptions, TurnReceiver } from "./host-process.ts";
import { InputQueue } from "./input-queue.ts";
import { LimitMemory } from "./limit-memory.ts";
import { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";

/** Starts Claude Code for the conversations that `spec` describes. */
export function openHostProcess(options: HostProcessOptions): HostProcess {
  return new SdkHostProcess(options);
}

const noTurn: ToolReply = { output: "No turn is in progress; the call was not executed.", isError: true };

class SdkHostProcess implements HostProcess {
  readonly meter = createUsageMeter();
  readonly gone: Promise<void>;
  readonly #spec: ConversationSpec;
  readonly #auth: ClaudeAuthMode;
  readonly #input = new InputQueue<SDKUserMessage>();
  readonly #folder: TemporaryFolder;
  readonly #child = new HostChildProcess();
  readonly #limits = new LimitMemory();
  readonly #tools: ToolServer;
  readonly #query: Query;
  #verified = newVerification();
  /** The ids of the messages that were sent in this conversation. */
  #sent: UUID[] = [];
  #turn: TurnReceiver | undefined;
  #hasResponded = false;
  #openCalls = 0;
  #failure: unknown;

  constructor({ spec, auth, environment }: HostProcessOptions) {
    this.#spec = spec;
    this.#auth = auth;
    const parent = environment.TMPDIR || tmpdir();
    this.#folder = createTemporaryFolder(parent);
    void removeOrphanedFolders(parent).catch(() => {}); // a folder that cannot be removed must not fail this call
    this.#tools = new ToolServer({ tools: spec.tools, callTool: (call) => this.#callTool(call) });
    const historyFile = writeHistory(spec, this.#folder.path);
    this.#query = startHost(this.#input, {
      spec,
      historyFile,
      environment: { ...environment, ...this.#folder.variables },
      programs: this.#folder.programs,
      tools: this.#tools,
      spawn: this.#child.spawn,
      authorizeHostTool: async (call) => this.#turn?.authorizeHostTool(call) ?? { allow: false, reply: noTurn.output },
      verified: () => this.#verified.promise,
    });
    this.gone = this.#pump();
  }

  get hasResponded(): boolean {
    return this.#hasResponded;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  begin(message: SDKUserMessage, turn: TurnReceiver): void {
    this.#turn = turn;
    if (this.#failure !== undefined) {
      turn.fail(this.#failure);
      return;
    }
    const uuid = randomUUID();
    this.#sent.push(uuid);
    this.#input.push({ ...message, uuid });
  }

  async rewind(): Promise<boolean> {
    this.#turn = undefined; // messages and calls from now on belong to no conversation
    if (!this.#isClean()) return false;
    if (!(await rewindHost(this.#query, this.#sent))) return false;
    if (!(await this.#startConversation())) return false;
    this.#sent = [];
    return true;
  }

  async keepConversation(): Promise<boolean> {
    this.#turn = undefined;
    return this.#isClean() && this.#startConversation();
  }

  unref(): void {
    this.#child.unref();
  }

  ref(): void {
    this.#child.ref();
  }

  async close(graceMs: number): Promise<void> {
    this.#child.ref();
    this.#input.end();
    await this.#child.end(graceMs);
    this.#query.close();
    await this.gone;
  }

  async #callTool(call: ToolCall): Promise<ToolReply> {
    const turn = this.#turn; // a call belongs to the turn that was active when it arrived
    if (!turn) return noTurn;
    this.#openCalls++;
    try {
      await this.#verified.promise;
      return await turn.callTool(call);
    } finally {
      this.#openCalls--;
    }
  }

  /** Receives the host's messages until it ends. After an error result, the SDK's iterator also throws, but the turn is already over. */
  async #pump(): Promise<void> {
    let cause: unknown;
    try {
      for await (const message of this.#query) this.#receive(message);
    } catch (error) {
      cause = error;
    }
    this.#verified.reject(new Error("the host has ended"));
    if (isBridleError(cause)) this.#fail(cause);
    this.#input.end();
    this.#query.close();
    await this.#child.end(0);
    this.#fail(crashError(cause, this.#child.stderr));
    await this.#folder.remove().catch(() => {}); // if this fails, a later start removes the folder
  }

  #receive(raw: { type: string }): void {
    const message = readMessage(raw);
    if (!this.#turn && isAboutATurn(message)) {
      throw new BackendCrashError("Claude Code continued although it was sent no message");
    }
    this.#hasResponded ||= this.#turn !== undefined; // an idle host's messages about itself are not a response
    if (message.type === "system" && message.subtype === "init") this.#verify(message);
    if (raw.type !== "stream_event") this.#turn?.receiveRaw(raw);
    for (const each of this.#limits.complete(message)) this.#turn?.receive(each);
  }

  #verify(init: Init): void {
    const differences = boundaryDifferences(init, this.#spec, this.#auth);
    if (differences.length > 0) throw startBoundaryError("Claude Code", differences);
    this.#verified.resolve();
  }

  /** Fails the process. Only the first failure counts. */
  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#turn?.fail(this.#failure);
  }

  #isClean(): boolean {
    return this.#failure === undefined && this.#openCalls === 0 && !this.#tools.hasAdded;
  }

  /** Waits until the messages that have already arrived are read. Later messages belong to the next turn. */
  async #startConversation(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    if (!this.#isClean()) return false;
    this.#verified = newVerification();
    this.#limits.startConversation();
    this.#hasResponded = false;
    return true;
  }
}

/** Returns a promise that settles when the host reports its configuration, which it does at the start of each turn. */
function newVerification(): PromiseWithResolvers<void> {
  const verification = Promise.withResolvers<void>();
  verification.promise.catch(() => {});
  return verification;
}

/** Returns the error of a process that ended too early, with the newest lines of its standard error. */
function crashError(cause: unknown, stderr: string): BackendCrashError {
  const reason = cause instanceof Error ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const lines = stderr.trim().split("\n").slice(-5).join("\n");
  const output = lines === "" ? "" : ` Standard error: ${lines}`;
  return new BackendCrashError(`Claude Code ended without an answer${reason}.${output}`, { cause });
}
