/**
 * One call of a tool, as the parent of the runs that the tool starts. Pass the `call` of a tool's context as `parent` of
 * a run. The run then has the rules, questions and limits of the calling run, and each of the two shows the other.
 *
 * Contract: only the engine makes them. It refuses copies, and calls that are over.
 */
export interface ParentCall {
  readonly runId: string;
  readonly sessionId?: string;
  readonly callId: string;
}

/** Levels of nested runs below a run, if no limit is set. */
export const defaultNestedDepth = 3;

/** Maximum levels of agents that a file can ask for. */
export const maxNestedDepth = 20;
