import { type Logger, omitUndefined, type ParentCall, type ToolContext } from "@bridle/protocol";
import type { ActionAuthorizer } from "./action-authorizer.ts";

interface ContextParts {
  readonly callId: string;
  /** Where the tool comes from. */
  readonly source: string | undefined;
  readonly signal: AbortSignal;
  readonly actions: ActionAuthorizer;
  progress(callId: string, message: string): void;
}

/** The parts of a run that its tools get. */
export interface ContextOptions {
  readonly runId: string;
  readonly sessionId?: string | undefined;
  readonly projectDir: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly logger: Logger;
  /** Returns a call as the parent of runs. Default: the tools start no runs. */
  callFor?(callId: string): ParentCall;
}

/** Creates the context that a tool gets with a call. */
export function createCallContext(
  { runId, sessionId, projectDir, environment = {}, logger, callFor }: ContextOptions,
  { callId, source, signal, actions, progress }: ContextParts,
): ToolContext {
  return {
    signal,
    runId,
    callId,
    projectDir,
    environment: { ...environment },
    logger,
    progress: (message) => progress(callId, String(message)),
    authorize: (action) => actions.authorize(callId, source, action),
    ...omitUndefined({ sessionId, call: callFor?.(callId) }),
  };
}
