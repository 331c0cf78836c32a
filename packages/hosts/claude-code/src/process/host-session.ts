import { randomUUID, type UUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import {
  BackendCrashError,
  type ConversationSpec,
  createUsageMeter,
  isBridleError,
  type ToolReply,
  type TurnContext,
} from "@bridle/protocol";
import { boundaryDifferences, boundaryError } from "../boundary/init-check.ts";
import { rewindHost, startHost } from "../boundary/start-host.ts";
import { writeHistory } from "../history/history-file.ts";
import type { AuthMode } from "../options.ts";
import { createToolServer } from "../tools/tool-server.ts";
import { type Init, isAboutATurn, readMessage } from "../turn/messages.ts";
import type { Turn, TurnOptions } from "../turn/turn.ts";
import { createHostProcess } from "./host-process.ts";
import { createInputQueue } from "./input-queue.ts";
import { createLimitMemory } from "./limit-memory.ts";
import { createTemporaryFolder, reapTemporaryFolders } from "./temporary-folder.ts";

/** What the host has to do with a turn. */
export type HostTurn = Pick<Turn, "take" | "callTool" | "authorizeHostTool" | "fail">;

/** One live process of the host, which answers one turn after another. */
export interface HostSession {
  /** Sends a message; what the host says from now on belongs to `turn`. A process that has ended fails it at once. */
  begin(message: SDKUserMessage, turn: HostTurn): void;
  /** True once the process has said anything in this conversation, or since it was kept in it. */
  readonly heard: boolean;
  /** The host counts tokens and cost for its whole process, whatever it forgets. */
  readonly meter: TurnOptions["meter"];
  readonly pid: number | undefined;
  /** Resolves when the process has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /**
   * Goes back to before the first message. True only when the host then knows no more of the conversation than a new
   * process would and nothing of it is outstanding; else the process must not serve another.
   */
  rewind(): Promise<boolean>;
  /**
   * Stays in the conversation as it is, for another turn of it. True only when nothing of it is outstanding; else the
   * process must not serve another.
   */
  keep(): Promise<boolean>;
  /** From now on the process does not keep ours alive; `wake` undoes it. */
  rest(): void;
  wake(): void;
  close(graceMs: number): Promise<void>;
}

export interface HostSessionOptions {
  spec: ConversationSpec;
  auth: AuthMode;
  environment: Record<string, string>;
}

const noTurn: ToolReply = { output: "No turn is in progress; the call was not executed.", isError: true };

export function openHostSession({ spec, auth, environment }: HostSessionOptions): HostSession {
  const input = createInputQueue<SDKUserMessage>();
  const parent = environment.TMPDIR || tmpdir();
  const folder = createTemporaryFolder(parent);
  void reapTemporaryFolders(parent).catch(() => {}); // what cannot be read or removed is no fault of this call
  const process = createHostProcess();
  const limits = createLimitMemory();
  const meter = createUsageMeter();
  let verified = newVerification();
  /** The messages of this conversation. */
  let sent: UUID[] = [];
  let turn: HostTurn | undefined;
  let heard = false;
  let openCalls = 0;
  let failure: unknown;

  const tools = createToolServer({
    tools: spec.tools,
    async callTool(call) {
      const caller = turn; // a call belongs to the turn in which it came, however long it waits
      if (!caller) return noTurn;
      openCalls++;
      try {
        await verified.promise;
        return await caller.callTool(call);
      } finally {
        openCalls--;
      }
    },
  });
  const authorizeHostTool: TurnContext["authorizeHostTool"] = async (call) =>
    turn?.authorizeHostTool(call) ?? { allow: false, reply: noTurn.output };

  function take(raw: { type: string }): void {
    const message = readMessage(raw);
    if (!turn && isAboutATurn(message)) throw new BackendCrashError("Claude Code went on without having been asked");
    heard ||= turn !== undefined; // what it still says of itself while it rests is no word of the next turn
    if (message.type === "system" && message.subtype === "init") verify(message);
    for (const each of limits.complete(message)) turn?.take(each);
  }

  function verify(init: Init): void {
    const differences = boundaryDifferences(init, spec, auth);
    if (differences.length > 0) throw boundaryError(differences);
    verified.resolve();
  }

  /** After an error result the SDK's iterator throws as well; the turn has its verdict by then. */
  async function pump(query: Query): Promise<void> {
    let cause: unknown;
    try {
      for await (const message of query) take(message);
    } catch (error) {
      cause = error;
    }
    verified.reject(new Error("the host has ended"));
    if (isBridleError(cause)) fail(cause);
    input.end();
    query.close();
    await process.end(0);
    fail(crash(cause, process.stderr));
    await folder.remove().catch(() => {}); // the next start tries again once this process has gone
  }

  /** The first failure counts. */
  function fail(error: unknown): void {
    failure ??= error;
    turn?.fail(failure);
  }

  const historyFile = writeHistory(spec, folder.path);
  const query = startHost(input, {
    spec,
    historyFile,
    environment: { ...environment, ...folder.variables },
    tools,
    spawn: process.spawn,
    authorizeHostTool,
    verified: () => verified.promise,
  });
  const gone = pump(query);

  const isClean = () => failure === undefined && openCalls === 0 && !tools.hasOffered;

  /** What the host had said before is read by then; what it says next is said to whoever comes next. */
  async function settles(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isClean()) return false;
    verified = newVerification();
    limits.startAgain();
    heard = false;
    return true;
  }

  return {
    meter,
    gone,
    rest: process.rest,
    wake: process.wake,
    begin(message, next) {
      turn = next;
      if (failure !== undefined) return next.fail(failure);
      const uuid = randomUUID();
      sent.push(uuid);
      input.push({ ...message, uuid });
    },
    get heard() {
      return heard;
    },
    get pid() {
      return process.pid;
    },
    async rewind() {
      turn = undefined; // whatever is still said or called belongs to no conversation
      if (!isClean()) return false;
      if (!(await rewindHost(query, sent))) return false;
      if (!(await settles())) return false;
      sent = [];
      return true;
    },
    async keep() {
      turn = undefined;
      return isClean() && settles();
    },
    async close(graceMs) {
      process.wake();
      input.end();
      await process.end(graceMs);
      query.close();
      await gone;
    },
  };
}

/** Settles when the host has shown how it came up; it does so at the beginning of every turn. */
function newVerification(): PromiseWithResolvers<void> {
  const verification = Promise.withResolvers<void>();
  verification.promise.catch(() => {});
  return verification;
}

/** What a process that ended before its time had to say, the newest lines of it. */
function crash(cause: unknown, stderr: string): BackendCrashError {
  const reason = cause instanceof Error ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  const words = last === "" ? "" : ` It had said: ${last}`;
  return new BackendCrashError(`Claude Code ended without an answer${reason}.${words}`, { cause });
}
