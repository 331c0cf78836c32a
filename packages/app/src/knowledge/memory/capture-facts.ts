import type { SaidMessage } from "@bridle/ingest";
import { getErrorMessage, type HistoryMessage, type Logger } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";
import type { AgentPlan } from "../../runs/agent-plan.ts";
import type { RememberedText } from "./memory-results.ts";
import { rememberText } from "./memory-use.ts";

/** A prompt that the user typed. */
export interface SaidPrompt {
  readonly text: string;
  /** The conversation before the prompt. Facts in it are not captured again. */
  readonly before: readonly HistoryMessage[];
  readonly session: string;
}

export interface CaptureEffects {
  readonly logger: Logger;
  /** Called with a sentence about each fact that was remembered. */
  onCaptured(sentence: string): void;
}

/** How long closing waits for the last fact to be stored, in milliseconds. */
const maxEndMs = 10_000;

/**
 * Remembers facts that the user mentions in passing, if `context.memory.capture` is set. It runs in the background, one prompt at a
 * time, and its failures never affect the conversation.
 */
export class FactCapture {
  readonly #plan: Pick<AgentPlan, "backend" | "auth" | "rehearse">;
  readonly #context: ProjectContext;
  readonly #effects: CaptureEffects;
  readonly #end = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(
    plan: Pick<AgentPlan, "backend" | "auth" | "rehearse">,
    context: ProjectContext,
    effects: CaptureEffects,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.#effects = effects;
  }

  /** Captures facts from a prompt. Call it after the answer. `prompt.before` is the conversation before the prompt. */
  add(prompt: SaidPrompt): void {
    if (this.#scope === undefined) return;
    this.#work = this.#work.then(() => this.#capture(prompt)).catch((error: unknown) => this.#warn(error));
  }

  /** Waits until the last fact is stored, but at most `maxEndMs`. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#end.abort(), maxEndMs);
    await this.#work;
    clearTimeout(timer);
  }

  get #scope() {
    return this.#context.project.settings.context.memory.capture;
  }

  async #capture({ text, before, session }: SaidPrompt): Promise<void> {
    const { findMemorySignals } = await import("@bridle/ingest");
    for (const sentence of findMemorySignals([...before.flatMap(toSaid), { role: "person", text }])) {
      if (this.#end.signal.aborted) return;
      this.#report(sentence, await this.#remember(sentence, session));
    }
  }

  /** Stores the sentence unchanged in a rehearsal, because the script plays only the conversation. */
  #remember(text: string, session: string): Promise<RememberedText> {
    const { backend, auth, rehearse } = this.#plan;
    const { signal } = this.#end;
    const isVerbatim = rehearse !== undefined;
    const told = { text, scope: this.#scope, session, isVerbatim, isCaptured: true };
    const onWarning = (warning: string) => this.#warn(warning);
    return rememberText(told, { backend, auth, rehearse }, this.#context, { signal, onWarning });
  }

  #report(sentence: string, { outcome, ids, scope, refused }: RememberedText): void {
    const { logger, onCaptured } = this.#effects;
    if (outcome === "refused") logger.debug({ refused }, "A sentence of a person is not remembered.");
    if (outcome !== "remembered") return;
    const whom = scope === "project" ? "for this project" : "for you";
    onCaptured(`Remembered ${whom}: ${sentence} "bridle memory forget ${ids.join(" ")}" forgets it.`);
  }

  #warn(reason: unknown): void {
    if (this.#hasWarned || this.#end.signal.aborted) return;
    this.#hasWarned = true;
    this.#effects.logger.warn({}, `Capturing facts of this chat: ${getErrorMessage(reason)}`);
  }
}

/** Converts the messages of models and tools. The user's prompts are omitted, because they were captured when they were sent. */
function toSaid({ role, content }: HistoryMessage): readonly SaidMessage[] {
  return content.flatMap((part): readonly SaidMessage[] => {
    if (part.type === "tool-result") return [{ role: "tool", text: part.output }];
    return part.type === "text" && role === "assistant" ? [{ role, text: part.text }] : [];
  });
}
