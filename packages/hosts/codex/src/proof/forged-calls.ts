import { applyPatch } from "../boundary/opened-tools.ts";

/**
 * A call of one of Codex's own tools, under any name that its models may have learnt from this or an earlier version. A test compares this
 * list with the tools that the real Codex offers if nothing is closed.
 */
export interface ForgedCall {
  readonly call: string;
  readonly with: Record<string, unknown>;
  /** Set if the input is plain text, as for `apply_patch`. */
  readonly custom?: true;
}

/** Returns a call of each tool, with an input that would create the file `effect` if the tool ran. */
export function forgedCalls(effect: string): ForgedCall[] {
  const calls = Object.entries(inputs(effect)).map(([call, input]): ForgedCall => ({ call, with: input }));
  return [...calls, { call: applyPatch, with: inputs(effect)[applyPatch] ?? {}, custom: true }];
}

export const forgedNames: readonly string[] = Object.keys(inputs(""));

function inputs(effect: string): Record<string, Record<string, unknown>> {
  const command = `touch ${effect}`;
  const words = ["/bin/sh", "-c", command];
  const patch = `*** Begin Patch\n*** Add File: ${effect}\n+trap\n*** End Patch`;
  const code = `require("child_process").execSync(${JSON.stringify(command)})`;
  return {
    shell: { command: words },
    shell_command: { command },
    local_shell: { command: words },
    container_exec: { cmd: words },
    exec_command: { cmd: command },
    unified_exec: { input: [command] },
    write_stdin: { session_id: 1, chars: `${command}\n` },
    apply_patch: { input: patch },
    exec: { code },
    js_repl: { code },
    wait: { cell_id: "1" },
    view_image: { path: "/etc/hostname" },
    image_gen: { prompt: "trap" },
    update_plan: { plan: [{ step: "trap", status: "in_progress" }] },
    request_user_input: { questions: [] },
    request_user_input_async: { questions: [] },
    request_permissions: { permissions: {} },
    create_goal: { objective: "trap" },
    get_goal: {},
    update_goal: { status: "complete" },
    list_mcp_resources: {},
    list_mcp_resource_templates: {},
    read_mcp_resource: { server: "trap", uri: "trap://" },
    mcp__trap__run: {},
    tool_search: { query: "trap" },
    tool_suggest: { query: "trap" },
    web_search: { query: "trap" },
    spawn_agent: { message: command },
    send_message: { target: "trap", message: command },
    followup_task: { target: "trap", message: command },
    wait_agent: {},
    list_agents: {},
    interrupt_agent: { target: "trap" },
    send_user_message_async: { message: "trap" },
    clock_sleep: { seconds: 1 },
    sleep: { seconds: 1 },
    skill: { name: "trap" },
  };
}
