import type { HookCallbackMatcher, PreToolUseHookInput, SyncHookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import type { ConversationSpec, ToolCall, TurnContext } from "@bridle/protocol";
import { agentCallProblem } from "../settings/subagents.ts";
import { currentName, isOurs, maxWaitSeconds, ourToolName, structuredOutputName } from "../tools/tool-names.ts";

export interface ToolHookParts {
  spec: ConversationSpec;
  /** The host's names of our tools. */
  ours: readonly string[];
  authorizeHostTool: TurnContext["authorizeHostTool"];
  verified(): Promise<void>;
}

/**
 * Returns a second, independent check of each tool call. It denies every tool that does not belong to this run, even if the permissions
 * allow the tool. Without `timeout`, the host would stop waiting for an approval after ten minutes. Without `onFailure`, the host would
 * make a call whose hook has failed.
 */
export function toolHook(parts: ToolHookParts): HookCallbackMatcher {
  return {
    hooks: [async (input) => (input.hook_event_name === "PreToolUse" ? checkCall(input, parts) : {})],
    timeout: maxWaitSeconds,
    onFailure: "block",
  };
}

/** Returns the text that the model gets if it calls a tool that does not belong to the run. */
export function refusalOf(name: string): string {
  return `The tool ${ourToolName(name)} is not available in this run.`;
}

async function checkCall(
  { tool_name: name, tool_input: input, tool_use_id: callId }: PreToolUseHookInput,
  { ours, spec, authorizeHostTool, verified }: ToolHookParts,
): Promise<SyncHookJSONOutput> {
  try {
    await verified();
  } catch {
    return deny("The host did not start as configured; nothing runs.");
  }
  if (ours.includes(name) || (name === structuredOutputName && spec.outputSchema)) return {};
  if (isOurs(name) || !spec.builtins.map(currentName).includes(currentName(name))) return deny(refusalOf(name));
  const problem = agentCallProblem(name, input, spec);
  if (problem !== undefined) return deny(problem);
  const call: ToolCall = { callId, tool: name, input };
  const answer = await authorizeHostTool(call);
  return answer.allow ? allow : deny(answer.reply);
}

const allow: SyncHookJSONOutput = {
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
};

function deny(reason: string): SyncHookJSONOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}
