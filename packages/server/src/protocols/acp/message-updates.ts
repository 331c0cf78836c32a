/** Converts text and reasoning of a run to message chunks. Pure state. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { RunEvent } from "@bridle/protocol";

type Kind = "agent_message_chunk" | "agent_thought_chunk";

/** Creates a piece of a message. A new `messageId` begins a new message. */
export function textChunk(sessionUpdate: Kind | "user_message_chunk", text: string, messageId: string): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: "text", text } };
}

/** Sent after text that the host has voided. A client cannot remove it. */
export const brokenOff = "\n\n*The response broke off, and the model answers again.*\n\n";

/**
 * Sends text as it arrives. If a retry voids text, the reader gets a note, because the protocol has no event for it. Sending only complete
 * responses instead would show nothing during a long answer.
 */
export class MessageUpdates {
  readonly #open = { agent_message_chunk: { id: "", sent: "" }, agent_thought_chunk: { id: "", sent: "" } };
  #messages = 0;
  /** Whether text of this response was sent. */
  #hasText = false;

  add(event: RunEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case "step.started":
        this.#begin();
        return [];
      case "text.delta":
        return this.#extend("agent_message_chunk", event);
      case "reasoning.delta":
        return this.#extend("agent_thought_chunk", event);
      case "text.completed":
        return this.#complete("agent_message_chunk", event);
      case "reasoning.completed":
        return this.#complete("agent_thought_chunk", event);
      case "retry.scheduled":
        return this.#takeBack(event);
      case "run.finished":
        return event.result.object === undefined ? [] : this.#object(event.result.object, event);
      default:
        return [];
    }
  }

  #begin(): void {
    this.#hasText = false;
    for (const message of Object.values(this.#open)) message.sent = "";
  }

  #extend(kind: Kind, { runId, text }: { runId: string; text: string }): readonly SessionUpdate[] {
    if (text === "") return [];
    const message = this.#open[kind];
    if (message.sent === "") message.id = this.#nextId(runId);
    message.sent += text;
    this.#hasText ||= kind === "agent_message_chunk";
    return [textChunk(kind, text, message.id)];
  }

  /** Completes a message. If the authoritative, completed text differs from the streamed pieces, it is sent as a separate message. */
  #complete(kind: Kind, { runId, text }: { runId: string; text: string }): readonly SessionUpdate[] {
    const message = this.#open[kind];
    const isContinued = text.startsWith(message.sent);
    const rest = isContinued ? text.slice(message.sent.length) : text;
    if (!isContinued) message.sent = "";
    const updates = this.#extend(kind, { runId, text: rest });
    message.sent = "";
    return updates;
  }

  #takeBack({ runId }: { runId: string }): readonly SessionUpdate[] {
    const wasRead = this.#hasText;
    this.#begin();
    return wasRead ? [textChunk("agent_message_chunk", brokenOff, this.#nextId(runId))] : [];
  }

  /** Sends the object as the model's last response. No other event contains it. */
  #object(object: unknown, { runId }: { runId: string }): readonly SessionUpdate[] {
    const text = `\`\`\`json\n${JSON.stringify(object, undefined, 2)}\n\`\`\``;
    return [textChunk("agent_message_chunk", text, this.#nextId(runId))];
  }

  #nextId(runId: string): string {
    this.#messages += 1;
    return `${runId}-${this.#messages}`;
  }
}
