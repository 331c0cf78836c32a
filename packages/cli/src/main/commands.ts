import type { CommandEntry } from "../command/command.ts";
import { contextCommands } from "./context-commands.ts";

/** All commands. Each is loaded only when it is used. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "Create a project with an agent that is ready to run",
    load: async () => (await import("../commands/init/init.ts")).initCommand,
  },
  {
    name: "run",
    summary: "Run an agent with a prompt",
    load: async () => (await import("../commands/run/run.ts")).runCommand,
  },
  {
    name: "chat",
    summary: "Chat with an agent on a terminal or through a pipe",
    load: async () => (await import("../commands/chat/chat.ts")).chatCommand,
  },
  {
    name: "test",
    summary: "Run the test cases of an agent",
    load: async () => (await import("../commands/test/test.ts")).testCommand,
  },
  {
    name: "test history",
    summary: "List test runs, and the results of each case over time",
    load: async () => (await import("../commands/test/test-history.ts")).testHistoryCommand,
  },
  {
    name: "test show",
    summary: "Show the results of a test run, or of one case in full",
    load: async () => (await import("../commands/test/test-show.ts")).testShowCommand,
  },
  {
    name: "test compare",
    summary: "Compare two test runs",
    load: async () => (await import("../commands/test/test-compare.ts")).testCompareCommand,
  },
  {
    name: "record",
    summary: "Run an agent and record the model's answers to a cassette",
    load: async () => (await import("../commands/rehearsal/record.ts")).recordCommand,
  },
  {
    name: "rehearse",
    summary: "Serve a script or a cassette to any program in place of a model",
    load: async () => (await import("../commands/rehearsal/rehearse.ts")).rehearseCommand,
  },
  {
    name: "serve",
    summary: "Serve agents over HTTP to browsers, editors and programs",
    load: async () => (await import("../commands/serve/serve.ts")).serveCommand,
  },
  {
    name: "web",
    summary: "Serve agents and open their page in the browser",
    load: async () => (await import("../commands/web/web.ts")).webCommand,
  },
  {
    name: "acp",
    summary: "Serve agents to an editor, such as Zed, over the Agent Client Protocol",
    load: async () => (await import("../commands/acp/acp.ts")).acpCommand,
  },
  {
    name: "mcp",
    summary: "Serve the tools of an agent to MCP clients",
    load: async () => (await import("../commands/mcp/mcp-serve.ts")).mcpServeCommand,
  },
  {
    name: "mcp install",
    summary: "Add the tools of an agent to an MCP client, or remove them",
    load: async () => (await import("../commands/mcp/mcp-install.ts")).mcpInstallCommand,
  },
  {
    name: "status",
    summary: "Show the settings in use and degraded features, without calling a model",
    load: async () => (await import("../commands/status/status.ts")).statusCommand,
  },
  {
    name: "models",
    summary: "List the models of the backend with aliases, context windows and prices",
    load: async () => (await import("../commands/status/models.ts")).modelsCommand,
  },
  {
    name: "doctor",
    summary: "Check the requirements of a run and suggest a remedy for each problem",
    load: async () => (await import("../commands/status/doctor.ts")).doctorCommand,
  },
  {
    name: "sessions list",
    isDefault: true,
    summary: "List sessions, newest first",
    load: async () => (await import("../commands/sessions/sessions-list.ts")).sessionsListCommand,
  },
  {
    name: "sessions show",
    summary: "Show the conversation, tool calls and totals of a session",
    load: async () => (await import("../commands/sessions/sessions-show.ts")).sessionsShowCommand,
  },
  {
    name: "sessions resume",
    summary: "Resume a session with a prompt",
    load: async () => (await import("../commands/sessions/sessions-resume.ts")).sessionsResumeCommand,
  },
  {
    name: "sessions fork",
    summary: "Start a session with the history of another",
    load: async () => (await import("../commands/sessions/sessions-fork.ts")).sessionsForkCommand,
  },
  {
    name: "sessions rm",
    summary: "Remove sessions",
    load: async () => (await import("../commands/sessions/sessions-rm.ts")).sessionsRmCommand,
  },
  {
    name: "events",
    summary: "Show the events of a run or session, even while it is in progress",
    load: async () => (await import("../commands/events/events.ts")).eventsCommand,
  },
  {
    name: "replay",
    summary: "Replay a run as it happened",
    load: async () => (await import("../commands/events/replay.ts")).replayCommand,
  },
  {
    name: "bundle",
    summary: "Export a run to a single file, without credentials",
    load: async () => (await import("../commands/bundle/bundle.ts")).bundleCommand,
  },
  {
    name: "approvals list",
    isDefault: true,
    summary: "List the tool calls that are waiting for approval",
    load: async () => (await import("../commands/approvals/approvals-list.ts")).approvalsListCommand,
  },
  {
    name: "approvals answer",
    summary: "Allow or deny a waiting call from any process, even after a crash",
    load: async () => (await import("../commands/approvals/approvals-answer.ts")).approvalsAnswerCommand,
  },
  {
    name: "permissions list",
    isDefault: true,
    summary: "List the remembered answers to approval questions",
    load: async () => (await import("../commands/permissions/permissions-list.ts")).permissionsListCommand,
  },
  {
    name: "permissions remove",
    summary: "Remove a remembered answer",
    load: async () => (await import("../commands/permissions/permissions-remove.ts")).permissionsRemoveCommand,
  },
  {
    name: "documents index",
    summary: "Update the index of an agent's documents",
    load: async () => (await import("../commands/documents/documents-index.ts")).documentsIndexCommand,
  },
  {
    name: "documents search",
    summary: "Search an agent's documents as its model would",
    load: async () => (await import("../commands/documents/documents-search.ts")).documentsSearchCommand,
  },
  {
    name: "documents status",
    isDefault: true,
    summary: "Show the state and location of an agent's document indexes",
    load: async () => (await import("../commands/documents/documents-status.ts")).documentsStatusCommand,
  },
  ...contextCommands,
  {
    name: "trust",
    summary: "Trust a folder to run programs, send data and read variables",
    load: async () => (await import("../commands/trust/trust.ts")).trustCommand,
  },
  {
    name: "demo",
    summary: "Watch an agent work with a real database, without a login",
    load: async () => (await import("../commands/demo/demo.ts")).demoCommand,
  },
  {
    name: "agent validate",
    summary: "Check an agent file and report each problem with its position",
    load: async () => (await import("../commands/agent/agent-validate.ts")).agentValidateCommand,
  },
  {
    name: "agent show",
    summary: "Show an agent's model, tools, rules and instructions",
    load: async () => (await import("../commands/agent/agent-show.ts")).agentShowCommand,
  },
  {
    name: "agent schema",
    summary: "Print the JSON Schema of an agent file",
    load: async () => (await import("../commands/agent/agent-schema.ts")).agentSchemaCommand,
  },
  {
    name: "agent import",
    summary: "Convert a HoloDeck agent, or check which files in a folder can be converted",
    load: async () => (await import("../commands/agent/agent-import.ts")).agentImportCommand,
  },
  {
    name: "config schema",
    summary: "Print the JSON Schema of bridle.yaml",
    load: async () => (await import("../commands/status/config-schema.ts")).configSchemaCommand,
  },
];
