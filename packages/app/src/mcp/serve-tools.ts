import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Logger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { type OpenedToolServer, openToolServer, type ToolServerSelection } from "./open-tool-server.ts";

interface ServeEffects {
  readonly logger: Logger;
  /** Stops the server. */
  readonly signal: AbortSignal;
  /** Called before the server starts, with warnings about tools that are left out or bypass rules. */
  onWarnings(warnings: readonly string[]): void;
}

export interface StdioEffects extends ServeEffects {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves tools to the program at the other end of two streams, until the input ends or the signal is aborted. */
export async function serveToolsOnStdio(
  selection: ToolServerSelection,
  context: ProjectContext,
  { input, output, onWarnings, ...effects }: StdioEffects,
): Promise<void> {
  const opened = await openToolServer(selection, context, effects);
  try {
    onWarnings(describeWarnings(opened));
    const { signal } = effects;
    await opened.server.serveStdio({ writes: selection.allowWrites ?? false }, { input, output, signal });
  } finally {
    await opened.close();
  }
}

export interface ServeHttpSelection extends ToolServerSelection {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Allowed host names of the server, in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Allowed host names of web pages, in addition to those of loopback. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The token file, which is created if it does not exist. Default: in the project's folder `.bridle`. */
  readonly tokenFile?: string | undefined;
}

/** A server that is listening. */
export interface ListeningServer {
  readonly url: string;
  readonly tokenFile: string;
  /** Whether the token file was created. */
  readonly isNewTokenFile: boolean;
  /** The names of the tokens. */
  readonly tokens: readonly string[];
  readonly tools: readonly string[];
}

export interface HttpEffects extends ServeEffects {
  onListening(server: ListeningServer): void;
}

/** Serves tools over HTTP until the signal is aborted. Throws ConfigError. */
export async function serveToolsOverHttp(
  selection: ServeHttpSelection,
  context: ProjectContext,
  { onWarnings, onListening, ...effects }: HttpEffects,
): Promise<void> {
  const { readTokenFile } = await import("@bridle/mcp-server");
  const { host, port, allowedHosts, allowedOrigins } = selection;
  const opened = await openToolServer({ ...selection, isShared: true }, context, effects);
  try {
    onWarnings(describeWarnings(opened));
    const tokenFile = selection.tokenFile === undefined ? opened.tokenFile : resolve(context.cwd, selection.tokenFile);
    const { tokens, isNew } = readTokenFile(tokenFile);
    for (const token of tokens) opened.checkCaller(token);
    const server = await opened.server.serveHttp({ host, port, tokens, allowedHosts, allowedOrigins });
    try {
      const names = tokens.map(({ name }) => name);
      onListening({ url: server.url, tokenFile, isNewTokenFile: isNew, tokens: names, tools: opened.tools });
      await aborted(effects.signal);
    } finally {
      await server.close();
    }
  } finally {
    await opened.close();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function describeWarnings({ warnings, leftOut }: OpenedToolServer): string[] {
  if (leftOut.length === 0) return [...warnings];
  const sentence = `Left out, because they may change something: ${leftOut.join(", ")}. Start the server with --allow-writes to offer them.`;
  return [...warnings, sentence];
}
