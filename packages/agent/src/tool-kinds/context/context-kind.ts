import type { ToolKind } from "@bridle/protocol";
import { checkNamedConnections } from "./check-connections.ts";
import { contextToolConfig } from "./context-config.ts";
import { hasContext } from "./context-services.ts";

export const contextKind: ToolKind<typeof contextToolConfig> = {
  type: "context",
  summary: "Databases, with tools that search tables and joins, describe them and run read-only SQL.",
  schema: contextToolConfig,
  example: { type: "context", connections: ["warehouse"] },
  describe: ({ connections = ["all connections"] }) => `databases: ${connections.join(", ")}`,
  names: ({ knowledge, remember }) => [
    ...(knowledge === "structure"
      ? ["describe", "run_sql"]
      : ["search_context", "describe", "read_page", "query_metrics", "run_sql", "find_value"]),
    ...(remember === undefined ? [] : ["remember"]),
  ],
  retrieval: () => "text",
  effects: ({ connections = ["all connections of bridle.yaml"] }) =>
    connections.map((name) => ({ kind: "reads", subject: `the database ${name}` })),
  check: (config, { services }) => {
    if (hasContext(services)) checkNamedConnections(config, services.connectionNames);
  },
  async open(config, context) {
    const { openContextTools } = await import("./open-context-tools.ts");
    return openContextTools(config, context);
  },
};
