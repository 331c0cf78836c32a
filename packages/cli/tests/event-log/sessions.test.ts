import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sessionListSchema, sessionViewSchema } from "@bridle/app/sessions";
import { runEventSchema } from "@bridle/protocol";
import { parseScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number.",
    input: z.object({ id: z.string() }),
    execute: async ({ id }) => "Order " + id + " has shipped.",
  }),
];
`;

const script = `
rehearsal: 1
turns:
  - when: { user: stall }
    steps: [{ say: One moment., stall: true }]
  - when: { user: order }
    steps:
      - { say: Let me look., call: lookup_order, with: { id: A-1 } }
      - say: It is on its way.
  - steps: [{ say: You are welcome. }]
`;

let place: Place;
let model: Rehearsal;
beforeEach(async () => {
  place = await createPlace();
  model = await startRehearsal({ script: parseScript(script) });
  await writeFile(join(place.project, "tools.ts"), tools);
  const provider = `{ backend: anthropic, apiKey: "\${MODEL_KEY}", baseUrl: "${model.url}" }`;
  await writeFile(join(place.project, "bridle.yaml"), `llm:\n  provider: ${provider}\n  models: { default: m }\n`);
});
afterEach(async () => {
  await model.close();
  await place.remove();
});

const start = (...words: string[]) => startCommand(words, place, { MODEL_KEY: "k" });

const bridle = (...words: string[]) => finishCommand(start(...words));

const run = (...words: string[]) => bridle("run", "--tools", "tools.ts", ...words);

/** Runs the same command in this process, for commands that only read or refuse. */
const inProcess = (...words: string[]) =>
  runCli(words, { cwd: place.project, environment: { HOME: place.home, MODEL_KEY: "k" } });
const list = async () => sessionListSchema.parse(JSON.parse((await inProcess("sessions", "list", "--json")).stdout));
const show = async (id: string) =>
  sessionViewSchema.parse(JSON.parse((await inProcess("sessions", "show", id, "--json")).stdout));

/** Returns the last request to the model, as text. */
function told(): string {
  return JSON.stringify(model.requests.at(-1)?.body);
}

describe("a session on the command line", () => {
  test("sends the whole earlier conversation with each run, and is named in the result", async () => {
    expect((await run("--session", "trip", "Where is my order?")).stdout).toBe("Let me look.\nIt is on its way.\n");
    const { code, stdout } = await run("--continue", "--json", "Thanks");
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({ code: 0, result: { sessionId: "trip", steps: 1 } });
    expect(told()).toMatch(/Where is my order\?.*Let me look\..*Order A-1 has shipped\..*It is on its way\..*Thanks/);
    const resumed = await bridle("sessions", "resume", "trip", "--events", "--system", "Be brief.", "Once more");
    const events = resumed.stdout.trimEnd().split("\n");
    expect(events.map((line) => runEventSchema.parse(JSON.parse(line)).sessionId)).toEqual(events.map(() => "trip"));
    expect(told()).toMatch(/Thanks.*You are welcome\..*Once more/);
    expect(told()).toContain("Be brief.");
    expect((await show("trip")).totals).toMatchObject({ runs: 3, steps: 4, toolCalls: 1 });
  });

  test("continues after its process was killed in the middle of a run", async () => {
    await run("--session", "trip", "Where is my order?");
    const killed = start("run", "--session", "trip", "--events", "stall");
    await vi.waitFor(async () => expect(JSON.stringify(await show("trip"))).toContain("One moment."), 20_000);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(await list()).toMatchObject({ sessions: [{ id: "trip", runs: 2, inProgress: false }] });
    const shown = await bridle("sessions", "show", "trip");
    expect(shown.stdout).toMatch(/> stall\n\n\[3\] {2}One moment\..*\nEnded: The process \d+ of this run ended before/);
    expect((await run("--continue", "Thanks")).stdout).toBe("You are welcome.\n");
    expect(told()).toMatch(/Where is my order\?.*Order A-1 has shipped\..*stall.*One moment\..*Thanks/);
  });

  test("can be forked at a given step, and both branches continue independently in later processes", async () => {
    for (const turn of [1, 2, 3, 4]) await run("--session", "trunk", `Turn ${turn}`);
    expect(await bridle("sessions", "fork", "trunk", "--at-step", "3", "--as", "branch")).toEqual({
      code: 0,
      stdout: "branch\n",
      stderr: "",
    });
    expect(await list()).toMatchObject({
      sessions: [
        { id: "branch", runs: 0, inProgress: false, forkedFrom: "trunk", firstWords: null },
        { id: "trunk", runs: 4, forkedFrom: null, firstWords: "Turn 1", backend: "anthropic", model: "m" },
      ],
    });
    await run("--session", "branch", "To the left");
    expect(told()).toMatch(/Turn 1.*Turn 2.*Turn 3.*To the left/);
    expect(told()).not.toContain("Turn 4");
    await run("--session", "trunk", "To the right");
    expect(told()).toMatch(/Turn 1.*Turn 2.*Turn 3.*Turn 4.*To the right/);
    expect(told()).not.toContain("To the left");
    const whole = (await bridle("sessions", "fork", "branch")).stdout.trim();
    await bridle("sessions", "rm", "trunk", "branch");
    await run("--session", whole, "Still there");
    expect(told()).toMatch(/Turn 3.*To the left.*Still there/);
  });

  test("is removed with the artifacts that only this session used, and the output counts them", async () => {
    await run("--session", "one", "Where is my order?");
    await run("--session", "two", "Thanks");
    const countTexts = () => {
      const database = new DatabaseSync(join(place.project, ".bridle/state.db"), { readOnly: true });
      const count = Number(database.prepare("SELECT count(*) AS count FROM contents").get()?.count);
      database.close();
      return count;
    };
    const before = countTexts();
    const { code, stdout } = await bridle("sessions", "rm", "one");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Removed one: 1 run, \d+ events, 1 artifact\.\n$/);
    expect(countTexts()).toBeLessThan(before);
    expect((await list()).sessions.map(({ id }) => id)).toEqual(["two"]);
    expect((await bridle("sessions", "show", "two")).code).toBe(0);
  });

  test("is not removed during a run, and a second run waits and says so", async () => {
    const first = start("run", "--session", "trip", "--events", "stall");
    await first.shows('"moment."');
    expect(await bridle("sessions", "rm", "trip")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The session trip has a run in progress\. .*nothing was removed\.\n$/),
    });
    expect(await list()).toMatchObject({ sessions: [{ id: "trip", inProgress: true }] });
    const second = start("run", "--session", "trip", "Thanks");
    await second.shows(`The session trip has a run in the process ${first.child.pid}. Waiting until it has ended.`);
    const third = start("run", "--session", "trip", "Never sent");
    await third.shows("Waiting until");
    third.child.kill("SIGINT");
    expect(await third.ended).toBe(130);
    expect(third.stderr()).toContain("The run was stopped: interrupted by SIGINT.\n");
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(130);
    expect(await second.ended).toBe(0);
    expect(told()).toMatch(/stall.*One moment\..*Thanks/);
  });

  test("with an unknown id is refused with the nearest id; a used, invalid or missing id is refused too", async () => {
    const none = await inProcess("run", "--continue", "Hi");
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining("no session to resume") });
    expect(existsSync(join(place.project, ".bridle"))).toBe(false);
    await run("--session", "support-42", "Thanks");
    for (const words of [["show"], ["resume"], ["fork"], ["rm"]]) {
      const prompt = words[0] === "resume" ? ["Hi"] : [];
      expect(await inProcess("sessions", ...words, "suport-42", ...prompt)).toMatchObject({
        code: 3,
        stdout: "",
        stderr: 'This project has no session "suport-42". Did you mean "support-42"?\n',
      });
    }
    const refusals: [string[], number, string][] = [
      [["fork", "support-42", "--at-step", "2"], 2, "--at-step is 2, but the session has 1 response."],
      [["fork", "support-42", "--as", "support-42"], 2, 'The session "support-42" exists already.'],
      [["fork", "support-42", "--as", "a b"], 2, "--as: expected 1 to 128 letters"],
      [["rm"], 2, "The id of the session is missing."],
      [["rm", "support-42", "other"], 3, 'This project has no session "other"'],
      [["resume", "support-42"], 2, "The prompt is missing."],
    ];
    for (const [words, code, sentence] of refusals) {
      const refused = await inProcess("sessions", ...words);
      expect({ ...refused, words }).toMatchObject({ code, stderr: expect.stringContaining(sentence) });
    }
    expect((await list()).sessions.map(({ id, runs }) => [id, runs])).toEqual([["support-42", 1]]);
  });
});
