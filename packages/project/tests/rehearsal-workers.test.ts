/** Tests that rehearsed conversations on the real Claude Code share a process, but no messages. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentRuntime, defineTool, type RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { childrenOf, hostsAmong } from "../../hosts/claude-code/tests/support/processes.ts";
import { createRuntime } from "../src/operations.ts";

const hosts = () => hostsAmong(childrenOf(process.pid)).map(({ pid }) => pid);
const noHosts = () => expect.poll(hosts, { timeout: 60_000 }).toEqual([]);

/**
 * Expects that `runs` reuse the processes of the runs before them. An idle worker ends after three seconds. A busy machine can need that
 * long between two runs, so the runs are repeated until they follow each other quickly enough.
 */
async function expectSameHosts(runs: () => Promise<void>): Promise<void> {
  await vi.waitFor(
    async () => {
      const before = hosts().sort();
      await runs();
      expect(hosts().sort()).toEqual(before);
    },
    { timeout: 60_000, interval: 0 },
  );
}

interface Scene {
  readonly runtime: AgentRuntime;
  readonly temporary: string;
  readonly events: RunEvent[];
}

/** Starts a scene. `turns` contains the steps by the word in the prompt that selects them. */
async function play(turns: Readonly<Record<string, string>>): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-stages-"));
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const list = Object.entries(turns).map(([user, steps]) => `  - { when: { user: ${user} }, steps: [${steps}] }\n`);
  await writeFile(join(folder, "script.yaml"), `rehearsal: 1\nturns:\n${list.join("")}`);
  vi.stubEnv("TMPDIR", temporary);
  const events: RunEvent[] = [];
  const runtime = await createRuntime({
    projectDir: folder,
    environment: { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary },
    rehearse: join(folder, "script.yaml"),
    onEvent: (event) => events.push(event),
  }).finally(vi.unstubAllEnvs);
  onTestFinished(async () => {
    await runtime.close();
    await rm(folder, { recursive: true, maxRetries: 5 });
  });
  return { runtime, temporary, events };
}

const generate = async ({ runtime }: Scene, prompt: string) => (await runtime.generateText({ prompt })).text;

test("a run after another one has the same process, and none of its messages", async () => {
  const scene = await play({ "Hello, message: 1": "{ say: Hello to you. }", "Bye, message: 1": "{ say: Goodbye. }" });
  expect(await generate(scene, "Hello")).toBe("Hello to you.");
  expect(hosts()).toHaveLength(1);
  await expectSameHosts(async () => {
    expect(await generate(scene, "Hello")).toBe("Hello to you.");
    expect(await generate(scene, "Hello")).toBe("Hello to you.");
    expect(await generate(scene, "Bye")).toBe("Goodbye.");
  });
});

test("calls of tools reach their own run, in a process that served another run before", async () => {
  const scene = await play({ Look: '{ call: look }, { say: "I see {{ look.result }}." }' });
  const look = async (seen: string) => {
    const tool = defineTool({ name: "look", description: "Looks.", input: z.object({}), execute: async () => seen });
    const run = scene.runtime.runAgentLoop({ prompt: "Look", tools: [tool], stepBudget: 3 });
    return (await run.result).text;
  };
  expect(await look("a horse")).toBe("I see a horse.");
  await expectSameHosts(async () => expect(await look("a bridle")).toBe("I see a bridle."));
});

/** Faulty ends of a conversation, each with the steps that cause it. */
const endings = [
  ["an error that happens once", "{ status: 529, times: 1 }, { say: Fine }"],
  ["a stream that is cut once", "{ say: Hm, cut: true, times: 1 }, { say: Fine }"],
] as const;

test.each(endings)("%s happens in each of two runs, and each run has a separate process", async (_which, steps) => {
  const scene = await play({ Hello: steps });
  const retries = () => scene.events.filter(({ type }) => type === "retry.scheduled").length;
  expect(await generate(scene, "Hello")).toBe("Fine");
  const once = retries();
  expect(once).toBeGreaterThan(0);
  await noHosts();
  expect(await generate(scene, "Hello")).toBe("Fine");
  expect(retries()).toBe(2 * once);
  await noHosts();
});

