import type { BackendEvent, EventDetail, ToolCall } from "@bridle/protocol";

/** An event with text or reasoning. */
type TextEvent = Extract<BackendEvent, { type: `${"text" | "reasoning"}.${"delta" | "completed"}` }>;

/** Gives each block of a run its own id. Ids from hosts are unique within a response at most, and some hosts give none. */
export class BlockIds {
  readonly #details: readonly EventDetail[];
  /** The ids of the current response's blocks, by kind and the host's id. */
  readonly #ids = new Map<string, string>();
  #count = 0;

  constructor(details: readonly EventDetail[] = []) {
    this.#details = details;
  }

  /** Begins a response, whose blocks are new even if the host repeats its ids. */
  startResponse(): void {
    this.#ids.clear();
  }

  /**
   * Returns the event with the id of its block if `blocks` were requested, otherwise without an id. A text without a host's id is one block
   * until it is complete.
   */
  ofText({ block, ...event }: TextEvent): TextEvent {
    if (!this.#details.includes("blocks")) return event;
    const [kind = "", part] = event.type.split(".");
    const key = `${kind} ${block ?? ""}`;
    const id = this.#idOf(key);
    if (part === "completed") this.#ids.delete(key);
    return { ...event, block: id };
  }

  ofInput(callId: string): string {
    return this.#idOf(`call ${callId}`);
  }

  /** Returns the id of a call's block. Undefined unless event details with block ids were requested. */
  ofCall({ callId, streamId = callId }: ToolCall): string | undefined {
    return this.#details.some((detail) => detail !== "host-messages") ? this.ofInput(streamId) : undefined;
  }

  #idOf(key: string): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    this.#count += 1;
    const id = String(this.#count);
    this.#ids.set(key, id);
    return id;
  }
}
