import type { CommandEntry } from "../command/command.ts";

/** The commands for warehouses. */
export const contextCommands: readonly CommandEntry[] = [
  {
    name: "context init",
    summary: "Find databases and add them to bridle.yaml",
    load: async () => (await import("../commands/context/context-init.ts")).contextInitCommand,
  },
  {
    name: "context scan",
    summary: "Scan warehouses for tables, value profiles, keys and joins",
    load: async () => (await import("../commands/context/context-scan.ts")).contextScanCommand,
  },
  {
    name: "context ingest",
    summary: "Turn documents and tools into pages, models and notes, with sources",
    load: async () => (await import("../commands/context/ingest/context-ingest.ts")).contextIngestCommand,
  },
  {
    name: "context status",
    isDefault: true,
    summary: "Show the state of the connections and sources",
    load: async () => (await import("../commands/context/context-status.ts")).contextStatusCommand,
  },
  {
    name: "context show",
    summary: "Show a table with its columns, key, descriptions and joins",
    load: async () => (await import("../commands/context/context-show.ts")).contextShowCommand,
  },
  {
    name: "context search",
    summary: "Search tables, columns, values, joins, metrics and pages by keyword",
    load: async () => (await import("../commands/context/context-search.ts")).contextSearchCommand,
  },
  {
    name: "context joins",
    summary: "List joins with their evidence, or accept or reject one",
    load: async () => (await import("../commands/context/context-joins.ts")).contextJoinsCommand,
  },
  {
    name: "context joins propose",
    summary: "Ask a model to propose joins, and check them against the data",
    load: async () => (await import("../commands/context/context-joins-propose.ts")).contextJoinsProposeCommand,
  },
  {
    name: "context drift",
    summary: "Show the changes found by the last scan",
    load: async () => (await import("../commands/context/context-drift.ts")).contextDriftCommand,
  },
  {
    name: "context changes",
    summary: "List changes to the context files, with their reasons",
    load: async () => (await import("../commands/context/context-changes.ts")).contextChangesCommand,
  },
  {
    name: "context wiki list",
    summary: "List the pages about the data",
    load: async () => (await import("../commands/knowledge/wiki-list.ts")).wikiListCommand,
  },
  {
    name: "context wiki read",
    summary: "Show a page with its sources",
    load: async () => (await import("../commands/knowledge/wiki-read.ts")).wikiReadCommand,
  },
  {
    name: "context wiki search",
    summary: "Search pages by keyword",
    load: async () => (await import("../commands/knowledge/wiki-search.ts")).wikiSearchCommand,
  },
  {
    name: "context wiki lint",
    summary: "Check pages for broken links, unknown names and missing sources",
    load: async () => (await import("../commands/knowledge/wiki-lint.ts")).wikiLintCommand,
  },
  {
    name: "context why",
    summary: "Show the evidence for a fact: quotes, documents and decisions",
    load: async () => (await import("../commands/knowledge/context-why.ts")).contextWhyCommand,
  },
  {
    name: "context review",
    summary: "Resolve contradictions between statements",
    load: async () => (await import("../commands/knowledge/context-review.ts")).contextReviewCommand,
  },
  {
    name: "context remember",
    summary: "Remember facts about the data",
    load: async () => (await import("../commands/memory/context-remember.ts")).contextRememberCommand,
  },
  {
    name: "context eval",
    summary: "Measure how often an agent answers known questions correctly",
    load: async () => (await import("../commands/context/context-eval.ts")).contextEvalCommand,
  },
  {
    name: "context demo",
    summary: "Watch a scan of a warehouse and a question about it, without a login",
    load: async () => (await import("../commands/context/context-demo.ts")).contextDemoCommand,
  },
  {
    name: "memory list",
    isDefault: true,
    summary: "List remembered facts about the data",
    load: async () => (await import("../commands/memory/memory-list.ts")).memoryListCommand,
  },
  {
    name: "memory show",
    summary: "Show a remembered text with its author and statements",
    load: async () => (await import("../commands/memory/memory-show.ts")).memoryShowCommand,
  },
  {
    name: "memory forget",
    summary: "Forget remembered facts, including those on pages",
    load: async () => (await import("../commands/memory/memory-forget.ts")).memoryForgetCommand,
  },
  {
    name: "metrics list",
    isDefault: true,
    summary: "List the measures and metrics of the project's models",
    load: async () => (await import("../commands/metrics/metrics-list.ts")).metricsListCommand,
  },
  {
    name: "metrics show",
    summary: "Show a model with its measures, dimensions and joins",
    load: async () => (await import("../commands/metrics/metrics-show.ts")).metricsShowCommand,
  },
  {
    name: "metrics propose",
    summary: "Draft models from the scan, with the value of each measure",
    load: async () => (await import("../commands/metrics/metrics-propose.ts")).metricsProposeCommand,
  },
  {
    name: "metrics validate",
    summary: "Check the models against the scan and the data",
    load: async () => (await import("../commands/metrics/metrics-validate.ts")).metricsValidateCommand,
  },
  {
    name: "metrics import",
    summary: "Import models from another tool, such as dbt",
    load: async () => (await import("../commands/metrics/metrics-import.ts")).metricsImportCommand,
  },
  {
    name: "metrics export",
    summary: "Export models to the format of another tool",
    load: async () => (await import("../commands/metrics/metrics-export.ts")).metricsExportCommand,
  },
  {
    name: "query",
    summary: "Compute metrics by dimensions, or explain why there is no correct answer",
    load: async () => (await import("../commands/metrics/query.ts")).queryCommand,
  },
  {
    name: "sql",
    summary: "Run a read-only SQL statement on a warehouse",
    load: async () => (await import("../commands/sql/sql.ts")).sqlCommand,
  },
  {
    name: "ask",
    summary: "Ask an agent a question about your data",
    load: async () => (await import("../commands/ask/ask.ts")).askCommand,
  },
];
