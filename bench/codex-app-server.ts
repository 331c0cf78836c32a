/** A program that talks to `codex app-server` itself, with Codex's default settings. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { installedCodex } from "@bridle/codex";

interface AppServerPlace {
  readonly baseUrl: string;
  readonly model: string;
  readonly home: string;
}

/** Starts a conversation for every call, all in one process. */
export interface RawAppServer {
  ask(prompt: string): Promise<void>;
  stop(): Promise<void>;
}

export function startAppServer({ baseUrl, model, home }: AppServerPlace): RawAppServer {
  const provider = `{name="bench",base_url="${baseUrl}",env_key="BENCH_KEY",wire_api="responses"}`;
  const settings = ["-c", 'model_provider="bench"', "-c", `model_providers.bench=${provider}`];
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, BENCH_KEY: "bench" };
  const child = spawn(installedCodex().binary, ["app-server", ...settings], { env, stdio: ["pipe", "pipe", "ignore"] });
  const answers = new Map<number, (result: { thread: { id: string } }) => void>();
  const ended = new Map<string, () => void>();
  createInterface(child.stdout).on("line", (text) => {
    const { id, method, result, params } = JSON.parse(text);
    answers.get(id)?.(result);
    if (method === "turn/completed") ended.get(params.threadId)?.();
  });
  const request = (method: string, params: object) =>
    new Promise<{ thread: { id: string } }>((resolve) => {
      answers.set(answers.size + 1, resolve);
      child.stdin.write(`${JSON.stringify({ id: answers.size, method, params })}\n`);
    });
  const ready = request("initialize", { clientInfo: { name: "bench", version: "1" } });
  return {
    async ask(prompt) {
      await ready;
      const { thread } = await request("thread/start", { model, cwd: home, ephemeral: true });
      const end = new Promise<void>((resolve) => ended.set(thread.id, resolve));
      await request("turn/start", { threadId: thread.id, input: [{ type: "text", text: prompt, text_elements: [] }] });
      await end;
    },
    stop: () => new Promise((resolve) => child.once("exit", () => resolve()).kill()),
  };
}
