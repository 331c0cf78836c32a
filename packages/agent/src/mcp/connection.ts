import { setTimeout as wait } from "node:timers/promises";
import type { CallToolResult, RequestOptions, Tool } from "@modelcontextprotocol/client";
import { type Fault, faultOf } from "./classify-fault.ts";
import type { McpToolConfig } from "./mcp-config.ts";
import { openServerSession, orAborted, reasonOf, type ServerSession, type SessionParts } from "./session.ts";

interface ServerCall {
  /** The name that the server knows. */
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** A call whose reply was lost may be made again. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** A server, over all its restarts. */
export interface Connection {
  /** Connects; one attempt. */
  open(signal: AbortSignal): Promise<void>;
  /** The tools of all pages. */
  listTools(): Promise<readonly Tool[]>;
  /** Rejects with a sentence for the model. A server that is gone is started again first. */
  callTool(call: ServerCall): Promise<CallToolResult>;
  /** Never rejects. */
  close(): Promise<void>;
}

export type ConnectionParts = Omit<SessionParts, "onOver"> & {
  /** Waits before another attempt, in milliseconds. */
  pause?(ms: number, signal: AbortSignal): Promise<unknown>;
};

/** A call tries so many times to have its server again. */
const attemptsPerCall = 3;

/** How long to wait before a server is started that has failed so many times since its last answer. */
export function backOffMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(100 * 4 ** (failures - 1), 2000);
}

export function createConnection(parts: ConnectionParts): Connection {
  const { config, logger, pause = (ms, signal) => wait(ms, undefined, { signal }) } = parts;
  const { name } = config;
  const startMs = config.timeout * 1000;
  const closing = new AbortController();
  let live: ServerSession | undefined;
  let opening: Promise<ServerSession> | undefined;
  let failures = 0;

  /** The session that there is, else a new one; for all who wait at once it is the same. */
  async function session(attempts: number): Promise<ServerSession> {
    if (live && !live.isOver) return live;
    opening ??= start(attempts).finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function start(attempts: number): Promise<ServerSession> {
    const late = AbortSignal.timeout(startMs);
    try {
      live = await attempt(attempts, AbortSignal.any([closing.signal, late]));
      return live;
    } catch (cause) {
      if (!late.aborted) throw cause;
      throw new Error(`it was not ready within ${config.timeout} s (timeout)`, { cause });
    }
  }

  async function attempt(left: number, signal: AbortSignal): Promise<ServerSession> {
    if (failures > 0) await pause(backOffMs(failures), signal);
    try {
      return await openOnce(signal);
    } catch (error) {
      failures += 1;
      if (left === 1 || signal.aborted) throw error;
      logger.info({ server: name, error: reasonOf(error) }, "an MCP server could not be started; it is tried again");
      return attempt(left - 1, signal);
    }
  }

  async function openOnce(signal: AbortSignal): Promise<ServerSession> {
    let opened: ServerSession | undefined;
    const onOver = () => opened && noteEnd(opened);
    opened = await openServerSession({ ...parts, onOver }, signal);
    return opened;
  }

  function noteEnd(ended: ServerSession): void {
    if (closing.signal.aborted) return;
    failures += 1;
    logger.warn({ server: name, ended: ended.lastWords() }, "an MCP server has ended; the next call starts it again");
  }

  async function ready(signal: AbortSignal): Promise<ServerSession> {
    closing.signal.throwIfAborted();
    const before = live;
    await orAborted(before?.settled() ?? Promise.resolve(), signal);
    const opened = await orAborted(session(attemptsPerCall), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new Error(
        `The MCP server ${name} is not there: ${reasonOf(cause)}. Go on without it, or try again later.`,
        {
          cause,
        },
      );
    });
    if (opened !== before) parts.onToolsChanged();
    return opened;
  }

  async function callTool(call: ServerCall, isFirst: boolean): Promise<CallToolResult> {
    const { tool, input, signal, isRepeatable } = call;
    const session = await ready(signal);
    try {
      const result = await session.client.callTool({ name: tool, arguments: input }, requestOptions(call, config));
      failures = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const fault = faultOf(error);
      if (fault === "late") session.probe();
      if (fault === "lost" || fault === "unreached") await session.close();
      if (isFirst && (fault === "unreached" || (fault === "lost" && isRepeatable))) return callTool(call, false);
      throw new Error(explain(fault, call, config, session.lastWords() || reasonOf(error)), { cause: error });
    }
  }

  async function listTools(): Promise<readonly Tool[]> {
    const { client } = await session(1);
    const late = AbortSignal.timeout(startMs);
    const options = { signal: AbortSignal.any([closing.signal, late]), timeout: startMs };
    try {
      return (await client.listTools(undefined, options)).tools;
    } catch (cause) {
      if (!late.aborted) throw cause;
      throw new Error(`it did not tell its tools within ${config.timeout} s (timeout)`, { cause });
    }
  }

  return {
    open: async (signal) => void (await orAborted(session(1), signal)),
    listTools,
    callTool: (call) => callTool(call, true),
    async close() {
      closing.abort(new Error(`The MCP server ${name} was closed with the agent.`));
      const last = await opening?.catch(() => undefined);
      await (last ?? live)?.close();
    },
  };
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

/** What the model is told of a call that came to nothing. */
function explain(
  fault: Fault,
  { tool }: ServerCall,
  { name, request_timeout: seconds }: McpToolConfig,
  why: string,
): string {
  switch (fault) {
    case "answered":
      return why;
    case "late":
      return `The MCP server ${name} gave no answer to ${tool} within ${seconds} s (request_timeout), and was told to stop. Ask for less at once, or go on without it.`;
    case "lost":
      return `The MCP server ${name} was lost before it answered (${why}). Whether ${tool} took effect is not known: look before you call it again. The next call starts the server again.`;
    case "unreached":
      return `The MCP server ${name} could not be reached: ${why}. Go on without it, or try again later.`;
    case "refused":
      return `The MCP server ${name} did not let the call in: ${why}. Go on without it; its headers in the agent's file have to be mended.`;
  }
}
