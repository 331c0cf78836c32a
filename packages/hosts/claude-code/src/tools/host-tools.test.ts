import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import { hostTools, knownTools } from "./host-tools.ts";

test("every tool of the SDK has its known effects, or may do anything", () => {
  const names = [...BUILTIN_TOOL_NAMES, ...Object.keys(LEGACY_TOOL_NAME_ALIASES)];
  expect(Object.keys(hostTools).sort()).toEqual([...names].sort());
  for (const name of BUILTIN_TOOL_NAMES) {
    expect(hostTools[name], name).toEqual(knownTools[name] ?? { destructive: true, openWorld: true });
  }
});

test("the known tools still exist in the SDK", () => {
  const names: readonly string[] = BUILTIN_TOOL_NAMES;
  expect(Object.keys(knownTools).filter((name) => !names.includes(name))).toEqual([]);
});

test("only reading tools are read-only, and an old name has the effects of its new one", () => {
  const reading = Object.keys(hostTools).filter((name) => hostTools[name]?.readOnly);
  expect(reading).toEqual(expect.arrayContaining(["Read", "Grep", "Glob", "WebSearch", "ReadMcpResource"]));
  for (const name of ["Bash", "PowerShell", "Write", "Edit", "Task", "Agent", "Skill", "KillShell"]) {
    expect(reading).not.toContain(name);
    expect(hostTools[name]?.destructive).toBe(true);
  }
  expect(hostTools.ListMcpResources).toEqual(hostTools.ListMcpResourcesTool);
});
