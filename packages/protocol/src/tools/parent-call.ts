/**
 * One call to a tool, as the parent of the runs that the tool starts. Pass the `call` of a tool's context as `parent` of a run. The run
 * then has the rules, questions and limits of the calling run, and each of the two shows the other.
 *
 * Contract: only the engine makes parent calls. It refuses copies, and calls that are over.
 */
export interface ParentCall {
  readonly runId: string;
  readonly sessionId?: string;
  readonly callId: string;
}

/** How many levels of nested runs a run may have if no limit is set. */
export const defaultNestedDepth = 3;

/** The maximum number of levels that an agent file can set. */
export const maxNestedDepth = 20;
