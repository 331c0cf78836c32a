/** Tests the failures of all commands: one table of exit codes, and with `--json` one JSON document with the error. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, override } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTestCli, runCli } from "../../src/command/cli-for-tests.ts";
import { commands } from "../../src/main/commands.ts";
import { main } from "../../src/main/main.ts";

const failureSchema = z.strictObject({
  error: z.strictObject({ name: z.string(), code: z.string(), message: z.string().min(1), retryable: z.boolean() }),
});

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "bridle-failures-"));
  const put = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  mkdirSync(join(cwd, "context/wiki"), { recursive: true });
  put(
    "bridle.yaml",
    "llm: { models: { default: m } }\ncontext: { connections: { shop: { type: sqlite, file: shop.db } } }\n",
  );
  put("agent.yaml", "name: desk\ninstructions: { inline: Be kind. }\n");
  put("context/wiki/orders.md", "# Orders\n\nOrders are paid.\n");
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (words: readonly string[]) => runCli(words, { cwd, environment: { HOME: join(cwd, "home") } });

const entries = await Promise.all(commands.map(async (entry) => ({ ...entry, command: await entry.load() })));
const withJson = entries.filter(({ command }) => "json" in command.flags);

test("most commands can print a document", () => {
  expect(withJson.length).toBeGreaterThan(40);
});

describe.each(entries)("bridle $name", ({ name, command }) => {
  const words = name.split(" ");

  test("an unknown option exits with 2, and names the command's help", async () => {
    const { code, stdout, stderr } = await run([...words, "--nonsense-option"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--nonsense-option");
  });

  test.runIf("json" in command.flags && name !== "chat")("with --json, the failure is a document too", async () => {
    const { code, stdout, stderr } = await run([...words, "--json", "--nonsense-option"]);
    expect(code).toBe(2);
    const { error } = failureSchema.parse(JSON.parse(stdout));
    expect(error).toMatchObject({ code: "usage", retryable: false });
    expect(stderr).toContain(error.message);
  });
});

/** A name that does not exist, in each place of a command line that accepts a name. */
const missing = [
  "run --agent nope.yaml Hi",
  "chat nope.yaml",
  "test nope.yaml",
  "test show nope",
  "test compare nope nobody",
  "sessions show nope",
  "sessions resume nope Hi",
  "sessions fork nope",
  "sessions rm nope",
  "events nope",
  "replay nope",
  "bundle nope",
  "approvals answer nope allow",
  "permissions remove nope",
  "agent show nope.yaml",
  "agent validate nope.yaml",
  "agent import holodeck nope.yaml",
  "mcp nope.yaml",
  "acp nope.yaml",
  "trust nope",
  "documents index nope.yaml",
  "context scan nope",
  "context show nope",
  "context joins accept a.b=c.d",
  "context wiki read nope",
  "context review choose nope",
  "context why nope",
  "context eval --case nope",
  "context ingest nope",
  "memory show nope",
  "memory forget nope",
  "metrics show nope",
  "metrics propose nope --yes",
  "query nope.count",
  "sql nope SELECT",
];

test.each(missing)("bridle %s exits with 3 for a name that nothing has", async (line) => {
  const { code, stderr } = await run(line.split(" "));
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/\S/) });
  const known = withJson.some(({ name }) => line.startsWith(`${name} `));
  if (!known || line.startsWith("chat")) return;
  const { code: again, stdout } = await run([...line.split(" "), "--json"]);
  expect(again).toBe(3);
  const document: unknown = JSON.parse(stdout);
  expect(failureSchema.safeParse(document).success || (document as { ok?: boolean }).ok === false, stdout).toBe(true);
});

test("a failure after the document of a command adds no second document", async () => {
  const words = ["run", "--json", "--agent", "agent.yaml", "Hi"];
  const { cli, texts } = createTestCli(words, {
    cwd,
    model: [{ steps: [{ say: "Hello." }] }],
    environment: { HOME: join(cwd, "home") },
  });
  const trust = override(cli.trust, { close: () => Promise.reject(new ConfigError("The trust cannot be stored.")) });
  expect(await main(override(cli, { trust }))).toBe(3);
  expect(JSON.parse(texts.stdout)).toMatchObject({ stopReason: "natural" });
  expect(texts.stderr).toContain("The trust cannot be stored.");
});
