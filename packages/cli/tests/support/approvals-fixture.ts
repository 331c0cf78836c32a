import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenApproval } from "@bridle/protocol";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { openStore } from "@bridle/store-sqlite";
import { onTestFinished } from "vitest";
import { type Command, createPlace, finishCommand, startCommand, startProgram } from "./command.ts";

const script = defineScript({
  rehearsal: 1,
  turns: [
    { when: { user: "Go on" }, steps: [{ say: "Went on." }] },
    { when: { user: "Once more" }, steps: [{ call: "erase", with: { what: "the draft" } }, { say: "Erased." }] },
    {
      when: { user: "Both" },
      steps: [
        {
          calls: [
            { call: "erase", with: { what: "one" } },
            { call: "mail", with: { what: "two" } },
          ],
        },
        { say: "Both done." },
      ],
    },
    { when: { user: "Begin" }, steps: [{ call: "erase", with: { what: "the draft" } }, { say: "All done." }] },
  ],
});

/** Creates a project with rules that ask about every call, and the model of its runs. */
export async function openApprovalStage() {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const rehearsal = await startRehearsal({ script });
  onTestFinished(() => rehearsal.close());
  const { project } = place;
  const provider = `{ backend: anthropic, apiKey: "\${ANTHROPIC_API_KEY}", baseUrl: "${rehearsal.url}" }`;
  await writeFile(join(project, "bridle.yaml"), `llm: { provider: ${provider} }\npolicy: { mode: normal }\n`);
  const tools = join(import.meta.dirname, "approvals-tools.ts");
  await writeFile(
    join(project, "tools.ts"),
    `import tools from ${JSON.stringify(tools)};\nexport default tools(".");\n`,
  );
  const environment = { ANTHROPIC_API_KEY: "rehearsal", USER: "mallory" };

  const running = new Set<Command>();
  let last = "";
  const watched = (command: Command) => {
    running.add(command);
    void command.ended.then(() => {
      running.delete(command);
      last = command.stdout() + command.stderr();
    });
    onTestFinished(() => void command.child.kill("SIGKILL"));
    return command;
  };
  const start = (...words: string[]) => watched(startCommand(words, place, environment));

  const bridle = (...words: string[]) => finishCommand(start(...words));

  async function open(): Promise<readonly OpenApproval[]> {
    const store = openStore({ folder: join(project, ".bridle"), readOnly: true });
    try {
      return await store.approvals.open();
    } finally {
      await store.close();
    }
  }

  /** Resolves with the questions as soon as there are this many. */
  async function asked(count = 1): Promise<readonly OpenApproval[]> {
    for (;;) {
      const found = await open();
      if (found.length >= count) return found;
      if (running.size === 0) throw new Error(`No process is left that could ask. The last one printed: ${last}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  return {
    project,
    environment,
    start,
    bridle,
    open,
    asked,
    run: (prompt: string, ...more: string[]) =>
      start("run", "--approvals", "wait", "--tools", "tools.ts", ...more, prompt),
    /** Starts a run of the session `shop`, in its own process. */
    send: (prompt: string) =>
      watched(startProgram(join(import.meta.dirname, "approvals-session.ts"), [project, prompt], place, environment)),
    effects: async () =>
      (await readFile(join(project, "effects"), { encoding: "utf8", flag: "a+" })).split("\n").slice(0, -1),
    /** Returns the body of the last request to the model. */
    wire: () => JSON.stringify(rehearsal.requests.at(-1)?.body),
  };
}
