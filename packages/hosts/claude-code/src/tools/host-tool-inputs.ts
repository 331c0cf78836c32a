/**
 * The input names of Claude Code's own tools, for checks of expected arguments. The SDK contains them only as types, and
 * `host-tool-inputs.test.ts` compares this table with the typings of the installed version.
 */
import { builtinNames, currentName } from "./tool-names.ts";

/** The known inputs, by the SDK's current tool names. The inputs of a tool that is missing here are not known. */
export const knownInputs: Readonly<Record<string, readonly string[]>> = {
  Agent: [
    "description",
    "prompt",
    "subagent_type",
    "model",
    "effort",
    "run_in_background",
    "name",
    "team_name",
    "mode",
    "isolation",
  ],
  AskUserQuestion: ["questions", "answers", "annotations", "metadata"],
  Bash: ["command", "timeout", "description", "run_in_background", "dangerouslyDisableSandbox"],
  Edit: ["file_path", "old_string", "new_string", "replace_all"],
  Glob: ["pattern", "path"],
  Grep: [
    "pattern",
    "path",
    "glob",
    "output_mode",
    "-B",
    "-A",
    "-C",
    "context",
    "-n",
    "-i",
    "-o",
    "type",
    "head_limit",
    "offset",
    "multiline",
  ],
  NotebookEdit: ["notebook_path", "cell_id", "new_source", "cell_type", "edit_mode"],
  Read: ["file_path", "offset", "limit", "pages", "allow_large"],
  TaskCreate: ["subject", "description", "activeForm", "metadata"],
  TaskGet: ["taskId"],
  TaskStop: ["task_id", "shell_id"],
  TaskUpdate: [
    "taskId",
    "subject",
    "description",
    "activeForm",
    "status",
    "addBlocks",
    "addBlockedBy",
    "owner",
    "metadata",
  ],
  TodoWrite: ["todos"],
  WebFetch: ["url", "prompt", "offset"],
  WebSearch: ["query", "allowed_domains", "blocked_domains"],
  Write: ["file_path", "content"],
};

/** The input names of each tool. Old tool names are included. */
export const hostToolInputs: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  builtinNames.flatMap((name) => {
    const inputs = knownInputs[currentName(name)];
    return inputs === undefined ? [] : [[name, inputs] as const];
  }),
);
