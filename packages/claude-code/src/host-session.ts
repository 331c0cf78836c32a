import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { BackendCrashError, type ConversationSpec, type ToolReply, type TurnHost } from "@bridle/core";
import { startHost } from "./boundary.ts";
import { boundaryDifferences, boundaryError } from "./init-check.ts";
import { createInputQueue } from "./input-queue.ts";
import { readMessage } from "./messages.ts";
import type { AuthMode } from "./options.ts";
import { createHostProcess } from "./spawn.ts";
import { createToolServer } from "./tool-server.ts";
import type { Turn } from "./turn.ts";

/** One live process of the host, which answers one turn after another. */
export interface HostSession {
  /** Sends a message; what the host says from now on belongs to `turn`. */
  begin(message: SDKUserMessage, turn: Turn): void;
  /** False once the process can take no further turn. */
  readonly alive: boolean;
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
  const process = createHostProcess();
  const verified = Promise.withResolvers<void>();
  verified.promise.catch(() => {});
  let turn: Turn | undefined;
  let alive = true;

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
    try {
      for await (const message of query) take(message);
      turn?.fail(new BackendCrashError(`Claude Code ended without an answer.${quote(process.stderr)}`));
    } catch (error) {
      turn?.fail(withStderr(error, process.stderr));
    } finally {
      alive = false;
      verified.reject(new Error("the host has ended"));
      input.end();
      query.close();
      await process.end(0);
    }
  }

  const query = startHost(input, {
    spec,
    environment,
    tools,
    spawn: process.spawn,
    admitBuiltin,
    verified: verified.promise,
  });
  const pumped = pump(query);

  return {
    begin(message, next) {
      turn = next;
      input.push(message);
    },
    get alive() {
      return alive;
    },
    async close(graceMs) {
      alive = false;
      input.end();
      await process.end(graceMs);
      query.close();
      await pumped;
    },
  };
}

function withStderr(error: unknown, stderr: string): unknown {
  if (!(error instanceof Error) || "code" in error || stderr === "") return error;
  return new BackendCrashError(`Claude Code ended without an answer: ${error.message}${quote(stderr)}`, {
    cause: error,
  });
}

function quote(stderr: string): string {
  const last = stderr.trim().split("\n").slice(-5).join("\n");
  return last === "" ? "" : ` It had said: ${last}`;
}
