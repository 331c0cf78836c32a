import type { ToolCall, ToolDeclaration, ToolReply } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { connectToTools } from "./tool-client-for-tests.ts";
import { ToolServer } from "./tool-server.ts";

const look: ToolDeclaration = {
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { at: { type: "integer", description: "Where" } }, required: ["at"] },
  annotations: { readOnly: true },
};

/** Creates the server, and a connected client. */
async function connect(tools: ToolDeclaration[], reply: (call: ToolCall) => Promise<ToolReply>) {
  const { config } = new ToolServer({ tools, callTool: reply });
  onTestFinished(() => config.instance.close());
  return { ...(await connectToTools(config)), config };
}

const echo = async ({ input }: ToolCall): Promise<ToolReply> => ({ output: JSON.stringify(input), isError: false });

test("declarations are served unchanged: names, schemas, descriptions and hints", async () => {
  const { request } = await connect([look, { ...look, name: "write", annotations: { destructive: true } }], echo);
  expect(await request("tools/list")).toEqual({
    tools: [
      { name: "look", description: "Looks.", inputSchema: look.inputSchema, annotations: { readOnlyHint: true } },
      { name: "write", description: "Looks.", inputSchema: look.inputSchema, annotations: { destructiveHint: true } },
    ],
  });
});

test("a call arrives with the model's input and the host's id", async () => {
  const calls: ToolCall[] = [];
  const { request } = await connect([look], async (call) => {
    calls.push(call);
    return { output: "seen", isError: false };
  });
  const input = { at: "not a number", more: [1] };
  const meta = { "claudecode/toolUseId": "toolu_1" };
  expect(await request("tools/call", { name: "look", arguments: input, _meta: meta })).toEqual({
    content: [{ type: "text", text: "seen" }],
    isError: false,
  });
  await request("tools/call", { name: "unheard of" });
  expect(calls).toEqual([
    { callId: "toolu_1", tool: "look", input },
    { callId: "", tool: "unheard of", input: undefined },
  ]);
});

test("a failed call is a reply, not an error of the protocol", async () => {
  const { request } = await connect([look], async () => ({ output: "It is dark.", isError: true }));
  expect(await request("tools/call", { name: "look", arguments: {} })).toEqual({
    content: [{ type: "text", text: "It is dark." }],
    isError: true,
  });
});

test("a tool that a reply adds is listed before the reply arrives", async () => {
  const more: ToolDeclaration = { ...look, name: "read_result" };
  const { request, notifications } = await connect([look], async () => ({
    output: "cut",
    isError: false,
    addedTool: more,
  }));
  const reply = request("tools/call", { name: "look", arguments: { at: 1 } });
  await expect.poll(() => notifications).toContain("notifications/tools/list_changed");
  const listed = request("tools/list");
  expect(await Promise.race([reply, listed])).toEqual(await listed);
  expect(await listed).toMatchObject({ tools: [{ name: "look" }, { name: "read_result" }] });
  expect(await reply).toMatchObject({ content: [{ text: "cut" }] });
});

test("a host that does not list the tools again still gets the reply", async () => {
  const { request } = await connect([look], async () => ({ output: "cut", isError: false, addedTool: look }));
  expect(await request("tools/call", { name: "look" })).toMatchObject({ content: [{ text: "cut" }] });
});

test("the host waits for a tool as long as possible, and does not continue without its result", async () => {
  const { config } = await connect([], echo);
  expect(config).toMatchObject({ timeout: 2_147_483_000, disableAutoBackground: true });
});
