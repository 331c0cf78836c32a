import { type AnyTool, silentLogger } from "@bridle/protocol";

/** Calls a tool once and returns the result. The input is not validated. */
export async function callTool(
  tool: AnyTool,
  input: Record<string, unknown>,
  { projectDir, signal = new AbortController().signal }: { projectDir: string; signal?: AbortSignal | undefined },
) {
  const call = { signal, runId: "r", callId: "c", projectDir, environment: {}, logger: silentLogger };
  return tool.execute(input, { ...call, progress: () => {} });
}
