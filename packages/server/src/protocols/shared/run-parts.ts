/**
 * Splits the events of a run into parts that all protocols need, such as texts with a start and an end, even if they were not streamed.
 */
import type { EventOf, RunEvent } from "@bridle/protocol";

type Spoken = "text" | "reasoning";

/** A block of text or reasoning, or any other event. */
export type RunPart =
  | { readonly type: "opened"; readonly kind: Spoken; readonly id: string }
  | { readonly type: "grown"; readonly kind: Spoken; readonly id: string; readonly text: string }
  | ClosedPart
  /** The response is requested again, so these blocks of it are void. Open blocks were closed just before. */
  | { readonly type: "voided"; readonly blocks: readonly Pick<ClosedPart, "kind" | "id">[] }
  | { readonly type: "event"; readonly event: OtherEvent };

export interface ClosedPart {
  readonly type: "closed";
  readonly kind: Spoken;
  readonly id: string;
  /** The whole text. */
  readonly text: string;
  /** Whether the whole text differs from the streamed text. */
  readonly isRewritten: boolean;
  /** Whether the response broke off in this block. */
  readonly isCut: boolean;
}

export type OtherEvent = Exclude<RunEvent, { type: `text.${string}` | `reasoning.${string}` }>;

interface OpenBlock {
  readonly id: string;
  text: string;
}

/** Converts the events of one run to parts. The ids of blocks depend only on the log, so a replay has the same ids. */
export class RunParts {
  readonly #open = new Map<Spoken, OpenBlock>();
  #ofStep: Pick<ClosedPart, "kind" | "id">[] = [];
  #isAnswering = false;

  next(event: RunEvent): RunPart[] {
    switch (event.type) {
      case "text.delta":
        return this.#grow("text", event, event.text);
      case "reasoning.delta":
        return this.#grow("reasoning", event, event.text);
      case "text.completed":
        return this.#complete("text", event, event.text);
      case "reasoning.completed":
        return this.#complete("reasoning", event, event.text);
      case "run.finished":
        return [...this.#closeAll(true), ...this.#object(event), { type: "event", event }];
      default:
        return [...this.#changeStep(event), { type: "event", event }];
    }
  }

  #changeStep({ type }: RunEvent): RunPart[] {
    if (type === "step.started") {
      this.#isAnswering = true;
      this.#ofStep = [];
    }
    if (type === "step.finished") {
      this.#isAnswering = false;
      return this.#closeAll(false);
    }
    if (type !== "retry.scheduled" || !this.#isAnswering) return [];
    const blocks = this.#ofStep;
    this.#ofStep = [];
    return [...this.#closeAll(true), ...(blocks.length > 0 ? [{ type: "voided" as const, blocks }] : [])];
  }

  #grow(kind: Spoken, event: RunEvent, text: string): RunPart[] {
    const open = this.#open.get(kind);
    const { block, opened } = open ? { block: open, opened: [] } : this.#begin(kind, event);
    block.text += text;
    return [...opened, ...grown(kind, block.id, text)];
  }

  /** Completes a block. The completed text is authoritative, even if the streamed text differs. */
  #complete(kind: Spoken, event: RunEvent, text: string): RunPart[] {
    const open = this.#open.get(kind);
    if (open === undefined && text === "") return [];
    const { block, opened } = open ? { block: open, opened: [] } : this.#begin(kind, event);
    this.#open.delete(kind);
    const isRewritten = !text.startsWith(block.text);
    const rest = isRewritten ? "" : text.slice(block.text.length);
    return [
      ...opened,
      ...grown(kind, block.id, rest),
      { type: "closed", kind, id: block.id, text, isRewritten, isCut: false },
    ];
  }

  /** Returns the object as the model's last response. No other event contains it. */
  #object(event: EventOf<"run.finished">): RunPart[] {
    const { object } = event.result;
    return object === undefined ? [] : this.#complete("text", event, JSON.stringify(object));
  }

  #begin(kind: Spoken, { runId, seq }: RunEvent): { block: OpenBlock; opened: RunPart[] } {
    const block = { id: `${runId}-${seq}`, text: "" };
    this.#open.set(kind, block);
    this.#ofStep.push({ kind, id: block.id });
    return { block, opened: [{ type: "opened", kind, id: block.id }] };
  }

  #closeAll(isCut: boolean): RunPart[] {
    const open = [...this.#open];
    this.#open.clear();
    return open.map(([kind, { id, text }]) => {
      return { type: "closed", kind, id, text, isRewritten: false, isCut };
    });
  }
}

function grown(kind: Spoken, id: string, text: string): RunPart[] {
  return text === "" ? [] : [{ type: "grown", kind, id, text }];
}
