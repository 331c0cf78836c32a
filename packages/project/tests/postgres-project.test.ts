// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests a project with an event log in PostgreSQL. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryPrefix } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../stores/postgres/tests/postgres-cluster.ts";
import { openProject, openProjectEventLog } from "../src/index.ts";
import { createRuntime } from "../src/operations.ts";
import { createFolderTrust } from "../src/trust/folder-trust.ts";

const rehearse = join(import.meta.dirname, "greeting.rehearsal.yaml");
const inPostgres = 'eventLog: { type: postgres, url: "${DATABASE_URL}" }\n';
const onModelApi = `${inPostgres}llm: { provider: { backend: anthropic, apiKey: none } }\n`;

function projectWith(yaml: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-postgres-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "bridle.yaml"), yaml);
  return folder;
}

test("without its variable, the status is shown, and the event log fails with the line and the variable", async () => {
  const projectDir = projectWith(inPostgres);
  const project = await openProject({ projectDir, environment: {} });
  expect((await project.status()).backend).toBeDefined();
  await expect(project.openEventLog()).rejects.toThrow(
    "The event log needs eventLog.url, which is missing. Set DATABASE_URL in the environment.",
  );
  const runtime = createRuntime({ projectDir, environment: {}, rehearse, eventLog: "project" });
  await expect(runtime).rejects.toMatchObject({ field: "eventLog.url", position: { line: 1, column: 34 } });
});

test("a rehearsal whose event log cannot be opened leaves no temporary folder", async () => {
  const projectDir = projectWith(inPostgres);
  const own = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(temporaryPrefix("bridle-rehearsal")));
  const before = await own();
  const runtime = createRuntime({ projectDir, environment: {}, rehearse, eventLog: "project" });
  await expect(runtime).rejects.toMatchObject({ field: "eventLog.url" });
  expect(await own()).toEqual(before);
});

test.each([
  ["eventLog: { type: mysql }", "eventLog.type is"],
  ["eventLog: { type: sqlite, url: x }", '"url" is a key of postgres, but the type is sqlite.'],
  [
    "eventLog: { type: postgres, url: x, schema: A-1 }",
    "eventLog.schema must be a name of at most 30 lower-case letters",
  ],
  ["eventLog: { type: postgres, url: x, scheme: a }", 'unknown key "scheme". Did you mean "schema"?'],
])("%s is refused with a sentence", async (yaml, sentence) => {
  await expect(openProject({ projectDir: projectWith(yaml), environment: {} })).rejects.toThrow(sentence);
});

test("a project without a url for its database is refused when the event log is opened", async () => {
  const projectDir = projectWith("eventLog: { type: postgres }");
  await expect(openProjectEventLog({ projectDir, environment: {} })).rejects.toThrow(
    'The event log needs eventLog.url, which is missing. Write "url: ${DATABASE_URL}" under eventLog in bridle.yaml.',
  );
});

test("a database that a file chooses needs trust, to read from it too, and its password is not shown", async () => {
  const projectDir = projectWith("eventLog: { type: postgres, url: postgresql://u:hunter22@elsewhere.example/db }");
  const home = join(projectDir, "home");
  mkdirSync(home);
  const trust = createFolderTrust({ environment: { HOME: home } });
  const project = await openProject({ projectDir, environment: {}, trust });
  const effects = project.effectiveFile?.effects ?? [];
  expect(effects).toMatchObject([
    { kind: "sends", subject: "the events of all runs to postgresql://[credentials]@elsewhere.example/db" },
    {
      kind: "skips-questions",
      subject: expect.stringContaining("answers to questions, from postgresql://[credentials]@"),
    },
  ]);
  await expect(project.openEventLog()).rejects.toThrow(ConfigError);
  await expect(project.openEventLog()).rejects.toThrow("is not trusted");
  await expect(project.createRuntime({ rehearse, eventLog: "project" })).rejects.toThrow("is not trusted");
});

describe.skipIf(skipsPostgres)("a project with its event log in PostgreSQL (needs Debian's package postgresql)", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  });
  afterAll(() => cluster?.remove());

  test("stores its runs there, without credentials, and another folder with the same file reads them", async () => {
    const environment = { PATH: process.env.PATH, DATABASE_URL: cluster.url, SHOP_TOKEN: "tulip-9931-meadow" };
    const [projectDir, elsewhere] = [projectWith(onModelApi), projectWith(onModelApi)];
    const runtime = await createRuntime({ projectDir, environment, rehearse, eventLog: "project" });
    const { runId, text } = await runtime.generateText({ prompt: `Hello, ${environment.SHOP_TOKEN}` });
    await runtime.close();
    const eventLog = await openProjectEventLog({ projectDir: elsewhere, environment });
    const events = await eventLog.read({ runId });
    await eventLog.close();
    expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural", text } });
    expect(JSON.stringify(events)).toContain("Hello, [secret SHOP_TOKEN]");
    expect(existsSync(join(projectDir, ".bridle", "state.db"))).toBe(false);
  });

  test("keeps the sessions of namespaces apart, whatever they are called", async () => {
    const projectDir = projectWith(onModelApi);
    const environment = { PATH: process.env.PATH, DATABASE_URL: cluster.url };
    const namespaces = ["a", "A", "a".repeat(300), `${"a".repeat(299)}b`, 'x"; DROP SCHEMA bridle', "bridle"];
    for (const namespace of namespaces) {
      const runtime = await createRuntime({ projectDir, environment, namespace, rehearse, eventLog: "project" });
      const session = await runtime.openSession({ id: "support", tools: [], stepBudget: 2 });
      await (await session.send(`I am ${namespace}.`)).result;
      await runtime.close();
    }
    for (const namespace of namespaces) {
      const eventLog = await openProjectEventLog({ projectDir, environment, namespace });
      expect(await eventLog.runs()).toHaveLength(1);
      const inputs = (await eventLog.read({ sessionId: "support" })).filter(({ type }) => type === "model.input");
      expect(JSON.stringify(inputs)).toContain(JSON.stringify(`I am ${namespace}.`).slice(1, -1));
      await eventLog.close();
    }
  });
});
