import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "@bridle/core";
import { isBridleError } from "@bridle/protocol";
import type { CallToolResult, RequestOptions, Tool } from "@modelcontextprotocol/client";
import { type CallFault, classifyMcpFault } from "./classify-fault.ts";
import { describeCause } from "./describe-cause.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { ServerSession, type SessionParts } from "./session.ts";

export interface ServerCall {
  /** The name of the tool on the server. */
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Whether the call can be sent again if its reply was lost. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export type ConnectionParts = Omit<SessionParts, "onEnd"> & {
  /** Waiting times before further attempts, in milliseconds. */
  pause?(ms: number, signal: AbortSignal): Promise<unknown>;
};

/** How often one call may try to start the server. */
const attemptsPerCall = 3;

/** Returns how long to wait before the next start of a server, by the number of failures since its last response. */
export function backOffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(100 * 4 ** (failures - 1), 2000);
}

/** The connection to one server. It continues across restarts of the server. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #config: McpToolConfig;
  readonly #startMs: number;
  readonly #closing = new AbortController();
  #session: ServerSession | undefined;
  #opening: Promise<ServerSession> | undefined;
  #failures = 0;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#config = parts.config;
    this.#startMs = parts.config.timeout * 1000;
  }

  /** Connects. Tries once. */
  async open(signal: AbortSignal): Promise<void> {
    await untilAborted(this.#ensureSession(1), signal);
  }

  /** Lists the tools of all pages. */
  async listTools(): Promise<readonly Tool[]> {
    const { client } = await this.#ensureSession(1);
    const timeUp = AbortSignal.timeout(this.#startMs);
    const options = { signal: AbortSignal.any([this.#closing.signal, timeUp]), timeout: this.#startMs };
    try {
      return (await client.listTools(undefined, options)).tools;
    } catch (cause) {
      if (!timeUp.aborted) throw cause;
      throw new Error(`it did not list its tools within ${this.#config.timeout} s (timeout)`, { cause });
    }
  }

  /** Calls a tool. If the server has ended, starts it again first. Rejects with a message for the model. */
  callTool(call: ServerCall): Promise<CallToolResult> {
    return this.#call(call, true);
  }

  /** Closes the connection. Never rejects. */
  async close(): Promise<void> {
    this.#closing.abort(new Error(`The MCP server ${this.#config.name} was closed with the agent.`));
    const last = await this.#opening?.catch(() => undefined);
    await (last ?? this.#session)?.close();
  }

  /** Returns the current session, or a new one. Callers that wait at the same time get the same session. */
  async #ensureSession(attempts: number): Promise<ServerSession> {
    if (this.#session && !this.#session.isEnded) return this.#session;
    this.#opening ??= this.#start(attempts).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(attempts: number): Promise<ServerSession> {
    const timeUp = AbortSignal.timeout(this.#startMs);
    try {
      this.#session = await this.#attempt(attempts, AbortSignal.any([this.#closing.signal, timeUp]));
      return this.#session;
    } catch (cause) {
      if (!timeUp.aborted) throw cause;
      throw new Error(`it was not ready within ${this.#config.timeout} s (timeout)`, { cause });
    }
  }

  async #attempt(attemptsLeft: number, signal: AbortSignal): Promise<ServerSession> {
    const { logger, pause = (ms, aborted) => wait(ms, undefined, { signal: aborted }) } = this.#parts;
    if (this.#failures > 0) await pause(backOffMs(this.#failures), signal);
    try {
      return await this.#openSession(signal);
    } catch (error) {
      if (isBridleError(error)) throw error; // its code changed
      this.#failures += 1;
      if (attemptsLeft === 1 || signal.aborted) throw error;
      const fields = { server: this.#config.name, error: describeCause(error) };
      logger.info(fields, "an MCP server could not be started and is tried again");
      return this.#attempt(attemptsLeft - 1, signal);
    }
  }

  async #openSession(signal: AbortSignal): Promise<ServerSession> {
    const session = new ServerSession({ ...this.#parts, onEnd: () => this.#onEnd(session) });
    await session.open(signal);
    return session;
  }

  #onEnd(ended: ServerSession): void {
    if (this.#closing.signal.aborted || !ended.wasOpen) return;
    this.#failures += 1;
    const fields = { server: this.#config.name, ended: ended.lastWords() };
    this.#parts.logger.warn(fields, "an MCP server has ended; the next call starts it again");
  }

  async #call(call: ServerCall, isFirst: boolean): Promise<CallToolResult> {
    const { tool, input, signal, isRepeatable } = call;
    const session = await this.#readySession(signal);
    try {
      const result = await session.client.callTool(
        { name: tool, arguments: input },
        requestOptions(call, this.#config),
      );
      this.#failures = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const fault = classifyMcpFault(error);
      if (fault === "late") session.probe();
      if (fault === "lost" || fault === "unreached") await session.close();
      if (isFirst && (fault === "unreached" || (fault === "lost" && isRepeatable))) return this.#call(call, false);
      const reason = session.lastWords() || describeCause(error);
      throw new Error(describeFault(fault, call, this.#config, reason), { cause: error });
    }
  }

  async #readySession(signal: AbortSignal): Promise<ServerSession> {
    this.#closing.signal.throwIfAborted();
    const before = this.#session;
    await untilAborted(before?.settled() ?? Promise.resolve(), signal);
    const session = await untilAborted(this.#ensureSession(attemptsPerCall), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      const problem = `The MCP server ${this.#config.name} is not available: ${describeCause(cause)}.`;
      throw new Error(`${problem} Continue without it, or try again later.`, { cause });
    });
    if (session !== before) this.#parts.onToolsChanged();
    return session;
  }
}

function requestOptions({ signal, progress }: ServerCall, config: McpToolConfig): RequestOptions {
  return {
    signal,
    timeout: config.request_timeout * 1000,
    resetTimeoutOnProgress: true,
    onprogress: ({ message, progress: done, total }) =>
      progress(message ?? (total === undefined ? String(done) : `${done} of ${total}`)),
  };
}

const faultTexts: Readonly<Record<CallFault, (call: ServerCall, config: McpToolConfig, reason: string) => string>> = {
  answered: (_call, _config, reason) => reason,
  late: ({ tool }, { name, request_timeout: seconds }) =>
    `The MCP server ${name} did not answer ${tool} within ${seconds} s (request_timeout), so the call was cancelled. Ask for less at once, or continue without it.`,
  lost: ({ tool }, { name }, reason) =>
    `The MCP server ${name} ended before it answered (${reason}). It is unknown whether ${tool} took effect: check before you call it again. The next call starts the server again.`,
  unreached: (_call, { name }, reason) =>
    `The MCP server ${name} could not be reached: ${reason}. Continue without it, or try again later.`,
  refused: (_call, { name }, reason) =>
    `The MCP server ${name} refused access: ${reason}. Continue without it. Its headers in the agent file have to be corrected.`,
};

/** Returns the message that the model gets for a failed call. */
function describeFault(fault: CallFault, call: ServerCall, config: McpToolConfig, reason: string): string {
  return faultTexts[fault](call, config, reason);
}
