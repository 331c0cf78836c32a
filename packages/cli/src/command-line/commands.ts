import { type CommandEntry } from "./command.ts";

/** Every command. Nothing of one is loaded before it is needed. */
export const commands: readonly CommandEntry[] = [
  {
    name: "init",
    summary: "make a project with an agent that runs at once",
    load: async () => (await import("../commands/init/init.ts")).initCommand,
  },
  {
    name: "run",
    summary: "run an agent: a prompt, and the tools that it may use",
    load: async () => (await import("../commands/run/run.ts")).runCommand,
  },
  {
    name: "chat",
    summary: "talk with an agent, or with the project's model, at a terminal or through a pipe",
    load: async () => (await import("../commands/chat/chat.ts")).chatCommand,
  },
  {
    name: "test",
    summary: "run the test cases of an agent, and judge its answers",
    load: async () => (await import("../commands/test/test.ts")).testCommand,
  },
  {
    name: "test history",
    summary: "the tests that were run, and what became of each case over time",
    load: async () => (await import("../commands/test/test-history.ts")).testHistoryCommand,
  },
  {
    name: "test show",
    summary: "what came of tests, or of one case with all that was said and done",
    load: async () => (await import("../commands/test/test-show.ts")).testShowCommand,
  },
  {
    name: "test compare",
    summary: "what changed between two invocations of tests",
    load: async () => (await import("../commands/test/test-compare.ts")).testCompareCommand,
  },
  {
    name: "record",
    summary: "run an agent, and write what the model said to a cassette",
    load: async () => (await import("../commands/rehearsal/record.ts")).recordCommand,
  },
  {
    name: "rehearse",
    summary: "serve a script or a cassette to any program, in place of a model",
    load: async () => (await import("../commands/rehearsal/rehearse.ts")).rehearseCommand,
  },
  {
    name: "status",
    summary: "what is configured, what will be used, what is degraded; no model is called",
    load: async () => (await import("../commands/status/status.ts")).statusCommand,
  },
  {
    name: "models",
    summary: "the models of the backend, with aliases, context windows and prices",
    load: async () => (await import("../commands/status/models.ts")).modelsCommand,
  },
  {
    name: "doctor",
    summary: "check what a run needs, with a remedy for each fault",
    load: async () => (await import("../commands/status/doctor.ts")).doctorCommand,
  },
  {
    name: "sessions list",
    summary: "the conversations of several runs, the newest first",
    load: async () => (await import("../commands/sessions/sessions-list.ts")).sessionsListCommand,
  },
  {
    name: "sessions show",
    summary: "what was said and done in a session, and what it came to",
    load: async () => (await import("../commands/sessions/sessions-show.ts")).sessionsShowCommand,
  },
  {
    name: "sessions resume",
    summary: "go on with a session on record",
    load: async () => (await import("../commands/sessions/sessions-resume.ts")).sessionsResumeCommand,
  },
  {
    name: "sessions fork",
    summary: "begin another session with the history of one",
    load: async () => (await import("../commands/sessions/sessions-fork.ts")).sessionsForkCommand,
  },
  {
    name: "sessions rm",
    summary: "remove sessions from the record",
    load: async () => (await import("../commands/sessions/sessions-rm.ts")).sessionsRmCommand,
  },
  {
    name: "events",
    summary: "what is on record of a run or a session, also while it goes on",
    load: async () => (await import("../commands/events/events.ts")).eventsCommand,
  },
  {
    name: "replay",
    summary: "see a run once more, as it happened",
    load: async () => (await import("../commands/events/replay.ts")).replayCommand,
  },
  {
    name: "bundle",
    summary: "put all that tells what happened into one file, without credentials",
    load: async () => (await import("../commands/bundle/bundle.ts")).bundleCommand,
  },
  {
    name: "approvals list",
    summary: "the questions about calls that wait for an answer",
    load: async () => (await import("../commands/approvals/approvals-list.ts")).approvalsListCommand,
  },
  {
    name: "approvals answer",
    summary: "answer one of them, from any process, also after a crash",
    load: async () => (await import("../commands/approvals/approvals-answer.ts")).approvalsAnswerCommand,
  },
  {
    name: "permissions list",
    summary: "the answers that are remembered: whether a tool may run",
    load: async () => (await import("../commands/permissions/permissions-list.ts")).permissionsListCommand,
  },
  {
    name: "permissions remove",
    summary: "take a remembered answer back",
    load: async () => (await import("../commands/permissions/permissions-remove.ts")).permissionsRemoveCommand,
  },
  {
    name: "documents index",
    summary: "bring the index of an agent's documents to what the files are now",
    load: async () => (await import("../commands/documents/documents-index.ts")).documentsIndexCommand,
  },
  {
    name: "documents search",
    summary: "search the documents of an agent, as its model would",
    load: async () => (await import("../commands/documents/documents-search.ts")).documentsSearchCommand,
  },
  {
    name: "documents status",
    summary: "what the index of an agent's documents holds, and where it is",
    load: async () => (await import("../commands/documents/documents-status.ts")).documentsStatusCommand,
  },
  {
    name: "demo",
    summary: "see an agent work on a real database, without a login",
    load: async () => (await import("../commands/demo/demo.ts")).demoCommand,
  },
  {
    name: "agent validate",
    summary: "check an agent's file: everything that is wrong, with its place",
    load: async () => (await import("../commands/agent/agent-validate.ts")).agentValidateCommand,
  },
  {
    name: "agent show",
    summary: "what of an agent will be used: model, tools, rules, instructions",
    load: async () => (await import("../commands/agent/agent-show.ts")).agentShowCommand,
  },
  {
    name: "agent schema",
    summary: "print the JSON Schema of an agent's file",
    load: async () => (await import("../commands/agent/agent-schema.ts")).agentSchemaCommand,
  },
  {
    name: "config schema",
    summary: "print the JSON Schema of bridle.yaml",
    load: async () => (await import("../commands/status/config-schema.ts")).configSchemaCommand,
  },
];
