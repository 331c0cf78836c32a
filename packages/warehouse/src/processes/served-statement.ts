import type { RowStream } from "../port/connector.ts";
import type { WarehouseRow } from "../port/values.ts";
import { describeFailure, type EngineAnswer } from "./engine-messages.ts";

/** One statement of a process. After its columns and after each batch, it waits until the other side requests more. */
export class ServedStatement {
  readonly #stream: RowStream;
  readonly #answer: (answer: EngineAnswer) => void;
  readonly #onEnd: () => void;
  #rows: AsyncIterator<readonly WarehouseRow[]> | undefined;

  constructor(stream: RowStream, answer: (answer: EngineAnswer) => void, onEnd: () => void) {
    this.#stream = stream;
    this.#answer = answer;
    this.#onEnd = onEnd;
  }

  async start(): Promise<void> {
    try {
      this.#answer({ is: "columns", columns: [...(await this.#stream.columns())] });
    } catch (error) {
      this.#fail(error);
    }
  }

  async next(): Promise<void> {
    this.#rows ??= this.#stream[Symbol.asyncIterator]();
    try {
      const { done, value } = await this.#rows.next();
      if (done === true) {
        this.#onEnd();
        this.#answer({ is: "end", truncated: this.#stream.truncated });
      } else {
        this.#answer({ is: "rows", rows: value });
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  async stop(): Promise<void> {
    this.#rows ??= this.#stream[Symbol.asyncIterator]();
    await this.#rows.return?.().catch(() => {}); // after a failure, the rows have ended too
    this.#onEnd();
    this.#answer({ is: "end" });
  }

  #fail(error: unknown): void {
    this.#onEnd();
    this.#answer({ is: "failed", failure: describeFailure(error) });
  }
}
