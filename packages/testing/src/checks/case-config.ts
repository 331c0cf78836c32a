import type { AgentConfig } from "@bridle/agent";

/** A test case in an agent file. */
export type CaseConfig = NonNullable<AgentConfig["test_cases"]>[number];

/** One input of a case, with its expectations. */
export type TurnConfig = NonNullable<CaseConfig["turns"]>[number];

export type ExpectedToolConfig = Exclude<NonNullable<TurnConfig["expected_tools"]>, "none">[number];
export type FileInput = NonNullable<TurnConfig["files"]>[number];
