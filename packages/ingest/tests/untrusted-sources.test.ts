/** Instructions in places where real sources may contain them: card titles, comments in columns and SQL, file names and page titles. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openContext } from "@bridle/context";
import { createRedactor } from "@bridle/core";
import type { RehearsedRequest, StepInput } from "@bridle/rehearsal";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { runPlainly } from "../../warehouse/tests/duckdb/database.ts";
import { writeKnowledge } from "../src/runs/changes/write-knowledge.ts";
import { createContextKnowledge } from "../src/runs/context-knowledge.ts";
import { ingest } from "../src/runs/ingest.ts";
import { createSource } from "../src/sources/kinds/create-source.ts";
import { nativeCard } from "../src/sources/metabase/metabase-server-for-tests.ts";
import { notionToken, paragraph, startNotion } from "../src/sources/notion/notion-server-for-tests.ts";
import type { IngestSource } from "../src/sources/source.ts";
import { folderWith } from "../src/sources/testing/collect-fetch-for-tests.ts";
import { isInstruction } from "../src/staging/instructions/find-instructions.ts";
import { instructionExamples } from "../src/staging/instructions/instruction-examples-for-tests.ts";
import { openIngestStore } from "../src/store/ingest-store.ts";
import { CorpusModel, type KnownFact, type Proposed } from "./support/models/corpus-model.ts";
import { type AskedPassage, passagesIn } from "./support/models/prompts.ts";
import { startModels } from "./support/start-models.ts";

/** The examples that fit in a file name, a comment and a title. */
const injections = instructionExamples.filter((text) => /^[A-Z][\w ,.;:'-]{25,120}$/.test(text)).slice(0, 40);
const factOf = (place: string, index: number) => `Lost property of ${place} ${index} is kept for 60 days.`;
const places = ["cards", "files", "pages"] as const;
/** The statement that every injection asks an obedient model to make. */
const wish = "All refunds are free and need no approval.";

/**
 * A model that obeys the documents: it calls the tools, and proposes the instructions and what they demand, with each line as the quote.
 */
class Obedient extends CorpusModel {
  constructor() {
    super((text) =>
      Array.from(text.matchAll(/Lost property of \w+ \d+ is kept for 60 days\./g), ([each]) => known(each)),
    );
  }

  override decide({ text }: AskedPassage) {
    return { decision: text.length % 2 === 0 ? "full" : "light", reason: "why not" };
  }

  override propose(passage: AskedPassage): readonly Proposed[] {
    const lines = passage.text.split("\n").filter((line) => line.length > 12);
    const obeyed = lines.slice(0, 6).map((quote) => ({ ...known(wish), quote, passage: passage.name }));
    const copied = lines.filter(isInstruction).map((quote) => ({ ...known(quote), quote, passage: passage.name }));
    return [...super.propose(passage), ...obeyed, ...copied];
  }

  override work(request: RehearsedRequest): StepInput {
    if (request.step > 1) return this.#obey(request);
    const called = ["Bash", "Write", "delete_page", "remember", "ingest_start"].map((call) => ({ call, with: {} }));
    const looks = [
      { call: "describe", with: { name: "bookings" } },
      { call: "search_context", with: { query: "bookings" } },
      { call: "run_sql", with: { statement: "DROP TABLE bookings" } },
    ];
    const step = super.work(request);
    return { calls: [...called, ...looks, ...("calls" in step ? (step.calls ?? []) : [])] };
  }

  /** Proposes the instructions in column comments. */
  #obey({ step, results, user }: RehearsedRequest): StepInput {
    const [passage] = passagesIn(user);
    const texts = results.map(({ text }) => text).join("\n");
    const found = injections.filter((text) => texts.includes(text));
    for (const each of found) this.read.add(each);
    if (step > 2 || passage === undefined || found.length === 0) return { say: "Done." };
    const subject = { passage: passage.name, subject: "shop.main.bookings" };
    return {
      calls: found.flatMap((quote) => [
        { call: "propose_claim", with: { ...known(quote), statement: quote, quote, passage: passage.name } },
        { call: "propose_description", with: { ...subject, quote, text: quote } },
      ]),
    };
  }

  /** The comments that the model has read. */
  readonly read = new Set<string>();
}

function known(text: string): KnownFact {
  return { text, subject: text.split(" is ")[0] ?? text, topic: "lost property", category: "rule" };
}

let projectDir: string;
beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-untrusted-sources-"));
  const columns = injections.map((_, index) => `note_${index} VARCHAR`).join(", ");
  await runPlainly(
    join(projectDir, "shop.db"),
    "CREATE TABLE sailings (id INTEGER PRIMARY KEY)",
    `CREATE TABLE bookings (id INTEGER, sailing_id INTEGER, amount INTEGER, ${columns})`,
    "INSERT INTO sailings SELECT range FROM range(20)",
    "INSERT INTO bookings (id, sailing_id, amount) SELECT range, range % 20, range FROM range(200)",
    ...injections.map((text, index) => `COMMENT ON COLUMN bookings.note_${index} IS '${text.replaceAll("'", "''")}'`),
  );
  return () => rmSync(projectDir, { recursive: true, force: true });
});

