import { expect, test } from "vitest";
import { processesOf, startCommand, untilGone } from "../support/command.ts";
import { connectToCommand, createToolProject, readEvents } from "./mcp-fixture.ts";

test("bridle mcp serves the tools of agent.yaml on stdio: listed, called, with progress, and logged", async () => {
  const place = await createToolProject();
  const { client, errors, stderr } = await connectToCommand(place);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["add", "wait"]);
  const messages: unknown[] = [];
  const result = await client.callTool(
    { name: "add", arguments: { a: 1, b: 2 } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  expect(result).toEqual({ content: [{ type: "text", text: "The sum is 3." }] });
  expect(messages).toEqual(["adding"]);
  expect(await client.callTool({ name: "send_mail", arguments: { to: "ada" } })).toMatchObject({ isError: true });
  await client.close();
  await untilGone(place, 60_000);
  expect(stderr()).toContain("Left out, because they may change something: send_mail.");
  expect(stderr()).toContain("a tool that prints");
  expect(errors).toEqual([]); // so standard output contained only the protocol
  const events = await readEvents(place);
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["run.started", "tool.finished", "tool.denied", "run.finished"]),
  );
  expect(events[0]).toMatchObject({ labels: { mcpClient: "test-client 7", mcpTransport: "stdio" } });
});

test("bridle mcp --allow-writes offers tools that change something, under the project's rules", async () => {
  const rules = "policy:\n  rules: [{ tool: send_mail, when: { to: ^ada$ }, then: allow }]\n";
  const place = await createToolProject({ rules });
  const { client } = await connectToCommand(place, ["agent.yaml", "--allow-writes"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "send_mail", "wait"]);
  const send = (to: string) => client.callTool({ name: "send_mail", arguments: { to } });
  expect(await send("ada")).toEqual({ content: [{ type: "text", text: "Sent to ada." }] });
  expect(await send("eve")).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/not allowed/) }] });
});

test("bridle mcp --tools serves a tools file, and --structured adds the data for programs", async () => {
  const place = await createToolProject();
  const { client } = await connectToCommand(place, ["--tools", "tools.ts", "--structured"]);
  expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({
    structuredContent: { sum: 3 },
  });
});

test("a client that leaves during a call leaves no process, and the log says how the call ended", async () => {
  const place = await createToolProject();
  const { client } = await connectToCommand(place);
  const call = client.callTool({ name: "wait" }).catch(() => "gone");
  await client.callTool({ name: "add", arguments: { a: 1, b: 2 } }); // the first call has begun
  await client.close();
  await call;
  await untilGone(place, 60_000);
  expect(await readEvents(place)).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: "tool.finished", ok: false })]),
  );
});

test("SIGTERM ends bridle mcp with its exit code and leaves no process", async () => {
  const place = await createToolProject();
  const { client, pid } = await connectToCommand(place);
  await client.listTools();
  if (pid == null) throw new Error("The command did not start.");
  process.kill(pid, "SIGTERM");
  await untilGone(place, 60_000);
  expect(await processesOf(place)).toEqual([]);
});

test("bridle mcp ends at once and with 0 if its input is empty", async () => {
  const place = await createToolProject();
  const command = startCommand(["mcp"], place, {}, "");
  expect(await command.ended).toBe(0);
  expect(command.stdout()).toBe("");
});

test.each([
  ["no agent file", ["mcp", "missing.yaml"], 3, "missing.yaml does not exist"],
  ["an address without --http", ["mcp", "--port", "1"], 2, "Add --http"],
  ["two sources", ["mcp", "agent.yaml", "--tools", "tools.ts"], 2, "not both"],
  ["an unknown flag", ["mcp", "--allow-write"], 2, "--allow-writes"],
])("bridle mcp with %s prints one sentence and no protocol", async (_title, words, code, sentence) => {
  const place = await createToolProject();
  const command = startCommand(words, place, {}, "");
  expect(await command.ended).toBe(code);
  expect(command.stderr()).toContain(sentence);
  expect(command.stdout()).toBe("");
});

test("bridle mcp serves nothing of a folder that is not trusted", async () => {
  const place = await createToolProject();
  const command = startCommand(["mcp"], place, { BRIDLE_TRUST: "" }, "");
  expect(await command.ended).toBe(3);
  expect(command.stderr()).not.toContain("a tools file that prints");
});
