import { expect, test } from "vitest";
import { toMcpOutput } from "./to-output.ts";

test("a sound that is too large for the event log is described as such, and a small one is in the log", () => {
  const sound = (data: string) => ({ content: [{ type: "audio" as const, mimeType: "audio/wav", data }] });
  expect(toMcpOutput(sound("A".repeat(4_000_000))).markdown).toBe(
    "[A sound (audio/wav, 3,000,000 bytes), which is too large for the event log, and cannot be shown here.]",
  );
  expect(toMcpOutput(sound("A".repeat(400_000))).markdown).toBe(
    "[A sound (audio/wav, 300,000 bytes), which is in the event log and cannot be shown here.]",
  );
});
