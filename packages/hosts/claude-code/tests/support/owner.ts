/** A program that uses the backend. Tests run it in a separate process and end it. */
import { createAgentRuntime } from "@bridle/core";
import { defaultPromptCaching, defineTool } from "@bridle/protocol";
import { z } from "zod";
import { openStore } from "../../../../stores/sqlite/src/index.ts";
import { createClaudeCodeBackend } from "../../src/index.ts";

const { task, environment, projectDir, logFolder } = z
  .object({
    task: z.enum(["run", "run and close on SIGTERM", "wait", "ask and wait", "ask and forget", "ask and exit"]),
    environment: z.record(z.string(), z.string()),
    projectDir: z.string(),
    /** The folder of an event log. If it is set, the program waits for a used-up window. */
    logFolder: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ""));

const backend = createClaudeCodeBackend({ environment });
const eventLog = logFolder === undefined ? undefined : openStore({ folder: logFolder });
const runtime = createAgentRuntime({
  backend,
  models: { default: "sonnet" },
  projectDir,
  ...(eventLog && {
    eventLog,
    sharedLimits: eventLog.limits,
    limits: { onUsageLimit: "wait" },
    limitPace: { spreadMs: 0 },
  }),
  onEvent: ({ type }) => type.startsWith("limit.") && console.log(type),
});

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({}),
  annotations: { readOnly: true },
  execute: async () => "seen",
});
const hang = defineTool({
  name: "hang",
  description: "Never returns.",
  input: z.object({}),
  execute: () => {
    console.log("hanging");
    return new Promise<string>(() => {});
  },
});

async function run(): Promise<void> {
  const { result } = runtime.runAgentLoop({ prompt: "Go", tools: [look, hang], builtins: ["Read"], stepBudget: 5 });
  console.log((await result).stopReason);
  await runtime.close();
  await eventLog?.close();
  console.log("closed");
}

async function wait(): Promise<void> {
  const conversation = {
    model: "sonnet",
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir,
  };
  await backend.open(conversation, new AbortController().signal);
  console.log("waiting");
}

async function ask(): Promise<void> {
  for (const prompt of ["One", "Two"]) console.log((await runtime.generateText({ prompt })).text);
  console.log("asked", backend.pool()?.reused);
  if (task === "ask and exit") process.exit(0);
}

if (task !== "ask and forget") process.stdin.resume(); // stays alive until a test ends it
if (task === "run and close on SIGTERM")
  process.once("SIGTERM", () => void runtime.close().then(() => process.exit(0)));
if (task === "wait") await wait();
else await (task.startsWith("ask") ? ask() : run());