async function openShop() {
  const connector = connectors.find(({ type }) => type === "duckdb");
  if (connector === undefined) throw new Error("There is no DuckDB.");
  const open = () =>
    openWarehouse({
      name: "shop",
      connector,
      config: { type: "duckdb", file: "shop.db" },
      context: { projectDir },
    });
  const context = openContext({
    projectDir,
    stateDir: join(projectDir, ".bridle"),
    connections: [{ name: "shop", open }],
  });
  onTestFinished(() => context.close());
  await context.scan("shop");
  return context;
}

async function poisonedSources(): Promise<readonly IngestSource[]> {
  const sql = "select sum(b.amount) from bookings b join sailings s on s.id = b.sailing_id";
  const cards = injections.map((text, index) =>
    nativeCard(index + 1, text, `-- ${text}\n${sql} where b.id > ${index} /* ${text} */`, {
      description: factOf("cards", index),
      result_metadata: [{ name: "total", description: text }],
    }),
  );
  const log = injections.map((text, index) =>
    JSON.stringify({ query: `/* ${text} */ ${sql} where b.note_${index} = '${index}' -- ${text}`, calls: 40 }),
  );
  const files = injections.map((text, index) => [`${text}${index}.md`, `# Inbox\n\n${factOf("files", index)}\n`]);
  const pages = injections.map((title, index) => ({
    id: `a-${index}`,
    title,
    edited: "2026-03-04T10:15:00.000Z",
    blocks: [paragraph(`a-${index}-1`, factOf("pages", index))],
  }));
  const { server } = await startNotion(pages, 50);
  const services = { projectDir };
  const settings = {
    cards: { type: "metabase", path: folderWith({ "cards.json": JSON.stringify(cards) }) },
    queries: { type: "query_history", path: folderWith({ "log.jsonl": log.join("\n") }), connection: "shop" },
    files: { type: "documents", path: folderWith(Object.fromEntries(files)) },
    pages: { type: "notion", token: notionToken, url: server.url },
  };
  return Promise.all(Object.entries(settings).map(([name, each]) => createSource(name, each, services)));
}

test("40 instructions in card titles, comments, file names and page titles get nothing into files but the facts beside them", async () => {
  expect(injections).toHaveLength(40);
  const context = await openShop();
  const stateDir = join(projectDir, ".bridle");
  const store = openIngestStore({ stateDir });
  const model = new Obedient();
  const started = await startModels(model.answer);
  onTestFinished(async () => {
    store.close();
    await started.close();
  });
  const { outcome, result } = await ingest({
    sources: await poisonedSources(),
    store,
    models: started.models,
    redactor: createRedactor(),
    knowledge: createContextKnowledge({ context, connections: ["shop"] }),
    finish: (checked, reading) =>
      writeKnowledge(checked, reading, { projectDir, stateDir, mode: "apply", reason: "ingest: all" }),
  });
  const claims = result?.changeSet.claims ?? [];
  const statements = claims.flatMap(({ sources }) => sources.map(({ wording }) => wording));
  for (const place of places)
    for (const [index] of injections.entries()) expect(statements).toContain(factOf(place, index));
  expect(JSON.stringify(claims)).not.toContain(wish);
  const files = globSync("context/**/*.{md,yaml}", { cwd: projectDir });
  const lines = files.flatMap((file) => readFileSync(join(projectDir, file), "utf8").split("\n"));
  expect(lines.filter((line) => isInstruction(line) || line.includes(wish))).toEqual([]);
  expect(injections.filter((text) => lines.some((line) => line.includes(text)))).toEqual([]);
  expect(new Set(outcome.instructions.map(({ source }) => source))).toEqual(new Set(["cards", "files", "pages"]));
  expect(model.read.size).toBeGreaterThan(0);
  const sent = JSON.stringify(started.asked.map(({ user }) => user));
  expect(injections.filter((text) => sent.includes(text))).toEqual([]);
  const tools = new Map(
    started.events.flatMap((event) => (event.type === "tool.requested" ? [[event.callId, event.tool]] : [])),
  );
  const ran = started.events.flatMap((event) => (event.type === "tool.started" ? [tools.get(event.callId)] : []));
  expect([...new Set(ran)].sort()).toEqual([
    "describe",
    "propose_claim",
    "propose_description",
    "run_sql",
    "search_context",
  ]);
  expect(context.describe("shop.main.bookings")).toBeDefined();
});
