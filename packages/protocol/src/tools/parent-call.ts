/**
 * One call of a tool, as the parent of the runs that the tool starts. Pass the `call` of a tool's context as `parent` of a run:
 * the run then has the rules, questions and limits of the run that calls, and each shows the other.
 *
 * Contract: only the engine makes them. It refuses a copy, and one whose call is over.
 */
export interface ParentCall {
  readonly runId: string;
  readonly sessionId?: string;
  readonly callId: string;
}

/** Levels of nested runs below a run, if no limit is set. */
export const defaultNestedDepth = 3;

/** The most levels of agents that a file can ask for. */
export const maxNestedDepth = 20;
