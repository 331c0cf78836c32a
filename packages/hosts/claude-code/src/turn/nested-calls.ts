import type { ToolCall } from "@bridle/protocol";
import { ourToolName } from "../tools/tool-names.ts";
import type { ContentBlock } from "./messages.ts";
import { type HostToolResult, textOf } from "./step-tracker.ts";

/** Calls that subagents make, and what became of them: their responses are no steps of the run, their calls are on record. */
export interface NestedCalls {
  note(content: readonly ContentBlock[]): void;
  resultsOf(results: readonly Extract<ContentBlock, { type: "tool_result" }>[]): HostToolResult[];
}

export function createNestedCalls(): NestedCalls {
  const calls = new Map<string, ToolCall>();
  return {
    note(content) {
      for (const block of content) {
        if (block.type !== "tool_use") continue;
        const { id, name, input } = block;
        calls.set(id, { callId: id, tool: ourToolName(name), input });
      }
    },
    resultsOf: (results) =>
      results.flatMap(({ tool_use_id, content, is_error }) => {
        const call = calls.get(tool_use_id);
        calls.delete(tool_use_id);
        return call ? [{ call, isError: is_error ?? false, output: textOf(content) }] : [];
      }),
  };
}
