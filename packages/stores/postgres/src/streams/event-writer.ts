import { type createEventRedaction, type Redactor, redactContent, sha256 } from "@bridle/core";
import type { AppendOptions, ArtifactContent, EventDraft, EventWriter, RunEvent } from "@bridle/protocol";
import type { LeasedStream } from "./leased-stream.ts";

export interface EventWriterOptions {
  readonly stream: LeasedStream;
  readonly redactor: Redactor;
  readonly redact: ReturnType<typeof createEventRedaction>;
  now(): number;
  close(): Promise<void>;
}

/** Redacts and queues the events of a stream. After a failure, accepts only the event that ends a run. */
export class StreamWriter implements EventWriter {
  readonly #options: EventWriterOptions;
  #failure: Error | undefined;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  append = (runId: string, draft: EventDraft, { excerpts }: AppendOptions = {}): RunEvent => {
    const { stream, redact, now } = this.#options;
    if (draft.type !== "run.finished") this.#refuseAfterFailure();
    return stream.append(runId, redact(runId, draft, excerpts), now());
  };

  putArtifact = (content: ArtifactContent): string => {
    this.#refuseAfterFailure();
    const bytes = Buffer.from(redactContent(content, this.#options.redactor));
    const id = sha256(bytes);
    this.#options.stream.putText({ id, bytes });
    return id;
  };

  durable = async (): Promise<void> => {
    try {
      await this.#options.stream.flush();
    } catch (error) {
      if (error instanceof Error) this.#failure ??= error;
      throw error;
    }
  };

  close = (): Promise<void> => this.#options.close();

  #refuseAfterFailure(): void {
    this.#failure ??= this.#options.stream.failure;
    if (this.#failure) throw this.#failure;
  }
}
