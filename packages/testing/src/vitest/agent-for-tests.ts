import { afterAll, beforeAll, expect } from "vitest";
import { type AgentConversation, type Answer, type AskOptions, createConversation } from "./answer.ts";
import { type CaseTrial, runCase } from "./cases.ts";
import { type Desk, type DeskOptions, openDesk } from "./desk.ts";

export interface AgentForTestsOptions extends DeskOptions {
  /** Milliseconds that opening the agent may take. Default 60,000. */
  openingMs?: number;
}

/** An agent that the tests of a file talk to. It is open while they run. */
export interface AgentForTests {
  /**
   * Asks it something, and resolves with its answer. Rejects with what went wrong where its run failed, where it said
   * nothing, and where a call was denied that `expectedTools` does not expect to be.
   */
  ask(input: string, options?: AskOptions): Promise<Answer>;
  /** Begins a session, in which it knows what was said before. */
  conversation(): AgentConversation;
  /** Runs a test case of its file, with everything that it expects. Rejects where there is none of that name. */
  case(name: string): Promise<CaseTrial>;
}

const defaultOpeningMs = 60_000;
/** What runs is stopped first, and a process that does not end is ended by force. */
const closingMs = 30_000;

/**
 * The agent of a file, for the tests of the module that calls this: opened before the first of them, closed after the last.
 * Its tools run as in `bridle test`: what may change what cannot be brought back is denied, and nobody is asked.
 *
 * @example
 * const desk = agentForTests("agent.yaml", { rehearse: "rehearsal.yaml" });
 * test("finds an order", async () => {
 *   const answer = await desk.ask("Where is order A-1001?");
 *   expect(answer).toHaveCalled("lookup_order", { id: "A-1001" });
 * });
 */
export function agentForTests(file: string, options: AgentForTestsOptions = {}): AgentForTests {
  const { openingMs = defaultOpeningMs, ...rest } = options;
  let opened: Desk | undefined;
  beforeAll(async () => {
    opened = await openDesk(file, rest);
  }, openingMs);
  afterAll(async () => {
    await opened?.close();
    opened = undefined;
  }, closingMs);

  function desk(): Desk {
    if (opened !== undefined) return opened;
    throw new Error(`The agent of ${file} is open while tests run only. Ask it in a test, or in a hook of one.`);
  }

  const conversation = () => createConversation(desk(), testName(), true);
  return {
    conversation,
    ask: async (input, asked) => createConversation(desk(), testName(), false).ask(input, asked),
    case: async (name) => runCase(desk(), name),
  };
}

/** As a run on record is labelled. */
function testName(): string {
  return expect.getState().currentTestName ?? "test";
}
