import type { AnyTool } from "@bridle/protocol";
import { describeTableTool } from "./describe-tool.ts";
import { queryMetricsTool } from "./query-metrics.ts";
import { readPageTool } from "./read-page-tool.ts";
import { runSqlTool } from "./run-sql.ts";
import { searchContextTool } from "./search-context.ts";
import { ToolBase } from "./tool-base.ts";
import type { ContextToolsOptions } from "./tool-options.ts";
import { findValueTool } from "./values/find-value.ts";

/** The knowledge of an agent: everything, or only the structure that the database itself declares, for comparison. */
export type KnownToAgent = "all" | "structure";

/**
 * Creates the tools for an agent that knows only the structure: `describe` and `run_sql`. `options.knowledge` must contain only the
 * declared structure.
 */
export function createStructureTools(options: ContextToolsOptions): readonly AnyTool[] {
  const base = new ToolBase(options);
  return [describeTableTool(base), runSqlTool(base)];
}

/**
 * Creates the tools with which one caller's agent reads warehouses: `search_context`, `describe`, `run_sql`, `find_value`, `query_metrics`
 * if the project has models, and `read_page` if it has pages. The tools only read. Every reply stays within its token limit and omits
 * everything that the caller may not see.
 */
export function createContextTools(options: ContextToolsOptions): readonly AnyTool[] {
  const base = new ToolBase(options);
  const metrics = options.metrics === undefined ? [] : [queryMetricsTool(base, options.metrics)];
  const pages = options.wiki === undefined ? [] : [readPageTool(base, options.wiki)];
  return [
    searchContextTool(base),
    describeTableTool(base),
    ...pages,
    ...metrics,
    runSqlTool(base),
    findValueTool(base),
  ];
}
