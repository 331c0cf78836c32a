import { fileURLToPath } from "node:url";
import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime, createPolicy } from "@bridle/core";
import type { CreateRuntimeOptions } from "@bridle/project";
import { omitUndefined, type RunEvent } from "@bridle/protocol";
import { createTrust, trustForOnce } from "../main/ask-for-trust.ts";
import { main } from "../main/main.ts";
import type { Cli, Interrupt, Output } from "./cli.ts";

export interface TestOptions {
  model?: ScriptedModel;
  stdin?: string;
  cwd?: string;
  environment?: Record<string, string>;
  isTTY?: boolean;
  /** The lines that the user types, one for each question. If missing, the command has no terminal. */
  typed?: readonly string[];
  /** Whether to ask about trust and remember it as the command does, instead of trusting every folder. */
  hasTrust?: boolean;
  /** How the user starts the command. Default: `bridle`. */
  command?: string;
  /** The backend to use instead of the in-memory one. */
  createRuntime?: Cli["createRuntime"];
}

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
  /** The options of the runtime that the command created. */
  options: CreateRuntimeOptions | undefined;
}

/** Creates the environment of a command in memory: output as text, a model in memory, and a way to interrupt. */
export function createTestCli(words: readonly string[], test: TestOptions = {}) {
  const { model = [], stdin = "", cwd = import.meta.dirname, environment = {}, isTTY = false } = test;
  const typed = [...(test.typed ?? [])];
  const texts = { stdout: "", stderr: "" };
  const closed = new AbortController();
  let fault: ((error: unknown) => void) | undefined;
  const interruptListeners = new Set<(name: Interrupt) => void>();
  let options: CreateRuntimeOptions | undefined;
  const output = (name: "stdout" | "stderr"): Output => ({
    write(text) {
      texts[name] += text;
    },
    isTTY,
    columns: isTTY ? 60 : undefined,
    command: test.command,
  });
  const onInterrupt: Cli["onInterrupt"] = (listener) => {
    interruptListeners.add(listener);
    return () => interruptListeners.delete(listener);
  };
  const readLine = test.typed && (async () => typed.shift());
  const cli: Cli = {
    arguments: words,
    cwd,
    environment,
    version: "1.2.3",
    packageRoot: fileURLToPath(new URL("../../../bridle/", import.meta.url)),
    stdin: (async function* () {
      yield stdin;
    })(),
    ...(readLine && { readLine }),
    trust: test.hasTrust
      ? createTrust({ environment, readLine, stderr: output("stderr"), onInterrupt })
      : trustForOnce({ environment }),
    setVariables: (variables) => void Object.assign(environment, variables),
    stdout: output("stdout"),
    stderr: output("stderr"),
    outputClosed: closed.signal,
    onInterrupt,
    onFault(listener) {
      fault = listener;
      return () => {
        fault = undefined;
      };
    },
    async createRuntime(given) {
      options = given;
      if (test.createRuntime) return test.createRuntime(given);
      const { onEvent, logger, approve, mode } = given;
      return createAgentRuntime({
        backend: createMemoryBackend(model),
        models: { default: "memory-1" },
        ...omitUndefined({ onEvent: onEvent && ((event: RunEvent) => onEvent(event)), logger, approve }),
        ...(mode && { policy: createPolicy({ mode }) }),
      });
    },
  };
  return {
    cli,
    texts,
    interrupt: (name: Interrupt) => {
      for (const listener of [...interruptListeners]) listener(name);
    },
    fail: (error: unknown) => fault?.(error),
    closeOutput: () => closed.abort(),
    run: async (): Promise<CliResult> => {
      const code = await main(cli);
      return { code, ...texts, options };
    },
  };
}

/** Runs a command to its end. */
export function runCli(words: readonly string[], test: TestOptions = {}): Promise<CliResult> {
  return createTestCli(words, test).run();
}
