import { given, optionsCheck } from "@bridle/protocol";
import { afterAll, beforeAll, expect } from "vitest";
import { testsShape } from "../plan/run-tests-options.ts";
import { type AgentFixture, type AgentFixtureOptions, openAgentFixture } from "./agent-fixture.ts";
import { type AgentConversation, type Answer, type AskOptions, createConversation } from "./answer.ts";
import { type CaseTrial, runCase } from "./cases.ts";

export interface AgentForTestsOptions extends AgentFixtureOptions {
  /** How many milliseconds opening the agent may take. Default 60,000. */
  openingMs?: number;
}

/** An agent for the tests in a file. It is open while they run. */
export interface AgentForTests {
  /**
   * Sends an input and resolves with the answer. Rejects if the run fails, if the answer is empty, or if a call is denied that
   * `expectedTools` does not expect to be denied.
   */
  ask(input: string, options?: AskOptions): Promise<Answer>;
  /** Starts a session, in which the agent remembers the earlier turns. */
  conversation(): AgentConversation;
  /** Runs a test case of the agent file with all of its expectations. Rejects if the case does not exist. */
  case(name: string): Promise<CaseTrial>;
}

const defaultOpeningMs = 60_000;
/** Closes the agent. Running turns are stopped first, and a process that does not end is killed. */
const closingMs = 30_000;

const {
  signal: _signal,
  cases: _cases,
  parallel: _parallel,
  trials: _trials,
  failFast: _failFast,
  resume: _resume,
  onProgress: _onProgress,
  metricsOf: _metricsOf,
  contents: _contents,
  ...ofFixture
} = testsShape;

const checkOptions = optionsCheck<AgentForTestsOptions>("agentForTests", {
  ...ofFixture,
  variables: given.object.optional(),
  openingMs: given.number.optional(),
});

/**
 * Returns the agent in a file, for the tests of the calling module. The agent is opened before the first test and closed after the last.
 * Its tools run as in `bridle test`: destructive calls are denied, and no questions are asked.
 *
 * @example
 * const desk = agentForTests("agent.yaml", { rehearse: "rehearsal.yaml" });
 * test("finds an order", async () => {
 *   const answer = await desk.ask("Where is order A-1001?");
 *   expect(answer).toHaveCalled("lookup_order", { id: "A-1001" });
 * });
 */
export function agentForTests(file: string, options: AgentForTestsOptions = {}): AgentForTests {
  checkOptions(options);
  const { openingMs = defaultOpeningMs, ...rest } = options;
  let opened: AgentFixture | undefined;
  beforeAll(async () => {
    opened = await openAgentFixture(file, rest);
  }, openingMs);
  afterAll(async () => {
    await opened?.close();
    opened = undefined;
  }, closingMs);

  function fixture(): AgentFixture {
    if (opened !== undefined) return opened;
    throw new Error(`The agent of ${file} is only open while tests run. Use it in a test or in a hook.`);
  }

  const conversation = () => createConversation(fixture(), testName(), true);
  return {
    conversation,
    ask: async (input, asked) => createConversation(fixture(), testName(), false).ask(input, asked),
    case: async (name) => runCase(fixture(), name),
  };
}

/** Returns the label of runs in the event log. */
function testName(): string {
  return expect.getState().currentTestName ?? "test";
}
