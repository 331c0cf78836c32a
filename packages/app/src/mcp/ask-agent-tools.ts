import type { PolicyModeName } from "@bridle/core";
import {
  type AnyTool,
  defineTool,
  InvalidRequestError,
  omitUndefined,
  type RunEvent,
  type RunResult,
  type ToolContext,
  type ToolOutput,
} from "@bridle/protocol";
import { z } from "zod";
import type { ServedAgent, ServedRun, Workspace } from "../serving/workspace.ts";
import { fitOnLine, formatInput } from "../text/one-line.ts";

export interface AskAgentOptions {
  /** Whether the agents may use tools that change something, under their rules. If not, their mode is `read-only`. */
  readonly mayWrite: boolean;
  /** Whether questions of rules are denied at once. If not, they wait for an answer in the event log. */
  readonly deniesQuestions: boolean;
}

/** How many characters of a call a progress message contains. */
const maxCallLength = 120;

const input = z.object({
  message: z.string().min(1).describe("What you ask of the agent, with everything that it has to know."),
  session: z
    .string()
    .optional()
    .describe("Continues an earlier conversation: the session that an earlier answer names. Default: a new one."),
});

/** Creates a tool `ask_<agent>` for each agent of a workspace. Each call is a run of the agent, and is recorded in the event log. */
export function askAgentTools(workspace: Workspace, options: AskAgentOptions): AnyTool[] {
  const conversations = new Conversations(workspace, options);
  return workspace.agents.list().map((agent) =>
    defineTool({
      name: `ask_${agent.id.replaceAll("-", "_")}`,
      description: `Asks the agent ${agent.name}, and returns its answer. ${agent.description ?? ""}`.trim(),
      input,
      annotations: { readOnly: !options.mayWrite },
      concurrency: "parallel",
      timeoutMs: 3_600_000,
      execute: ({ message, session }, context) => conversations.ask(agent, { message, session }, context),
    }),
  );
}

interface Request {
  readonly message: string;
  readonly session: string | undefined;
}

/** The conversations of one client. A client can continue only its own conversations, because others may belong to other users. */
class Conversations {
  readonly #workspace: Workspace;
  readonly #mode: PolicyModeName | undefined;
  readonly #deniesQuestions: boolean;
  readonly #begun = new Set<string>();

  constructor(workspace: Workspace, { mayWrite, deniesQuestions }: AskAgentOptions) {
    this.#workspace = workspace;
    this.#mode = mayWrite ? undefined : "read-only";
    this.#deniesQuestions = deniesQuestions;
  }

  async ask(agent: ServedAgent, { message, session }: Request, context: ToolContext): Promise<ToolOutput> {
    if (session !== undefined && !this.#begun.has(session)) {
      throw new InvalidRequestError(`There is no conversation "${session}" of yours. Leave session out to begin one.`);
    }
    const run = await this.#workspace.runs.start({
      agent: agent.id,
      prompt: message,
      deniesQuestions: this.#deniesQuestions,
      ...omitUndefined({ session, mode: this.#mode }),
      labels: { askedBy: context.runId },
    });
    this.#begun.add(run.sessionId);
    return describeAnswer(await this.#follow(run, context), run);
  }

  /** Stops the run when the client no longer waits for it. */
  async #follow({ runId, sessionId, firstSeq }: ServedRun, { signal, progress }: ToolContext): Promise<RunResult> {
    const onAbort = () => this.#workspace.runs.stop(runId, "the client does not wait for the answer any longer");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const left = new AbortController();
    try {
      for await (const page of this.#workspace.events.follow(sessionId, firstSeq - 1, left.signal)) {
        for (const event of page) {
          const sentence = describeProgress(event);
          if (sentence !== undefined) progress(sentence);
          if (event.type === "run.finished" && event.runId === runId) return event.result;
        }
      }
    } finally {
      left.abort();
      signal.removeEventListener("abort", onAbort);
    }
    throw new InvalidRequestError("The events of the run ended before the run.");
  }
}

function describeProgress(event: RunEvent): string | undefined {
  if (event.type === "tool.requested") return fitOnLine(`${event.tool} ${formatInput(event.input)}`, maxCallLength);
  if (event.type !== "approval.requested") return undefined;
  return `${event.tool} waits for an answer: bridle approvals answer ${event.approvalId} allow`;
}

/** Converts the result of a run to output for the client's model. If the run failed, throws an error with the reason. */
function describeAnswer({ stopReason, text, object, error }: RunResult, { sessionId, runId }: ServedRun): ToolOutput {
  if (stopReason === "error" || stopReason === "stopped") throw new Error(error?.message ?? "The run was stopped.");
  const answer = object === undefined ? text : JSON.stringify(object);
  const note = stopReason === "budget" ? "\n\nThe agent had no steps left, so this may not be all." : "";
  return {
    markdown: `${answer}${note}\n\n(session: ${sessionId})`,
    structured: { answer: object ?? text, session: sessionId, run: runId, complete: stopReason === "natural" },
  };
}
