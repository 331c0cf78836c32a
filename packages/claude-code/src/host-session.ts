import { tmpdir } from "node:os";
import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import {
  BackendCrashError,
  type ConversationSpec,
  createEventStream,
  isBridleError,
  type ToolReply,
  type TurnHost,
} from "@bridle/core";
import { startHost } from "./boundary.ts";
import { boundaryDifferences, boundaryError } from "./init-check.ts";
import { readMessage } from "./messages.ts";
import type { AuthMode } from "./options.ts";
import { createHostProcess } from "./spawn.ts";
import { createTemporaryFolder, reapTemporaryFolders } from "./temporary-folder.ts";
import { createToolServer } from "./tool-server.ts";
import type { Turn } from "./turn.ts";

/** One live process of the host, which answers one turn after another. */
export interface HostSession {
  /** Sends a message; what the host says from now on belongs to `turn`. A process that has ended fails it at once. */
  begin(message: SDKUserMessage, turn: Turn): void;
  /** True once the process has said anything. */
  readonly heard: boolean;
  close(graceMs: number): Promise<void>;
}

export interface HostSessionOptions {
  spec: ConversationSpec;
  auth: AuthMode;
  environment: Record<string, string>;
}

const noTurn: ToolReply = { output: "No turn is in progress; the call was not executed.", isError: true };

export function openHostSession({ spec, auth, environment }: HostSessionOptions): HostSession {
  const input = createEventStream<SDKUserMessage>();
  const parent = environment.TMPDIR || tmpdir();
  const folder = createTemporaryFolder(parent);
  void reapTemporaryFolders(parent).catch(() => {}); // what cannot be read or removed is no fault of this call
  const process = createHostProcess();
  const verified = Promise.withResolvers<void>();
  verified.promise.catch(() => {});
  let turn: Turn | undefined;
  let heard = false;
  let failure: unknown;

  const tools = createToolServer({
    tools: spec.tools,
    callTool: async (call) => {
      await verified.promise;
      return turn?.callTool(call) ?? noTurn;
    },
  });
  const admitBuiltin: TurnHost["admitBuiltin"] = async (call) =>
    turn?.admitBuiltin(call) ?? { allow: false, reply: noTurn.output };

  function take(raw: { type: string }): void {
    heard = true;
    const message = readMessage(raw);
    if (message.type === "system" && message.subtype === "init") {
      const differences = boundaryDifferences(message, spec, auth);
      if (differences.length > 0) throw boundaryError(differences);
      verified.resolve();
    }
    turn?.take(message);
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

  const query = startHost(input, {
    spec,
    environment: { ...environment, ...folder.variables },
    tools,
    spawn: process.spawn,
    admitBuiltin,
    verified: verified.promise,
  });
  const pumped = pump(query);

  return {
    begin(message, next) {
      turn = next;
      if (failure === undefined) input.push(message);
      else next.fail(failure);
    },
    get heard() {
      return heard;
    },
    async close(graceMs) {
      input.end();
      await process.end(graceMs);
      query.close();
      await pumped;
    },
  };
}

/** What a process that ended before its time had to say, the newest lines of it. */
function crash(cause: unknown, stderr: string): BackendCrashError {
  const reason = cause instanceof Error ? `: ${cause.message.replace(/\.$/, "")}` : "";
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  const words = last === "" ? "" : ` It had said: ${last}`;
  return new BackendCrashError(`Claude Code ended without an answer${reason}.${words}`, { cause });
}