test("a run after one that did not fit, stalled, or was stopped is not affected", async () => {
  const scene = await play({ Hello: "{ say: Hello to you. }", Stall: "{ say: Well, stall: true }" });
  expect(await generate(scene, "Hello")).toBe("Hello to you.");
  await expect(generate(scene, "Other")).rejects.toThrow(/^The rehearsal does not match: .*Other/);
  await noHosts();
  expect(await generate(scene, "Hello")).toBe("Hello to you.");
  const run = scene.runtime.runAgentLoop({ prompt: "Stall", tools: [], stepBudget: 1 });
  for await (const { type } of run) if (type === "text.delta") run.stop();
  await noHosts();
  expect(await generate(scene, "Hello")).toBe("Hello to you.");
});

test("concurrent conversations have a worker each, which the next ones reuse; a run that does not match affects no other", async () => {
  const scene = await play({ Hello: "{ say: Hello to you., delay_ms: 1000 }" });
  const both = (...prompts: string[]) => Promise.all(prompts.map((prompt) => generate(scene, prompt).catch(String)));
  expect(await both("Hello", "Hello")).toEqual(["Hello to you.", "Hello to you."]);
  expect(hosts()).toHaveLength(2);
  await expectSameHosts(async () => expect(await both("Hello", "Hello")).toEqual(["Hello to you.", "Hello to you."]));
  expect(await both("Hello", "Other")).toEqual(["Hello to you.", expect.stringContaining("does not match")]);
});

test("runs of a session rebuild their history, and an idle worker of a session serves other runs", async () => {
  const scene = await play({ Hello: "{ say: Hello to you. }", "Again, message: 2": "{ say: Once more. }" });
  const session = await scene.runtime.openSession({ tools: [], stepBudget: 1 });
  const send = async (text: string) => (await (await session.send(text)).result).text;
  expect(await send("Hello")).toBe("Hello to you.");
  expect(hosts()).toHaveLength(1);
  await expectSameHosts(async () => expect(await generate(scene, "Hello")).toBe("Hello to you."));
  expect(await send("Again")).toBe("Once more.");
  expect(scene.events.filter(({ type }) => type === "model.input").at(-1)).toMatchObject({
    history: { messages: 2, resumed: "rebuilt", reason: "not-retained" },
  });
});

test("a conversation of another kind ends the idle process", async () => {
  const scene = await play({ Hello: "{ say: Hello to you. }" });
  expect(await generate(scene, "Hello")).toBe("Hello to you.");
  const [first] = hosts();
  await scene.runtime.generateText({ prompt: "Hello", system: "Be kind." });
  await expect.poll(hosts, { timeout: 60_000 }).toEqual([expect.not.toSatisfy((pid) => pid === first)]);
});

test("an idle worker ends its process after a while", async () => {
  const scene = await play({ Hello: "{ say: Hello to you. }" });
  await generate(scene, "Hello");
  expect(hosts()).toHaveLength(1);
  await noHosts();
});

test("a closed runtime leaves neither a process nor a folder, at any moment", async () => {
  for (const afterMs of [0, 50, 700, 2500]) {
    const scene = await play({ Hello: "{ say: Hello to you., forever: true }" });
    const { runtime, temporary } = scene;
    let isOpen = true;
    const work = async () => {
      while (isOpen) await generate(scene, "Hello").catch(() => (isOpen = false));
    };
    const workers = [work(), work()];
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await runtime.close();
    isOpen = false;
    expect({ afterMs, hosts: hosts(), folders: await readdir(temporary) }).toEqual({ afterMs, hosts: [], folders: [] });
    await Promise.all(workers);
    expect(hosts()).toEqual([]);
  }
});
