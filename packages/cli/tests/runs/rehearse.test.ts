import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand, untilGone } from "../support/command.ts";

const script = `
rehearsal: 1
turns:
  - when: { user: hello }
    steps: [{ say: Hello to you. }]
`;

/** Sends a request in each protocol, with the settings in the environment, and prints the answer. */
const program = `
const [kind, prompt] = process.argv.slice(2);
const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, OPENAI_BASE_URL, OPENAI_API_KEY, GITHUB_TOKEN = "none" } = process.env;
const messages = [{ role: "user", content: prompt }];
const [url, headers] = kind === "anthropic"
  ? [ANTHROPIC_BASE_URL + "/v1/messages", { "x-api-key": ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" }]
  : [OPENAI_BASE_URL + "/chat/completions", { authorization: "Bearer " + OPENAI_API_KEY }];
const body = JSON.stringify({ model: "m", max_tokens: 100, messages });
const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
const answer = await response.json();
console.log(response.status, answer.content?.[0]?.text ?? answer.choices?.[0]?.message.content, GITHUB_TOKEN);
process.exit(7);
`;

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "script.yaml"), script);
  await writeFile(join(place.project, "program.mjs"), program);
});
afterEach(async () => {
  await untilGone(place, 10_000);
  await place.remove();
});

const credentials = { ANTHROPIC_API_KEY: "mine", OPENAI_API_KEY: "mine", GITHUB_TOKEN: "mine" };
const rehearse = (...words: string[]) => startCommand(["rehearse", ...words], place, credentials);
const onProgram = (...words: string[]) => rehearse("script.yaml", "--", process.execPath, "program.mjs", ...words);

test.each(["anthropic", "openai"])(
  "a program that uses the API of %s runs on the script, without the user's credentials, and its exit code is kept",
  async (kind) => {
    const command = onProgram(kind, "hello");
    expect(await command.ended).toBe(7);
    expect(command.stdout()).toBe("200 Hello to you. none\n");
    expect(command.stderr()).toBe("Not passed to the program: ANTHROPIC_API_KEY, OPENAI_API_KEY, GITHUB_TOKEN.\n");
  },
);

test("a request that does not match the script ends with exit code 1 and the reason, whatever the program exits with", async () => {
  const command = onProgram("anthropic", "goodbye");
  expect(await command.ended).toBe(1);
  expect(command.stdout()).toMatch(/^400 /);
  expect(command.stderr()).toMatch(
    /A request did not fit script\.yaml: script\.yaml: no turn matches step 1 .*goodbye/,
  );
});

test("an interrupt is passed to the program, and the command ends with its exit code", async () => {
  const waiting = `process.on("SIGTERM", () => { console.log("told"); process.exit(9); }); console.log("up"); setInterval(() => {}, 1000);`;
  const command = rehearse("script.yaml", "--", process.execPath, "-e", waiting);
  await command.shows("up\n");
  command.child.kill("SIGTERM");
  expect(await command.ended).toBe(9);
  expect(command.stdout()).toBe("up\ntold\n");
});

test("the exit code shows that a program was ended by a signal or does not exist", async () => {
  expect(
    await rehearse("script.yaml", "--", process.execPath, "-e", 'process.kill(process.pid, "SIGKILL")').ended,
  ).toBe(137);
  const missing = rehearse("script.yaml", "--", "no-such-program");
  expect(await missing.ended).toBe(2);
  expect(missing.stderr()).toContain('no-such-program cannot be started (ENOENT). Correct the command after "--".\n');
});

const variable = (text: string, name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(text)?.[1] ?? "";

async function ask(url: string, prompt: string): Promise<number> {
  const body = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: prompt }] });
  const headers = { "content-type": "application/json" };
  return (await fetch(`${url}/v1/messages`, { method: "POST", headers, body })).status;
}

test("without a command, rehearse prints the variables and each request, and an interrupt ends it with success", async () => {
  const command = rehearse("script.yaml");
  await command.shows("OPENAI_API_KEY=");
  const url = variable(command.stdout(), "ANTHROPIC_BASE_URL");
  expect(command.stdout()).toBe(
    `ANTHROPIC_BASE_URL=${url}\nANTHROPIC_API_KEY=rehearsal\nOPENAI_BASE_URL=${url}/v1\nOPENAI_API_KEY=rehearsal\n`,
  );
  expect(await ask(url, "hello")).toBe(200);
  await fetch(`${url}/v1/models`);
  await command.shows("GET /v1/models");
  command.child.kill("SIGINT");
  expect(await command.ended).toBe(0);
  expect(command.stderr()).toBe(
    `Serving script.yaml on ${url} until Ctrl-C. Set these variables for a program:\nPOST /v1/messages → turn 1, step 1\nGET /v1/models\n`,
  );
});

test("a request that does not match is reported at once, and changes the exit code", async () => {
  const command = rehearse("script.yaml");
  await command.shows("OPENAI_API_KEY=");
  expect(await ask(variable(command.stdout(), "ANTHROPIC_BASE_URL"), "goodbye")).toBe(400);
  await command.shows("✗ POST /v1/messages: script.yaml: no turn matches step 1");
  command.child.kill("SIGTERM");
  expect(await command.ended).toBe(1);
});

test("--port sets the port, and a port in use is reported", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => holder.once("listening", resolve));
  const address = holder.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const refused = rehearse("script.yaml", "--port", port);
  expect(await refused.ended).toBe(3);
  expect(refused.stderr()).toBe(`The port ${port} is in use. Name another after --port, or omit it.\n`);
  await new Promise((resolve) => holder.close(resolve));
  const command = rehearse("script.yaml", "--port", port);
  await command.shows(`OPENAI_BASE_URL=http://127.0.0.1:${port}/v1\n`);
  command.child.kill("SIGTERM");
  expect(await command.ended).toBe(0);
});

test("a missing or invalid script is reported with its position", async () => {
  const missing = rehearse("none.yaml");
  expect(await missing.ended).toBe(3);
  expect(missing.stderr()).toBe("The script none.yaml does not exist. Correct the path after bridle rehearse.\n");
  await writeFile(join(place.project, "wrong.yaml"), "rehearsal: 1\nturns: []\n");
  const wrong = rehearse("wrong.yaml");
  expect(await wrong.ended).toBe(3);
  expect(wrong.stderr()).toMatch(/^wrong\.yaml:2:8: /);
  const none = rehearse();
  expect(await none.ended).toBe(2);
  expect(none.stderr()).toBe("The script is missing. Name its file: bridle rehearse order.yaml\n");
  expect(await readFile(join(place.project, "script.yaml"), "utf8")).toBe(script);
});
