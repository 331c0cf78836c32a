import { startBoundaryError } from "@bridle/host-shared";
import { BoundaryError, type ConversationSpec, defaultPromptCaching } from "@bridle/protocol";
import { expect, test } from "vitest";
import type { Init } from "../messages/messages.ts";
import type { ClaudeAuthMode } from "../options.ts";
import { boundaryDifferences } from "./init-check.ts";

const look = { name: "look", description: "Looks.", inputSchema: { type: "object" as const }, annotations: {} };

function compare(
  init: Partial<Init>,
  parts: Partial<ConversationSpec> = {},
  auth: ClaudeAuthMode = "session",
): string[] {
  const spec: ConversationSpec = {
    model: "sonnet",
    system: { static: "", dynamic: "" },
    tools: [look],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: "/",
    ...parts,
  };
  const asAsked: Init = {
    type: "system",
    subtype: "init",
    tools: ["mcp__bridle__look"],
    mcp_servers: [{ name: "bridle", status: "connected" }],
    plugins: [],
    apiKeySource: "none",
    claude_code_version: "2.1.330",
  };
  return boundaryDifferences({ ...asAsked, ...init }, spec, auth);
}

test("a host that started as configured has no differences", () => {
  expect(compare({})).toEqual([]);
  expect(compare({ tools: [], mcp_servers: [] }, { tools: [] })).toEqual([]);
  expect(compare({ tools: ["mcp__bridle__look", "Read"] }, { builtins: ["Read"] })).toEqual([]);
  expect(compare({ tools: ["StructuredOutput", "mcp__bridle__look"] }, { outputSchema: { type: "object" } })).toEqual(
    [],
  );
});

test("names of commands, skills and agents are not compared", () => {
  expect(compare({ slash_commands: ["/deploy"], skills: ["cook"], agents: ["Explore"] })).toEqual([]);
});

test.each<[string, Partial<Init>, string]>([
  ["an additional tool", { tools: ["mcp__bridle__look", "Bash"] }, "tool Bash was not passed"],
  ["a missing tool", { tools: [] }, "tool mcp__bridle__look is missing"],
  [
    "structured output that was not requested",
    { tools: ["mcp__bridle__look", "StructuredOutput"] },
    "tool StructuredOutput was not passed",
  ],
  [
    "an additional server",
    {
      mcp_servers: [
        { name: "bridle", status: "connected" },
        { name: "users", status: "connected" },
      ],
    },
    "MCP server users was not passed",
  ],
  ["a missing server", { mcp_servers: [] }, "MCP server bridle is missing"],
  ["a server that failed", { mcp_servers: [{ name: "bridle", status: "failed" }] }, "MCP server bridle is failed"],
  ["a plugin", { plugins: [{ name: "helper", path: "/x" }] }, "plugin helper is loaded"],
  [
    "credentials from elsewhere",
    { apiKeySource: "ANTHROPIC_API_KEY" },
    "credentials come from ANTHROPIC_API_KEY, not from auth: session",
  ],
  ["an old host", { claude_code_version: "2.1.247" }, "Claude Code is 2.1.247, older than 2.1.248"],
])("%s is a difference", (_kind, init, difference) => {
  expect(compare(init)).toEqual([difference]);
});

test("the error contains all differences", () => {
  const differences = compare({ tools: ["Bash"], plugins: [{ name: "helper" }] });
  expect(differences).toHaveLength(3);
  const error = startBoundaryError("Claude Code", differences);
  expect(error).toBeInstanceOf(BoundaryError);
  expect(error.differences).toEqual(differences);
  for (const difference of differences) expect(error.message).toContain(difference);
});
