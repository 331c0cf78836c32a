/** Tests the way from an empty folder to an answer: the real commands, outside of this repository. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { type TemplateName, templateNames } from "@bridle/app/init";
import { loadScript, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

/** The time limit of a test, because each starts many processes. */
let place: Place;
beforeEach(async () => {
  place = await createPlace();
});
afterEach(() => place.remove());

const inside = (folder: string): Place => ({ ...place, project: join(place.project, folder) });

const ended = (words: readonly string[], where: Place, extra: Record<string, string> = {}) =>
  finishCommand(startCommand(words, where, extra));

const readme = (template: TemplateName) =>
  join(import.meta.dirname, "../../../bridle/templates", template, "README.md");

/** Returns the first code block in this language. */
function codeIn(text: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n(?<code>.*?)\`\`\``, "s").exec(text)?.groups?.code ?? "";
}

/** Returns the answer of a chat to piped input. */
async function chat(words: readonly string[], input: string, where: Place, extra: Record<string, string> = {}) {
  const parameters = [bin, "chat", ...words];
  const child = spawn(process.execPath, parameters, {
    cwd: where.project,
    env: { ...where.environment, ...extra },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

test("a new project chats with a scripted model and real tools, without a login", async () => {
  expect(await ended(["init", "desk", "--yes"], place)).toMatchObject({ code: 0, stderr: "" });
  const desk = inside("desk");
  const order = await chat(["--rehearse", "rehearsal.yaml"], "Where is order A-1001?", desk);
  expect(order).toMatchObject({ code: 0 });
  expect(order.stdout).toContain("Order A-1001 (Reading lamp) has been shipped on 2026-03-02.");
  const handbook = await chat(["--rehearse", "rehearsal.yaml"], "Are you open on Sundays?", desk);
  expect(handbook.stdout).toContain("Nothing was found.");
  const hours = "# Hours\n\nWe are closed on Sundays.\n";
  await writeFile(join(desk.project, "docs/hours.md"), hours);
  expect((await chat(["--rehearse", "rehearsal.yaml"], "Are you open on Sundays?", desk)).stdout).toContain(
    "closed on Sundays",
  );
});

test.each(templateNames)("the agent of the template %s is valid", async (template) => {
  await ended(["init", "desk", "--template", template, "--provider", "claude-code"], place);
  const validated = await ended(["agent", "validate", "agent.yaml"], inside("desk"));
  expect(validated.code).toBe(0);
  const warnings = validated.stderr.split("\n").filter((line) => line !== "");
  expect(warnings.filter((line) => !line.startsWith("Warning: The agent's own model judges its answers"))).toEqual([]);
});

/** For each template, the fix from its README for the case that fails on purpose. */
const remedies: Readonly<Record<TemplateName, { failing: string; file: string; mend(text: string): string }>> = {
  support: {
    failing: "knows the opening hours",
    file: "docs/hours.md",
    mend: () => "We are closed on Sundays.\n",
  },
  orders: {
    failing: "knows an order from last year",
    file: "orders.json",
    mend: (text) => text.replace("[\n", () => `[\n${codeIn(readFileSync(readme("orders"), "utf8"), "json")}`),
  },
  extractor: {
    failing: "recognises praise",
    file: "rehearsal.yaml",
    mend: (text) => text.replace(/kind: \w+(?!.*kind:)/s, "kind: praise"),
  },
  team: {
    failing: "knows a repair from last year",
    file: "repairs.json",
    mend: (text) => text.replace("[\n", () => `[\n${codeIn(readFileSync(readme("team"), "utf8"), "json")}`),
  },
};

test.each(templateNames)(
  "one test of the template %s fails on purpose, until the fix of the readme is applied",
  async (template) => {
    const { failing, file, mend } = remedies[template];
    const host = isSoak ? [] : ["--provider", "anthropic"]; // quicker, with the same cases
    await ended(["init", "desk", "--yes", "--template", template, ...host], place);
    const desk = inside("desk");
    const mixed = await ended(["test", "--rehearse", "rehearsal.yaml"], desk);
    expect(mixed.code, mixed.stderr).toBe(1);
    expect(mixed.stdout).toContain(`✗ ${failing}`);
    expect(mixed.stdout).toContain("4 of 5 cases passed, 1 failed");

    const path = join(desk.project, file);
    await writeFile(path, mend(await readFile(path, "utf8").catch(() => "")));
    const mended = await ended(["test", "--rehearse", "rehearsal.yaml"], desk);
    expect(mended.code, mended.stdout).toBe(0);
    expect(mended.stdout).toContain("5 of 5 cases passed");
  },
);

/** Returns the contents of a folder's files, without Bridle's state. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((file) => !relative(folder, file).startsWith(".bridle")).sort();
  return Object.fromEntries(await Promise.all(own.map(async (file) => [file, await readFile(file, "utf8")])));
}

const actions: [template: TemplateName, prompt: string, answer: string][] = [
  ["orders", "Order A-1002 came broken. Please refund it.", "45.90 EUR were paid back to Alan Kay."],
  [
    "team",
    "Please book a visit for R-1001 on 9 March 2026.",
    "Our clerk says: This call was not allowed (rules[0] book_visit).", // the clerk's own rules ask, and in a pipe nobody answers
  ],
];

test.each(actions)(
  "rehearsed chats and tests of the template %s do the same again, and change no file",
  async (template, prompt, answer) => {
    await ended(["init", "desk", "--yes", "--template", template, "--provider", "anthropic"], place);
    const desk = inside("desk");
    const before = await contentsOf(desk.project);
    for (const time of ["first", "second"]) {
      const chatted = await chat(["--mode", "yolo", "--rehearse", "rehearsal.yaml"], prompt, desk);
      expect(chatted, time).toMatchObject({ code: 0, stdout: expect.stringContaining(answer) });
      const tested = await ended(["test", "--rehearse", "rehearsal.yaml"], desk);
      expect(tested.stdout, time).toContain("4 of 5 cases passed, 1 failed");
      expect(await contentsOf(desk.project), time).toEqual(before);
    }
  },
);

test("an agent from the template orders refunds only the orders that a person approves", async () => {
  await ended(["init", "desk", "--yes", "--template", "orders"], place);
  const desk = inside("desk");
  const ask = ["run", "--agent", "agent.yaml", "--rehearse", "rehearsal.yaml"];
  const nobody = await ended([...ask, "Order A-1002 came broken. Please refund it."], desk);
  expect(nobody).toMatchObject({ code: 0 });
  expect(nobody.stderr).toContain("refund denied");

  const waiting = startCommand([...ask, "--approvals", "wait", "Order A-1002 came broken. Please refund it."], desk);
  await waiting.shows("bridle approvals answer");
  const listed = JSON.parse((await ended(["approvals", "list", "--json"], desk)).stdout);
  const [question] = listed.approvals ?? listed;
  expect(question.preview).toBe(
    "Order A-1002: Wall clock, of Alan Kay\n- paid back 0.00 EUR of 45.90 EUR\n+ paid back 45.90 EUR of 45.90 EUR",
  );
  expect(await ended(["approvals", "answer", question.id, "allow"], desk)).toMatchObject({ code: 0 });
  expect(await waiting.ended).toBe(0);
  expect(waiting.stdout()).toContain("45.90 EUR were paid back to Alan Kay.");

  const denied = await ended([...ask, "--approvals", "wait", "Refund order B-2001."], desk);
  expect(denied.stderr).toContain("refund denied");
});

test("an agent from the template team asks the person about the call of another agent, and books only what is allowed", async () => {
  await ended(["init", "desk", "--yes", "--template", "team"], place);
  const desk = inside("desk");
  const prompt = "Please book a visit for R-1001 on 9 March 2026.";
  const ask = ["run", "--agent", "agent.yaml", "--rehearse", "rehearsal.yaml", "--approvals", "wait", prompt];
  const before = await contentsOf(desk.project);
  for (const time of ["first", "second"]) {
    const waiting = startCommand(ask, desk);
    await waiting.shows("bridle approvals answer");
    const [question] = JSON.parse((await ended(["approvals", "list", "--json"], desk)).stdout).approvals;
    expect(question).toMatchObject({ agent: "clerk", preview: "+ 2026-03-09: Accordion (R-1001) is collected" });
    expect(await ended(["approvals", "answer", question.id, "allow"], desk)).toMatchObject({ code: 0 });
    expect(await waiting.ended).toBe(0);
    const booked = "Our clerk says: A visit on 2026-03-09 was booked for Accordion (R-1001).";
    expect(waiting.stdout(), time).toContain(booked);
    expect(await contentsOf(desk.project), time).toEqual(before);
  }
});

describe("on a login", () => {
  test("init finds the login, and the same chat runs on the login", async () => {
    await ended(["init", "desk", "--provider", "claude-code"], place);
    const script = await loadScript(join(place.project, "desk/rehearsal.yaml"));
    const rehearsal = await startRehearsal({ script });
    onTestFinished(() => rehearsal.close());
    const tlsProxy = await startTlsProxy({ rehearsal, folder: place.home });
    onTestFinished(() => tlsProxy.close());
    await writeFakeLogin(place.configDir);

    const made = await ended(["init", "other", "--yes"], place, tlsProxy.environment);
    expect(made.stdout).toContain("Claude Code login: works (checked with one short request)");
    const answer = await chat([], "Where is order A-1001?", inside("other"), tlsProxy.environment);
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining("has been shipped on 2026-03-02.") });
    const asked = rehearsal.requests.filter(({ path }) => path === "/v1/messages");
    expect(asked.length).toBeGreaterThan(2);
    for (const { headers } of asked) expect(headers.authorization).toBe("Bearer sk-ant-oat01-rehearsal-access");
  });
});
