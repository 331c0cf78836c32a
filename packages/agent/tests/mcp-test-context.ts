import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AnyTool,
  type Logger,
  type OpenedTools,
  type ToolContext,
  type ToolKindContext,
  TrustedFolder,
} from "@bridle/protocol";
import { expect, onTestFinished } from "vitest";
import { mcpToolConfig } from "../src/tool-kinds/mcp/mcp-config.ts";
import { openMcpServer } from "../src/tool-kinds/mcp/open-mcp-server.ts";

const servers = join(import.meta.dirname, "servers");

/** Returns the temporary folder of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-mcp-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the configuration of the odd server with these arguments. */
export function oddServer(args: readonly string[] = [], more: object = {}) {
  return { command: process.execPath, args: [join(servers, "odd-server.ts"), ...args], timeout: 20, ...more };
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

export interface McpTestContext extends OpenedTools {
  readonly log: readonly LogLine[];
  /** Calls a tool by its name, without a tool executor. */
  call(name: string, input?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<string>;
  find(name: string): AnyTool;
}

/** Opens a server as an agent does. It is closed when the test ends. */
export async function openServer(config: object, surroundings: Partial<ToolKindContext> = {}): Promise<McpTestContext> {
  const log: LogLine[] = [];
  const folder = await temporaryFolder();
  const opened = await openMcpServer(mcpToolConfig.parse({ type: "mcp", name: "odd", ...config }), {
    baseDir: folder,
    projectDir: folder,
    stateDir: folder,
    environment: { PATH: process.env.PATH },
    logger: logInto(log),
    trusted: await TrustedFolder.require(undefined, []),
    ...surroundings,
  });
  onTestFinished(() => opened.close());
  const find = (name: string) => {
    const tool = opened.tools.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name} among ${opened.tools.map((each) => each.name).join(", ")}.`);
    return tool;
  };
  return {
    ...opened,
    log,
    find,
    async call(name, input = {}, context = {}) {
      const output = await find(name).execute(input, { ...callContext(folder), ...context });
      return typeof output === "string" ? output : output.markdown;
    },
  };
}

export function callContext(projectDir = "/"): ToolContext {
  const { signal } = new AbortController();
  return { signal, runId: "run", callId: "call", projectDir, environment: {}, logger: logInto([]), progress() {} };
}

function logInto(lines: LogLine[]): Logger {
  const level = (name: string) => (fields: object, message: string) =>
    void lines.push({ level: name, message, fields });
  return { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
}

/** Returns the messages that the odd server received, by method. */
export async function sentTo(log: string, method: string): Promise<readonly { params?: unknown }[]> {
  const lines = (await readFile(log, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return lines
    .map((line): { method?: string; params?: unknown } => JSON.parse(line))
    .filter((each) => each.method === method);
}

/** Polls an expectation, with a long timeout for busy machines. */
export const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
