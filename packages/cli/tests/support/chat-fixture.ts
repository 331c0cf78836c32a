import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createPlace, startCommand } from "./command.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const tools = `
import { appendFileSync } from "node:fs";
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number. It knows all of them.",
    input: z.object({ id: z.string() }),
    annotations: { readOnly: true },
    execute: async ({ id }) => "Order " + id + " has shipped.",
  }),
  defineTool({
    name: "refund",
    description: "Give money back.",
    input: z.object({ id: z.string(), euros: z.number() }),
    annotations: { destructive: true },
    preview: ({ id, euros }) => "- " + id + ": paid\\n+ " + id + ": refunded " + euros,
    execute: async ({ id, euros }) => {
      appendFileSync("effects", id + " " + euros + "\\n");
      return "Refunded " + euros + ".";
    },
  }),
  defineTool({
    name: "count",
    description: "Counts until it is stopped.",
    input: z.object({}),
    annotations: { readOnly: true },
    execute: (_input, { signal }) => {
      console.log("counting aloud");
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
    },
  }),
  defineTool({
    name: "stray",
    description: "Fails when it is over.",
    input: z.object({}),
    annotations: { readOnly: true },
    execute: async () => {
      setTimeout(() => {
        throw new Error("too late");
      }, 100);
      return "Begun.";
    },
  }),
  defineTool({
    name: "spoof",
    description: "Says what a terminal would obey.",
    input: z.object({}),
    annotations: { readOnly: true },
    execute: async () => "\\u001b[2J\\u001b]0;owned\\u0007\\u202Eright\\u001b[31m red",
  }),
];
`;

const answer = `# Your order

It has **shipped**, see \`A-1\`.

| id | state |
|---|---|
| A-1 | shipped |

你好，世界 🙂 👩‍💻 مرحبا بالعالم ${"漢".repeat(60)}`;

const script = `
rehearsal: 1
models: [first-model, second-model]
turns:
  - when: { user: /Thanks|And now|Back again/ }
    steps: [{ say: You are welcome. }]
  - when: { user: /order/ }
    steps:
      - { say: I will look it up., call: lookup_order, with: { id: A-1 } }
      - { say: ${JSON.stringify(answer)}, usage: { input: 1200, output: 80 } }
  - when: { user: /stream/ }
    steps: [{ say: "One. Two. Three. Four. Five. Six.", chunk_ms: 400, chunk_bytes: 6 }]
  - when: { user: /both/ }
    steps:
      - calls: [{ call: refund, with: { id: A-1, euros: 5 } }, { call: refund, with: { id: B-2, euros: 7 } }]
      - { say: Both done. }
  - when: { user: /refund/ }
    steps: [{ call: refund, with: { id: A-1, euros: 5 } }, { say: Refunded it. }]
  - when: { user: /count/ }
    steps: [{ call: count, with: {} }, { say: Counted. }]
  - when: { user: /spoof/ }
    steps: [{ call: spoof, with: {} }, { say: "\\e[2JNot \\e[31mred\\e[0m." }]
  - when: { user: /stray/ }
    steps: [{ call: stray, with: {} }, { say: Strayed., delay_ms: 500 }]
  - when: { user: /stall/ }
    steps: [{ say: One moment, stall: true }]
  - when: { user: /locked/ }
    steps: [{ status: 401, forever: true }]
  - steps: [{ say: You are welcome. }]
`;

/** Waits until keys are accepted as answers to a question. */
export const untilReadable = () => setTimeout(700);

const servingSchema = z.object({ url: z.string(), token: z.string() });

/** Creates a project with tools, and the model that its chats use. */
export async function openChatStage() {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const model = await startRehearsal({ script: parseScript(script) });
  onTestFinished(() => model.close());
  const { project, home } = place;
  await writeFile(join(project, "rehearsal.yaml"), script);
  await writeFile(join(project, "tools.ts"), tools);
  const provider = `{ backend: anthropic, apiKey: "\${MODEL_KEY}", baseUrl: "${model.url}" }`;
  await writeFile(
    join(project, "bridle.yaml"),
    `llm:\n  provider: ${provider}\n  models: { default: first-model }\npolicy: { mode: normal }\n`,
  );
  const environment = {
    MODEL_KEY: "k",
    USER: "ada",
    HOME: home,
    PATH: place.environment.PATH ?? "",
    NODE_COMPILE_CACHE: place.environment.NODE_COMPILE_CACHE ?? "",
    BRIDLE_TRUST: "all",
  };

  /** Starts the chat in its own terminal, and resolves when it accepts input. */
  async function chat(words: readonly string[] = [], options: Partial<Parameters<typeof openTerminal>[1]> = {}) {
    const terminal: Terminal = openTerminal(["chat", "--tools", "tools.ts", ...words], {
      cwd: project,
      columns: 80,
      rows: 24,
      ...options,
      environment: { ...environment, ...options.environment },
    });
    await terminal.shows(/\d tokens/);
    return terminal;
  }

  /** Runs any other command, without a terminal. */
  async function bridle(...words: string[]) {
    const command = startCommand(words, place, environment);
    const code = await command.ended;
    return { code, stdout: command.stdout(), stderr: command.stderr() };
  }

  /** Starts a server of the project in its own process. Resolves when the server listens. */
  async function serve() {
    const command = startCommand(["serve", "--port", "0", "--json"], place, environment);
    onTestFinished(async () => {
      command.child.kill("SIGKILL");
      await command.ended;
    });
    await command.shows("\n}");
    return servingSchema.parse(JSON.parse(command.stdout()));
  }

  /** Returns the last request to the model, as text. */
  const told = () => JSON.stringify(model.requests.at(-1)?.body);
  return { project, environment, chat, bridle, serve, told, model };
}
