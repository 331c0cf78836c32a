import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentFile, createEditorProject } from "../acp/acp-fixture.ts";
import { startCommand } from "../support/command.ts";
import { connectToCommand, readEvents } from "./mcp-fixture.ts";

const agents = ["--agents", "--rehearse", "script.yaml"];

test("bridle mcp --agents offers each agent as a tool, whose conversation can be continued by its client only", async () => {
  const place = await createEditorProject();
  await writeFile(join(place.project, "mail.yaml"), `${agentFile("mailer")}description: Sends mail.\n`);
  const { client } = await connectToCommand(place, [...agents, "--structured", "agent.yaml", "mail.yaml"]);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([
    { name: "ask_agent", annotations: { readOnlyHint: true } },
    { name: "ask_mail", description: "Asks the agent mailer, and returns its answer. Sends mail." },
  ]);
  const ask = (args: object) => client.callTool({ name: "ask_mail", arguments: { ...args } });
  const first = await ask({ message: "stream" });
  const { session } = first.structuredContent as { session: string };
  const text = `One two three four five six.\n\n(session: ${session})`;
  expect(first).toMatchObject({ content: [{ text }], structuredContent: { complete: true } });
  expect(await ask({ message: "again", session })).toMatchObject({ structuredContent: { session } });
  const other = await ask({ message: "again", session: "other" });
  expect(other).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('no conversation "other"') }],
  });
  expect(await ask({ message: "refuse" })).toMatchObject({ isError: true });
});

test("an agent that is asked may only read without --allow-writes, and a question of its rules is denied with it", async () => {
  const place = await createEditorProject();
  for (const words of [[], ["--allow-writes"]]) {
    const { client } = await connectToCommand(place, [...agents, ...words]);
    const messages: unknown[] = [];
    const asked = await client.callTool(
      { name: "ask_agent", arguments: { message: "erase" } },
      { onprogress: ({ message }) => messages.push(message) },
    );
    expect(asked).toMatchObject({ content: [{ text: expect.stringContaining("All done.") }] });
    expect(messages).toContain('erase {"what":"the draft"}');
    await client.close();
  }
  await expect(readFile(join(place.project, "effects"))).rejects.toThrow("ENOENT");
  const denied = (await readEvents(place)).filter(({ type }) => type === "tool.denied");
  expect(denied.length).toBeGreaterThan(0);
});

test("a rule of the project about a tool of one agent breaks no question to another", async () => {
  const place = await createEditorProject();
  const mailer = agentFile("mailer").replace("name: erase", "name: tidy");
  await writeFile(join(place.project, "mail.yaml"), mailer);
  const settings = await readFile(join(place.project, "bridle.yaml"), "utf8");
  const rules = "policy: { mode: normal, rules: [{ tool: erase, then: deny }] }\n";
  await writeFile(join(place.project, "bridle.yaml"), `${settings.replace(/^policy:.*\n/m, "")}${rules}`);
  const { client } = await connectToCommand(place, [...agents, "agent.yaml", "mail.yaml"]);
  for (const name of ["ask_agent", "ask_mail"]) {
    const asked = await client.callTool({ name, arguments: { message: "stream" } });
    expect(asked).toMatchObject({ content: [{ text: expect.stringContaining("One two three four five six.") }] });
  }
});

test("bridle mcp --agents stops the run of a client that does not wait for it", async () => {
  const place = await createEditorProject();
  const { client } = await connectToCommand(place, agents);
  const gone = new AbortController();
  const asked = client.callTool({ name: "ask_agent", arguments: { message: "stall" } }, { signal: gone.signal });
  setTimeout(() => gone.abort(), 500);
  await expect(asked).rejects.toThrow();
  expect(await client.callTool({ name: "ask_agent", arguments: { message: "again" } })).not.toHaveProperty("isError");
});

test.each([
  ["several files without --agents", ["mcp", "a.yaml", "b.yaml"], "add --agents"],
  ["a script without --agents", ["mcp", "--rehearse", "script.yaml"], "Add --agents"],
])("bridle mcp with %s says what to add", async (_what, words, sentence) => {
  const command = startCommand(words, await createEditorProject(), {}, "");
  expect(await command.ended).toBe(2);
  expect(command.stderr()).toContain(sentence);
});
