/** A session's questions that the editor shows. */
import { type AgentConnection, methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { answerApproval } from "@bridle/app/approvals";
import type { Workspace } from "@bridle/app/serving";
import type { Approval, ApprovalAnswer } from "@bridle/protocol";
import { permissionOptions, questionContent, toApprovalAnswer } from "./permission.ts";
import type { ToolUpdates } from "./tool-updates.ts";

export interface OpenQuestionsOptions {
  readonly sessionId: string;
  readonly connection: AgentConnection;
  readonly workspace: Workspace;
  readonly calls: ToolUpdates;
  /** The name that is recorded with answers. */
  readonly by: string;
}

/** Asks the client, and writes its answers to the event log. The run and other processes read them there. */
export class OpenQuestions {
  readonly #options: OpenQuestionsOptions;
  readonly #shown = new Map<string, AbortController>();

  constructor(options: OpenQuestionsOptions) {
    this.#options = options;
  }

  /** Resolves when the question is answered in the editor or elsewhere. A client that cannot ask the user denies the call. */
  async ask(approval: Approval): Promise<void> {
    const withdrawn = new AbortController();
    this.#shown.set(approval.id, withdrawn);
    try {
      const answer = await this.#request(approval, withdrawn.signal);
      if (answer === undefined) return;
      const { workspace, by } = this.#options;
      await answerApproval(approval.id, { ...answer, by }, workspace.eventLog, workspace.context.project.permissions());
    } finally {
      this.#shown.delete(approval.id);
    }
  }

  /** Makes the client stop showing a question that was answered elsewhere, or whose run has ended. */
  withdraw(approvalId: string): void {
    this.#shown.get(approvalId)?.abort();
  }

  /** Requests an answer from the client; `undefined` if no answer is needed any more. */
  async #request(approval: Approval, withdrawn: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const { connection, sessionId, calls } = this.#options;
    const { callId, tool, input, runId } = approval;
    const call = calls.findAsked(approval) ?? calls.begin({ runId, callId, tool, input });
    const toolCall = {
      toolCallId: call.id,
      title: call.title,
      kind: call.kind,
      status: "pending" as const,
      rawInput: input,
      content: [...questionContent(approval), ...call.content],
    };
    const request: RequestPermissionRequest = { sessionId, toolCall, options: permissionOptions(approval) };
    const waiting = { cancellationSignal: withdrawn, stopWaitingOnCancel: true };
    try {
      const { outcome } = await connection.client.request(methods.client.session.requestPermission, request, waiting);
      return toApprovalAnswer(outcome);
    } catch {
      if (withdrawn.aborted || connection.signal.aborted) return undefined;
      return { decision: "deny", message: "The editor could not ask about the call." };
    }
  }
}
