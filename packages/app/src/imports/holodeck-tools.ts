/** Rules for `tools` in HoloDeck files. */
import { isPlainObject } from "@bridle/protocol";
import type { YamlEdits } from "./yaml-edits.ts";

type Path = readonly (string | number)[];

/** Changes the tools. `stores` contains the stores in HoloDeck's `config.yaml`, by name. */
export function importTools(file: YamlEdits, stores: Readonly<Record<string, unknown>>): void {
  for (const path of file.find(["tools", "*"])) {
    const tool = file.get(path);
    if (!isPlainObject(tool)) continue;
    if (tool.type === "mcp") importServer(file, path, tool);
    if (tool.type === "function" && tool.annotations === undefined) {
      file.set(
        [...path, "annotations"],
        {},
        unknownEffects,
        "To fill in, for bridle test: read_only: true, if a call changes nothing.",
      );
    }
    if (tool.type === "vectorstore" || tool.type === "hierarchical_document") importDocuments(file, path, tool, stores);
    if (tool.defer_loading !== undefined) {
      file.remove([...path, "defer_loading"], "every tool is available from the start.");
    }
  }
}

const unknownEffects =
  "HoloDeck does not declare whether a call changes anything, so bridle test denies its calls. Write read_only: true if it changes nothing, or destructive: false if it removes nothing for good. bridle test --allow-side-effects runs all calls.";

function importServer(file: YamlEdits, path: Path, server: Record<string, unknown>): void {
  const rule = (key: string, isFitting: boolean, reason: string) => {
    if (server[key] !== undefined && !isFitting) file.remove([...path, key], reason);
  };
  rule("server", false, "Bridle has no list of servers; command and args, or url, start one.");
  rule("registry_name", false, "Bridle reads no registry.");
  rule("load_prompts", server.load_prompts === false, "Bridle uses only the tools of a server, and not its prompts.");
  rule("encoding", /^utf-?8$/i.test(String(server.encoding)), "the protocol requires UTF-8.");
  const { sse_read_timeout: read, request_timeout: request } = server;
  rule("sse_read_timeout", false, "request_timeout limits calls on every transport.");
  if (typeof read === "number" && request === undefined) {
    file.set([...path, "request_timeout"], read, "it takes the value of sse_read_timeout.");
  }
  importToolFilter(file, path, server);
}

/** Moves the names of the server's tools from `config`, where HoloDeck's OpenAI backend reads them, to `tools`. */
function importToolFilter(file: YamlEdits, path: Path, { config, tools }: Record<string, unknown>): void {
  if (!isPlainObject(config) || tools !== undefined) return;
  const { allowed_tools: allowed, ...others } = config;
  if (!Array.isArray(allowed) || allowed.length === 0) return;
  const reason = "the tools that the agent gets from a server are named in tools.";
  file.remove(Object.keys(others).length === 0 ? [...path, "config"] : [...path, "config", "allowed_tools"], reason);
  file.set([...path, "tools"], allowed, reason);
}

/** HoloDeck keys that the import removes with this reason, unless the value is one of `fitting`. */
const unsupported: readonly (readonly [key: string, fitting: readonly unknown[], reason: string])[] = [
  ["chunking_strategy", ["structure"], "documents are split at their headings, and long sections by length."],
  ["document_domain", ["none"], "documents are split at their headings, whatever their domain."],
  ["max_subsection_depth", [], "documents are split at every heading."],
  ["extract_definitions", [false], "definitions are found like any other text."],
  ["extract_cross_references", [false], "the model can search for the referenced text."],
  ["enable_reranking", [false], "there is no reranking. A larger top_k lets the agent's model choose."],
  ["reranker_model", [], "there is no reranking."],
  ["keyword_index", [], "the keyword index is stored with the rest of the index."],
  ["delimiter", [], "the delimiter of a CSV file is detected."],
];

function importDocuments(
  file: YamlEdits,
  path: Path,
  tool: Record<string, unknown>,
  stores: Readonly<Record<string, unknown>>,
): void {
  importSource(file, path, tool.source);
  importDatabase(file, path, tool.database, stores);
  for (const [key, fitting, reason] of unsupported) {
    if (tool[key] !== undefined && !fitting.includes(tool[key])) file.remove([...path, key], reason);
  }
  importWeights(file, path, tool);
  if (tool.search_mode === "exact") {
    file.set([...path, "search_mode"], "keyword", "a keyword search finds names and numbers as they are written.");
  }
  if (tool.contextual_embeddings !== true) {
    for (const key of ["context_model", "context_max_tokens", "context_concurrency"]) {
      if (tool[key] !== undefined) file.remove([...path, key], "it is only for contextual_embeddings: true.");
    }
  }
  if (tool.search_mode === "keyword" || tool.search_mode === "exact") {
    for (const key of ["embedding_model", "embedding_dimensions"]) {
      if (tool[key] !== undefined) file.remove([...path, key], "a search for words needs no vectors.");
    }
  }
}

/** Replaces an address such as `s3://bucket/faq/returns.pdf` with the path of a local file. */
function importSource(file: YamlEdits, path: Path, source: unknown): void {
  const [, name] = /^[a-z][a-z0-9+.-]+:\/\/[^?#]*?([^/?#]+)\/?(?:[?#]|$)/i.exec(String(source)) ?? [];
  if (name === undefined) return;
  file.set([...path, "source"], `data/${name}`, "Bridle downloads nothing. Download the source to this path.");
}

const rebuilt = "Bridle has no such store. The index is built again from its sources, in a file of the project.";

function importDatabase(file: YamlEdits, path: Path, given: unknown, stores: Readonly<Record<string, unknown>>): void {
  const at = [...path, "database"];
  if (given === undefined || given === "embedded") return;
  if (given === null) {
    file.remove(at, "the default is the embedded store.");
    return;
  }
  const store = typeof given === "string" ? stores[given] : given;
  if (!isPlainObject(store) || store.provider !== "postgres" || typeof store.connection_string !== "string") {
    file.set(at, "embedded", rebuilt);
    return;
  }
  if (typeof given === "string") return;
  for (const key of Object.keys(store).filter((each) => each !== "provider" && each !== "connection_string")) {
    file.remove([...at, key], "Bridle creates its own tables.");
  }
}

function importWeights(file: YamlEdits, path: Path, tool: Record<string, unknown>): void {
  const { exact_weight: exact, keyword_weight: keyword, type, search_mode: mode } = tool;
  if (typeof exact === "number" && exact > 0) {
    file.remove([...path, "exact_weight"], "a keyword search finds names and numbers as they are written.");
    const sum = Math.min(1, Number(((typeof keyword === "number" ? keyword : 0) + exact).toFixed(6)));
    file.set([...path, "keyword_weight"], sum, "it takes the weight of exact_weight.");
  }
  if (mode === "hybrid" || (mode === undefined && type === "hierarchical_document")) return;
  for (const key of ["semantic_weight", "keyword_weight", "rrf_k"]) {
    if (file.has([...path, key])) file.remove([...path, key], "it is only for search_mode: hybrid.");
  }
}
