/** Describes how an editor shows a tool call: its kind, title, files and differences. Pure. */
import { isAbsolute } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { isPlainObject } from "@bridle/protocol";

/**
 * The kinds of built-in host tools. An agent's own tools are of the kind `other`, because their names do not reliably show their effect.
 */
const kinds: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  NotebookRead: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Bash: "execute",
  BashOutput: "execute",
  KillShell: "execute",
  Task: "think",
  Glob: "search",
  Grep: "search",
  LS: "search",
  WebFetch: "fetch",
  WebSearch: "search",
};

/** The maximum length of a title. */
const maxTitleLength = 120;

export interface DescribedCall {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
  readonly rawInput: unknown;
}

export function describeEditorCall(tool: string, input: unknown): DescribedCall {
  const fields = isPlainObject(input) ? input : {};
  return {
    title: formatTitle(tool, fields),
    name: tool,
    kind: (Object.hasOwn(kinds, tool) && kinds[tool]) || "other",
    rawInput: input,
    locations: locate(tool, fields),
    content: differences(tool, fields),
  };
}

/** Formats the tool and its short inputs on one line, such as `lookup_order: A-1001`. */
function formatTitle(tool: string, fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.values(fields).filter((value) => typeof value === "string" || typeof value === "number");
  const text = [tool, shown.join(", ")].filter((part) => part !== "").join(": ");
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= maxTitleLength ? line : `${line.slice(0, maxTitleLength - 1)}…`;
}

/** Finds the file that a built-in host tool accesses, so that the editor can follow along. */
function locate(tool: string, { file_path: path }: Readonly<Record<string, unknown>>): ToolCallLocation[] {
  return Object.hasOwn(kinds, tool) && typeof path === "string" && isAbsolute(path) ? [{ path }] : [];
}

function differences(tool: string, fields: Readonly<Record<string, unknown>>): ToolCallContent[] {
  const { file_path: path, old_string: oldText, new_string: newText, content } = fields;
  if (typeof path !== "string") return [];
  if (tool === "Edit" && typeof oldText === "string" && typeof newText === "string") {
    return [{ type: "diff", path, oldText, newText }];
  }
  return tool === "Write" && typeof content === "string" ? [{ type: "diff", path, newText: content }] : [];
}
