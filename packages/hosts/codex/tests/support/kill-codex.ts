import { childrenOf } from "../../../claude-code/tests/support/processes.ts";

/** Kills the Codex processes that this program has started. */
export function killCodex(): void {
  for (const { pid, command } of childrenOf(process.pid))
    if (command.includes("app-server")) process.kill(pid, "SIGKILL");
}
