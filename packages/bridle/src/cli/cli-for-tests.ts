import { fileURLToPath } from "node:url";
import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime, createPolicy } from "@bridle/core";
import type { CreateRuntimeOptions } from "@bridle/project";
import type { Cli, Interrupt, Output } from "./cli.ts";
import { main } from "./main.ts";

export interface TestOptions {
  model?: ScriptedModel;
  stdin?: string;
  cwd?: string;
  environment?: Record<string, string>;
  isTTY?: boolean;
  /** What is typed, a line for each question. Without it nobody sits there. */
  typed?: readonly string[];
  /** Instead of the in-memory backend. */
  createRuntime?: Cli["createRuntime"];
}

export interface TestRun {
  code: number;
  stdout: string;
  stderr: string;
  /** What the command made its runtime with. */
  options: CreateRuntimeOptions | undefined;
}

/** A command's world without a process: output as text, a model in memory, and a way to interrupt. */
export function createTestCli(words: readonly string[], test: TestOptions = {}) {
  const { model = [], stdin = "", cwd = import.meta.dirname, environment = {}, isTTY = false } = test;
  const typed = [...(test.typed ?? [])];
  const texts = { stdout: "", stderr: "" };
  const closed = new AbortController();
  let fault: ((error: unknown) => void) | undefined;
  let interrupt: ((name: Interrupt) => void) | undefined;
  let options: CreateRuntimeOptions | undefined;
  const output = (name: "stdout" | "stderr"): Output => ({
    write(text) {
      texts[name] += text;
    },
    isTTY,
    columns: isTTY ? 60 : undefined,
  });
  const cli: Cli = {
    arguments: words,
    cwd,
    environment,
    version: "1.2.3",
    packageRoot: fileURLToPath(new URL("../../", import.meta.url)),
    stdin: (async function* () {
      yield stdin;
    })(),
    ...(test.typed && { readLine: async () => typed.shift() }),
    stdout: output("stdout"),
    stderr: output("stderr"),
    outputClosed: closed.signal,
    onInterrupt(listener) {
      interrupt = listener;
      return () => {
        interrupt = undefined;
      };
    },
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
        ...(onEvent && { onEvent: (event) => onEvent(event) }),
        ...(logger && { logger }),
        ...(approve && { approve }),
        ...(mode && { policy: createPolicy({ mode }) }),
      });
    },
  };
  return {
    cli,
    texts,
    interrupt: (name: Interrupt) => interrupt?.(name),
    fail: (error: unknown) => fault?.(error),
    closeOutput: () => closed.abort(),
    run: async (): Promise<TestRun> => {
      const code = await main(cli);
      return { code, ...texts, options };
    },
  };
}

/** Runs a command to its end. */
export function runCli(words: readonly string[], test: TestOptions = {}): Promise<TestRun> {
  return createTestCli(words, test).run();
}
