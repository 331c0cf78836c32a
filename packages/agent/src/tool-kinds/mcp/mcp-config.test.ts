import { expect, test } from "vitest";
import { z } from "zod";
import { mcpToolConfig } from "./mcp-config.ts";

const base = { type: "mcp", name: "issues", command: "npx" };
const remote = { type: "mcp", name: "issues", transport: "http", url: "https://example.com/mcp" };

/** Lists the problems of a configuration, each as `field: sentence`. */
function problemsOf(config: object): string[] {
  const parsed = mcpToolConfig.safeParse(config);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

test("a server needs only a command, and its times have defaults", () => {
  expect(mcpToolConfig.parse(base)).toEqual({ ...base, transport: "stdio", timeout: 60, request_timeout: 60 });
  expect(problemsOf(remote)).toEqual([]);
  expect(problemsOf({ ...remote, transport: "sse" })).toEqual([]);
  expect(problemsOf({ ...base, encoding: "utf-8", load_tools: true, load_prompts: false, is_retrieval: true })).toEqual(
    [],
  );
});

test.for<[object, string]>([
  [
    { ...base, transport: "websocket" },
    "transport: is not supported as websocket, which is not a transport of the protocol. Use http, which most servers have at /mcp, or stdio.",
  ],
  [{ ...base, transport: "pipe" }, "transport: must be stdio, http or sse"],
  [{ type: "mcp", name: "issues" }, "command: is missing, which the transport stdio needs"],
  [{ type: "mcp", name: "issues", transport: "sse" }, "url: is missing, which the transport sse needs"],
  [{ ...base, url: "https://example.com" }, "url: is not for the transport stdio. Remove it."],
  [{ ...base, headers: {} }, "headers: is not for the transport stdio. Remove it."],
  [{ ...base, terminate_on_close: true }, "terminate_on_close: is not for the transport stdio. Remove it."],
  [{ ...remote, command: "npx" }, "command: is not for the transport http. Remove it."],
  [{ ...remote, args: [] }, "args: is not for the transport http. Remove it."],
  [{ ...remote, env: {} }, "env: is not for the transport http. Remove it."],
  [{ ...remote, env_file: ".env" }, "env_file: is not for the transport http. Remove it."],
  [{ ...remote, encoding: "utf-8" }, "encoding: is not for the transport http. Remove it."],
  [{ ...remote, config: {} }, "config: is not for the transport http. Remove it."],
  [
    { ...remote, transport: "sse", terminate_on_close: true },
    "terminate_on_close: is not for the transport sse, which has no sessions to end. Remove it.",
  ],
  [
    { ...remote, url: "http://example.com/mcp" },
    "url: must begin with https://. Only a server on this machine can have http://.",
  ],
  [{ ...remote, url: "example" }, "url: Invalid URL"],
  [
    { ...remote, url: "ws://example.com" },
    "url: must begin with https://. Only a server on this machine can have http://.",
  ],
  [{ ...base, encoding: "latin-1" }, "encoding: must be utf-8, which the protocol requires"],
  [
    { ...base, load_tools: false },
    "load_tools: cannot be false: Bridle uses only the tools of a server. Remove the entry, or list the tools that you need in tools.",
  ],
  [
    { ...base, load_prompts: true },
    "load_prompts: cannot be true: Bridle does not use the prompts of a server. Remove it, and write the instructions of the agent yourself.",
  ],
  [
    { ...base, sse_read_timeout: 5 },
    "sse_read_timeout: is not supported: use request_timeout, which limits calls on every transport.",
  ],
  [
    { ...base, registry_name: "io.github.a/b" },
    "registry_name: is not supported: Bridle reads no registry. Remove it, and write command and args, or url.",
  ],
  [
    { ...base, server: "some-package" },
    "server: is not supported: write the program or the address, such as command: npx and args: [-y, PACKAGE].",
  ],
  [{ ...base, tool_prefix: "a.b" }, "tool_prefix: must be 1 to 32 letters, digits, _ or -"],
  [{ ...base, env: { "A-B": "1" } }, "env.A-B: Invalid key in record"],
  [{ ...base, request_timeout: 0 }, "request_timeout: Too small: expected number to be >0"],
])("the MCP configuration %j is refused: %s", ([config, problem]) => {
  expect(problemsOf(config)).toEqual([problem]);
});

test("all problems of an MCP configuration are reported at the same time", () => {
  expect(problemsOf({ type: "mcp", name: 5, transport: "http", url: 7, command: "npx", nam: "x" })).toEqual([
    "name: Invalid input: expected string, received number",
    "url: Invalid input: expected string, received number",
    ': Unrecognized key: "nam"',
    "command: is not for the transport http. Remove it.",
  ]);
  expect(problemsOf({ type: "mcp", transport: "websocket" })).toHaveLength(2);
});

test("every field of an MCP configuration has a description, and the schema can be written as a JSON Schema", () => {
  const { properties } = z.toJSONSchema(mcpToolConfig, { io: "input", unrepresentable: "any" });
  const silent = Object.entries(properties ?? {}).filter(
    ([, field]) => typeof field === "boolean" || !field.description,
  );
  expect(silent).toEqual([]);
});
