import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AnyTool,
  ConfigError,
  type Embedder,
  noUsage,
  type OpenedTools,
  silentLogger,
  type ToolOutput,
  type ToolServices,
} from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentsToolConfig } from "./documents-config.ts";
import { openAgentDocuments } from "./open-agent-documents.ts";
import { openDocumentsTool } from "./open-documents-tool.ts";

let folder = "";
let opened: OpenedTools[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-agent-documents-"));
  mkdirSync(join(folder, "docs"));
  put("returns.md", "# Orders\n\n## Returns\n\nSend it back within 30 days.");
  put("fees.md", "# Fees\n\nShipping costs 4 euros.");
});

afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  writeFileSync(join(folder, "docs", name), text);
}

const context = () => ({
  baseDir: folder,
  projectDir: folder,
  stateDir: join(folder, ".bridle"),
  environment: {},
  logger: silentLogger,
});

async function open(config: object = {}, services: ToolServices = {}): Promise<AnyTool> {
  const given = documentsToolConfig.parse({ type: "documents", name: "handbook", source: "docs", ...config });
  const tools = await openDocumentsTool(given, { ...context(), services });
  opened.push(tools);
  const [tool] = tools.tools;
  if (!tool) throw new Error("There is no tool.");
  return tool;
}

async function search(tool: AnyTool, input: { query: string; top_k?: number }, runId = "run"): Promise<ToolOutput> {
  const context = {
    signal: new AbortController().signal,
    runId,
    callId: "call",
    projectDir: folder,
    environment: {},
    logger: silentLogger,
    progress() {},
  };
  const output = await tool.execute(input, context);
  return typeof output === "string" ? { markdown: output } : output;
}

/** Creates vectors that are close for texts which share words from the list. */
function embedder(model = "small"): Embedder {
  const words = ["back", "30", "cost", "euros", "fee"];
  return {
    id: "test",
    model,
    account: "test",
    async embed(texts) {
      const vectors = texts.map((text) => Float32Array.from(words, (word) => (text.includes(word) ? 1 : 0.01)));
      return { vectors, usage: { inputTokens: 0 } };
    },
    async close() {},
  };
}

