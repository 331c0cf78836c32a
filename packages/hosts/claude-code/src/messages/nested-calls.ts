import type { ToolCall } from "@bridle/protocol";
import { ourToolName } from "../tools/tool-names.ts";
import type { ContentBlock } from "./messages.ts";
import { type HostToolResult, resultText } from "./step-tracker.ts";

/**
 * Matches the calls of subagents with their results. The calls are logged, but a subagent's responses do not count as
 * steps of the run.
 */
export class NestedCalls {
  readonly #calls = new Map<string, ToolCall>();

  note(content: readonly ContentBlock[]): void {
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      const { id, name, input } = block;
      this.#calls.set(id, { callId: id, tool: ourToolName(name), input });
    }
  }

  /** Returns the results of recorded calls. Each call is matched once. */
  match(results: readonly Extract<ContentBlock, { type: "tool_result" }>[]): HostToolResult[] {
    return results.flatMap(({ tool_use_id, content, is_error }) => {
      const call = this.#calls.get(tool_use_id);
      this.#calls.delete(tool_use_id);
      return call ? [{ call, isError: is_error ?? false, output: resultText(content) }] : [];
    });
  }
}
