/** The known effects of Claude Code 2.1.330's tools, for rules by annotation and for modes. */
import type { ToolAnnotations } from "@bridle/protocol";
import { builtinNames, currentName } from "./tool-names.ts";

const reads: ToolAnnotations = { readOnly: true };
const readsElsewhere: ToolAnnotations = { readOnly: true, openWorld: true };
const writes: ToolAnnotations = { destructive: true };
/** The annotations of tools that change nothing outside the conversation. */
const keepsNotes: ToolAnnotations = {};
const doesAnything: ToolAnnotations = { destructive: true, openWorld: true };

/** The effects, by the SDK's current tool names. A tool that is missing here may do anything. */
export const knownTools: Readonly<Record<string, ToolAnnotations>> = {
  Read: reads,
  Glob: reads,
  Grep: reads,
  LSP: reads,
  TaskGet: reads,
  TaskList: reads,
  CronList: reads,
  ListAgents: reads,
  ToolSearch: reads,
  WebSearch: readsElsewhere,
  WebFetch: readsElsewhere,
  ListMcpResourcesTool: readsElsewhere,
  ReadMcpResourceTool: readsElsewhere,
  ReadMcpResourceDirTool: readsElsewhere,
  Write: writes,
  Edit: writes,
  NotebookEdit: writes,
  TodoWrite: keepsNotes,
  TaskCreate: keepsNotes,
  TaskUpdate: keepsNotes,
  AskUserQuestion: keepsNotes,
  EnterPlanMode: keepsNotes,
  ExitPlanMode: keepsNotes,
};

/** Every tool that a caller may open, with its effects. An old name has the effects of the new one. */
export const hostTools: Readonly<Record<string, ToolAnnotations>> = Object.fromEntries(
  builtinNames.map((name) => [name, knownTools[currentName(name)] ?? doesAnything]),
);