describe("a documents tool", () => {
  test("returns the matching parts with their positions, as text for the model and as data for programs", async () => {
    const tool = await open();
    expect(tool).toMatchObject({
      name: "handbook",
      description: "Search these documents: docs.",
      annotations: { readOnly: true },
    });
    const { markdown, structured } = await search(tool, { query: "send back" });
    expect(markdown).toMatch(
      /^\[1\] docs\/returns\.md:1-5 \(score 0\.\d\d\)\nUnder: Orders > Returns\n\n# Orders\n\n## Returns\n\nSend it back within 30 days\.$/,
    );
    expect(structured).toMatchObject({
      hits: [{ source: "docs/returns.md", headings: ["Orders", "Returns"], lines: { from: 1, to: 5 } }],
    });
    expect(await search(tool, { query: "zebra" })).toEqual({
      markdown: "Nothing was found.",
      structured: { hits: [] },
    });
  });

  test("updates its index in the first search of each run, and stores it in the project", async () => {
    const tool = await open();
    expect((await search(tool, { query: "gift" })).structured).toEqual({ hits: [] });
    put("gifts.md", "A gift is wrapped.");
    expect((await search(tool, { query: "gift" })).structured).toEqual({ hits: [] });
    expect((await search(tool, { query: "gift" }, "next run")).markdown).toContain("docs/gifts.md:1 ");
    expect(readdirSync(join(folder, ".bridle/documents")).filter((name) => name.endsWith(".db"))).toEqual([
      expect.stringMatching(/^handbook-[0-9a-f]{8}\.db$/),
    ]);
  });

  test("reports files that cannot be read once, and searches the others", async () => {
    put("broken.json", "{");
    const tool = await open();
    const first = await search(tool, { query: "shipping" });
    expect(first.markdown).toContain("docs/fees.md");
    expect(first.markdown).toMatch(
      /These files were not searched\. Mention it to the user if it matters:\n- docs\/broken\.json is not valid JSON \(line \d+, column \d+\)\. Correct it\.$/,
    );
    expect((await search(tool, { query: "shipping" }, "next run")).markdown).not.toContain("broken");
  });

  test("has an index for each list of sources, even if two agents use one tool name", async () => {
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/a.md"), "shipping of others");
    const [one, two] = [await open(), await open({ source: ["other"] })];
    expect((await search(one, { query: "shipping" })).markdown).toContain("docs/fees.md");
    expect((await search(two, { query: "shipping" })).markdown).not.toContain("docs/fees.md");
    expect((await search(one, { query: "shipping" }, "next")).markdown).toContain("docs/fees.md");
  });

  test("searches by meaning with the model that the file names", async () => {
    const asked: object[] = [];
    const createEmbedder = async (choice: object) => {
      asked.push(choice);
      return embedder();
    };
    const tool = await open(
      { type: "vectorstore", embedding_model: "large", embedding_dimensions: 5 },
      { createEmbedder },
    );
    expect(asked).toEqual([{ model: "large", dimensions: 5 }]);
    expect((await search(tool, { query: "what is the fee in euros?" })).markdown).toMatch(/^\[1\] docs\/fees\.md/);
  });

  test.each(["semantic", "hybrid"])("refuses a %s search without embeddings when it is opened", async (search_mode) => {
    const error = await open({ search_mode }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toContain(
      `The documents handbook have search_mode ${search_mode}, which needs vectors, but no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
    );
    await expect(open({ search_mode }, { createEmbedder: async () => undefined })).rejects.toThrow(ConfigError);
  });

  test("fails with the reason if the model of an index has changed or an embedding fails", async () => {
    await search(await open({ search_mode: "semantic" }, { createEmbedder: async () => embedder() }), { query: "fee" });
    const other = await open({ search_mode: "semantic" }, { createEmbedder: async () => embedder("other") });
    await expect(search(other, { query: "fee" })).rejects.toThrow(
      "The index was made with test small (5 dimensions), which cannot be compared with vectors of test other. Use that model again, or build the index again: bridle documents index --rebuild.",
    );
    const broken = { ...embedder(), embed: () => Promise.reject(new Error("The host is down.")) };
    const failing = await open(
      { search_mode: "semantic", source: "docs/*.md" },
      { createEmbedder: async () => broken },
    );
    await expect(search(failing, { query: "fee" })).rejects.toThrow("The host is down.");
  });

  test("describes parts with a model that gets no tools if contextual_embeddings is set", async () => {
    const requests: object[] = [];
    const runtime = () => ({
      async generateText(request: object) {
        requests.push(request);
        return { runId: "r", text: " About postage and its price. ", usage: noUsage };
      },
    });
    const tool = await open({ contextual_embeddings: true, context_max_tokens: 20 }, { runtime });
    expect((await search(tool, { query: "postage" })).markdown).toContain("docs/fees.md");
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ role: "contextualise", prompt: expect.stringContaining("<passage headings=") });
    expect(requests[0]).not.toHaveProperty("tools");
    await search(tool, { query: "postage" }, "next run");
    expect(requests).toHaveLength(2);
    const alone = await open({ contextual_embeddings: true, source: "docs/*.md" });
    await expect(search(alone, { query: "postage" })).rejects.toThrow(
      "but no model is set. Open them with their agent.",
    );
  });

  test("applies the length of parts, the number of results and the minimum score of the file", async () => {
    put("long.md", `# Long\n\n${"A sentence about parcels. ".repeat(100)}`);
    const tool = await open({ chunk_size: 60, top_k: 3, min_score: 0.01 });
    expect((await search(tool, { query: "parcels" })).structured).toMatchObject({ hits: { length: 3 } });
    expect((await search(tool, { query: "parcels", top_k: 2 })).structured).toMatchObject({ hits: { length: 2 } });
    const strict = await open({ min_similarity_score: 1 });
    expect((await search(strict, { query: "parcels" })).structured).toEqual({ hits: [] });
  });

  test.each<[object, readonly (readonly [string, number])[]]>([
    [
      { semantic_weight: 0 },
      [
        ["fees", 1],
        ["returns", 0],
      ],
    ],
    [
      { keyword_weight: 0 },
      [
        ["returns", 1],
        ["fees", 61 / 62],
      ],
    ],
    [
      { keyword_weight: 0, rrf_k: 1 },
      [
        ["returns", 1],
        ["fees", 2 / 3],
      ],
    ],
  ])("weighs both halves of a hybrid search as %j", async (weights, scores) => {
    const tool = await open({ search_mode: "hybrid", ...weights }, { createEmbedder: async () => embedder() });
    const { structured } = await search(tool, { query: "Shipping of comebacks" }); // `fees` is found by words, `returns` by meaning
    expect(structured).toMatchObject({
      hits: scores.map(([name, score]) => ({ source: `docs/${name}.md`, score: expect.closeTo(score, 9) })),
    });
  });

  test("applies the limits of the file: length of parts, overlap and file size", async () => {
    put("long.md", `# Long\n\n${"A sentence about parcels. ".repeat(100)}`);
    const lengths = async (config: object) => {
      const tool = await open({ source: "docs/long.md", top_k: 100, database: "embedded", ...config });
      const { structured } = await search(tool, { query: "parcels" }, JSON.stringify(config));
      return Object(structured).hits.map(({ text }: { text: string }) => text.length) as number[];
    };
    const [whole, cut] = [await lengths({}), await lengths({ max_chunk_tokens: 60 })];
    expect(cut.length).toBeGreaterThan(whole.length);
    const total = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);
    expect(total(await lengths({ max_chunk_tokens: 60, chunk_overlap: 20 }))).toBeGreaterThan(total(cut));
    const tool = await open({ max_file_mb: 0.001 });
    expect((await search(tool, { query: "parcels" })).markdown).toMatch(
      /docs\/long\.md has 0\.\d+ MB, more than the limit of 0\.001 MB\./,
    );
  });

  test("applies the limits of the file for descriptions: their length and how many run in parallel", async () => {
    for (const name of ["a", "b", "c"]) put(`${name}.md`, `# ${name}\n\nOne.\n\n# Two\n\nTwo.\n\n# Three\n\nThree.`);
    let [now, max] = [0, 0];
    const runtime = () => ({
      async generateText() {
        max = Math.max(max, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return { runId: "r", text: `early ${"x".repeat(100)} late`, usage: noUsage };
      },
    });
    const source = "docs/a.md";
    const config = { source, contextual_embeddings: true, context_max_tokens: 20, context_concurrency: 2 };
    const tool = await open(config, { runtime });
    expect((await search(tool, { query: "early" })).structured).toMatchObject({ hits: [{ source }, {}, {}] });
    expect((await search(tool, { query: "late" })).structured).toEqual({ hits: [] });
    expect(max).toBe(2);
  });

  test("indexes the fields of records that the file names", async () => {
    writeFileSync(
      join(folder, "orders.json"),
      JSON.stringify({ data: { items: [{ id: "A-1", note: "late", secret: "hidden" }] } }),
    );
    const tool = await open({
      source: "orders.json",
      record_path: "data.items",
      vector_field: "note",
      meta_fields: ["id"],
      record_prefix: "order ",
      meta_prefix: "its ",
    });
    expect((await search(tool, { query: "late" })).markdown).toMatch(/\n\norder note: late\nits id: A-1$/);
    expect((await search(tool, { query: "hidden" })).structured).toEqual({ hits: [] });
  });

  test("begins a record with its id_field, and joins fields with field_separator", async () => {
    writeFileSync(
      join(folder, "faq.json"),
      JSON.stringify([{ question: "How?", answer: "So.", key: "q-1", other: "x" }]),
    );
    const records = { id_field: "key", vector_field: ["question", "answer"], field_separator: " | " };
    const json = await open({ source: "faq.json", ...records });
    expect((await search(json, { query: "So" })).markdown).toMatch(/\n\nkey: q-1 \| question: How\? \| answer: So\.$/);
    writeFileSync(join(folder, "faq.csv"), "question,key,answer\nWhy?,q-2,Because.\n");
    const csv = await open({ source: "faq.csv", id_field: "key" });
    expect((await search(csv, { query: "Because" })).markdown).toMatch(
      /\n\nkey: q-2\nquestion: Why\?\nanswer: Because\.$/,
    );
  });

  test("describes passages with its context_model, which is closed with it, and in a rehearsal with the agent's model", async () => {
    put("one.md", "# A\n\nSome text.");
    const asked: string[] = [];
    const generator = (who: string) => ({
      async generateText() {
        asked.push(who);
        return { runId: "r", text: "described", usage: noUsage };
      },
      async close() {
        asked.push("closed");
      },
    });
    const services = { runtime: () => generator("agent"), openGenerator: () => generator("own") };
    const config = documentsToolConfig.parse({
      type: "documents",
      name: "handbook",
      source: "docs/one.md",
      contextual_embeddings: true,
      context_model: { provider: "ollama", name: "m" },
    });
    const documents = await openAgentDocuments(config, { ...context(), services });
    await documents.update();
    await documents.close();
    expect(asked).toEqual(["own", "closed"]);
    const rehearsed = await openAgentDocuments(config, {
      ...context(),
      stateDir: join(folder, "state"),
      services,
      isRehearsed: true,
    });
    await rehearsed.update();
    await rehearsed.close();
    expect(asked).toEqual(["own", "closed", "agent"]);
  });

  test("uses the configured database, and names it without the password if it cannot be reached", async () => {
    const database = { provider: "postgres", connection_string: "postgresql://me:hunter2@127.0.0.1:1/shop" };
    const error = await open({ database }).catch(String);
    expect(error).toMatch(/The index handbook-\w+ in PostgreSQL \(127\.0\.0\.1:1\/shop\) cannot be used/);
    expect(error).not.toContain("hunter2");
  });
});

describe("the configuration of a documents tool", () => {
  test.each<readonly [object, string, string]>([
    [{ search_mode: "exact" }, "search_mode", "is not supported as exact: a keyword search finds names"],
    [{ exact_weight: 0.2 }, "exact_weight", "Add the weight to keyword_weight."],
    [
      { chunking_strategy: "token" },
      "chunking_strategy",
      "can only be structure: documents are split at their headings",
    ],
    [{ enable_reranking: true }, "enable_reranking", "set search_mode: hybrid and a larger top_k"],
    [{ reranker_model: {} }, "reranker_model", "there is no reranking. Remove it."],
    [{ document_domain: "academic" }, "document_domain", "can only be none"],
    [{ max_subsection_depth: 2 }, "max_subsection_depth", "Remove it."],
    [{ extract_definitions: true }, "extract_definitions", "definitions are found like any other text"],
    [{ extract_cross_references: true }, "extract_cross_references", "can search for the referenced text"],
    [{ defer_loading: true }, "defer_loading", "every tool is available from the start"],
    [
      { database: { provider: "qdrant", connection_string: "x" } },
      "database",
      "has to be embedded, the name of a store, or a mapping. Write database: embedded, and",
    ],
    [
      { keyword_index: { provider: "opensearch" } },
      "keyword_index.provider",
      "the keyword index is stored with the rest of the index",
    ],
    [{ chunk_size: 100, max_chunk_tokens: 100 }, "chunk_size", "is another name for max_chunk_tokens"],
    [{ min_score: 0.1, min_similarity_score: 0.1 }, "min_similarity_score", "is another name for min_score"],
    [
      { search_mode: "hybrid", semantic_weight: 0, keyword_weight: 0 },
      "semantic_weight",
      "and keyword_weight are both 0",
    ],
    [{ semantic_weight: 0.4 }, "semantic_weight", "is only for search_mode: hybrid, but the mode is keyword."],
    [{ type: "vectorstore", rrf_k: 60 }, "rrf_k", "is only for search_mode: hybrid, but the mode is semantic."],
    [{ chunk_overlap: 800 }, "chunk_overlap", "must be less than the length of a passage, which is 800."],
    [{ context_max_tokens: 100 }, "context_max_tokens", "is only for contextual_embeddings: true."],
    [{ context_concurrency: 4 }, "context_concurrency", "is only for contextual_embeddings: true."],
    [{ embedding_model: "m" }, "embedding_model", "has no effect with search_mode: keyword"],
    [{ embedding_dimensions: 5 }, "embedding_dimensions", "has no effect with search_mode: keyword"],
    [{ meta_prefix: "m." }, "meta_prefix", "is only for meta_fields, which are missing."],
  ])("%j is refused with a remedy", (given, field, message) => {
    const base = { type: "documents", name: "handbook", source: "docs" };
    const issues = documentsToolConfig.safeParse({ ...base, ...given }).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path.join("."), issue.message])).toContainEqual([
      field,
      expect.stringContaining(message),
    ]);
  });

  test("fields that only state the default behaviour are accepted", () => {
    const said = {
      chunking_strategy: "structure",
      enable_reranking: false,
      document_domain: "none",
      defer_loading: false,
      extract_definitions: false,
      extract_cross_references: false,
      keyword_index: { provider: "in-memory" },
      database: "embedded",
      max_file_mb: 10,
    };
    const base = { type: "hierarchical_document", name: "handbook", source: ["docs"] };
    expect(documentsToolConfig.safeParse({ ...base, ...said }).success).toBe(true);
  });
});
