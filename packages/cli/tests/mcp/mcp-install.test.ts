import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { type Place, startCommand } from "../support/command.ts";
import { createToolProject } from "./mcp-fixture.ts";

const file = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x", "env": { "KEY": "s3cret" } }\n  }\n}\n';

async function run(place: Place, words: readonly string[]) {
  const command = startCommand(["mcp", "install", ...words], place);
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

test("bridle mcp install adds an entry that starts the server, and --remove leaves the file as it was", async () => {
  const place = await createToolProject();
  const path = join(place.home, ".claude.json");
  await writeFile(path, file);
  const words = ["--client", "claude-code", "--yes"];
  const environment = { ...place.environment, CLAUDE_CONFIG_DIR: "" };
  const own = { ...place, environment };
  const added = await run(own, words);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('+    "bridle": {') });
  expect(added.stdout).not.toContain("s3cret");
  const text = await readFile(path, "utf8");
  expect(text).toContain("// mine");
  const { command, args } = JSON.parse(text.replace("// mine", "")).mcpServers.bridle;
  const client = new Client({ name: "test-client", version: "7" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, cwd: place.home, env: place.environment }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "wait"]);
  await client.close();
  expect(await run(own, [...words, "--remove"])).toMatchObject({ code: 0 });
  expect(await readFile(path, "utf8")).toBe(file);
});

test("bridle mcp install --json prints one document, and --dry-run writes nothing", async () => {
  const place = await createToolProject();
  const words = ["agent.yaml", "--client", "vscode", "--scope", "project", "--json"];
  const path = join(place.project, ".vscode/mcp.json");
  const planned = JSON.parse((await run(place, [...words, "--dry-run"])).stdout);
  expect(planned).toMatchObject({ client: "vscode", scope: "project", name: "bridle", action: "install", done: false });
  expect(planned).toMatchObject({ file: path, difference: expect.arrayContaining(['+    "bridle": {']) });
  await expect(readFile(path)).rejects.toThrow("ENOENT");
  expect(JSON.parse((await run(place, [...words, "--yes"])).stdout)).toMatchObject({ done: true });
  const { servers } = JSON.parse(await readFile(path, "utf8"));
  expect(servers.bridle).toEqual({
    type: "stdio",
    command: "bridle",
    args: ["mcp", "agent.yaml", "--project-dir", "${" + "workspaceFolder}"],
  });
  expect(JSON.parse((await run(place, [...words, "--yes", "--remove"])).stdout)).toMatchObject({ done: true });
  await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test.each([
  ["no client", [], 2, "Name the client with --client"],
  ["an unknown client", ["--client", "vscod"], 2, "vscode"],
  ["no terminal and no --yes", ["--client", "cursor"], 2, "Add --yes"],
  [
    "a client without files for projects",
    ["--client", "claude-desktop", "--scope", "project", "--yes"],
    3,
    "Leave --scope out",
  ],
  [
    "an agent file that does not exist",
    ["missing.yaml", "--client", "cursor", "--yes"],
    3,
    "missing.yaml does not exist",
  ],
  ["a name with a blank", ["--client", "cursor", "--name", "my server", "--yes"], 2, "letters"],
])("bridle mcp install with %s writes nothing and says what to do", async (_title, words, code, sentence) => {
  const place = await createToolProject();
  const result = await run(place, words);
  expect(result).toMatchObject({ code, stdout: "" });
  expect(result.stderr).toContain(sentence);
});

test("bridle mcp install refuses a folder that is not trusted, because the client could not ask", async () => {
  const place = await createToolProject();
  await writeFile(join(place.project, "bridle.yaml"), "policy:\n  mode: yolo\n");
  const untrusting = { ...place, environment: { ...place.environment, BRIDLE_TRUST: "" } };
  const result = await run(untrusting, ["--client", "cursor", "--yes"]);
  expect(result.code).toBe(3);
  await expect(readFile(join(place.home, ".cursor/mcp.json"))).rejects.toThrow("ENOENT");
});
