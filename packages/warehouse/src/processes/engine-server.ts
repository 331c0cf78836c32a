import type { CatalogOptions, EngineConnection } from "../port/connector.ts";
import {
  describeFailure,
  type EngineAnswer,
  type EngineReply,
  type EngineRequest,
  type NumberedRequest,
} from "./engine-messages.ts";
import { ServedStatement } from "./served-statement.ts";

type Send = (reply: EngineReply) => void;
type Opening = Extract<EngineRequest, { do: "open" }>;

/** The engine's side of the messages: performs requests on one connection. Several requests may run at the same time. */
export class EngineServer {
  readonly #open: (request: Opening) => Promise<EngineConnection>;
  readonly #send: Send;
  readonly #aborts = new Map<number, AbortController>();
  readonly #statements = new Map<number, ServedStatement>();
  #connection: EngineConnection | undefined;

  constructor(open: (request: Opening) => Promise<EngineConnection>, send: Send) {
    this.#open = open;
    this.#send = send;
  }

  receive({ id, ...request }: NumberedRequest): void {
    if (request.do === "abort") this.#aborts.get(id)?.abort();
    else if (request.do === "next" || request.do === "stop") void this.#statements.get(id)?.[request.do]();
    else if (request.do === "run") this.#run(id, request);
    else void this.#perform(id, request);
  }

  #run(id: number, { sql, limits }: Extract<EngineRequest, { do: "run" }>): void {
    const signal = this.#abortable(id);
    const onEnd = () => {
      this.#aborts.delete(id);
      this.#statements.delete(id);
    };
    const answer = (reply: EngineAnswer) => this.#reply(id, reply);
    try {
      const stream = this.#opened().stream(sql, { ...limits, signal });
      const statement = new ServedStatement(stream, answer, onEnd);
      this.#statements.set(id, statement);
      void statement.start();
    } catch (error) {
      onEnd();
      answer({ is: "failed", failure: describeFailure(error) });
    }
  }

  async #perform(
    id: number,
    request: Exclude<EngineRequest, { do: "run" | "next" | "stop" | "abort" }>,
  ): Promise<void> {
    const signal = this.#abortable(id);
    try {
      const onProgress = (done: number, total: number) => this.#reply(id, { is: "progress", done, total });
      this.#reply(id, await this.#answer(request, { signal, onProgress }));
    } catch (error) {
      this.#reply(id, { is: "failed", failure: describeFailure(error) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  async #answer(
    request: Exclude<EngineRequest, { do: "run" | "next" | "stop" | "abort" }>,
    reading: CatalogOptions,
  ): Promise<EngineAnswer> {
    if (request.do === "open") {
      this.#connection = await this.#open(request);
      return { is: "opened", server: this.#connection.server };
    }
    const connection = this.#opened();
    switch (request.do) {
      case "structure":
        return {
          is: "structure",
          structure: await connection.readStructure(request.schemas, { ...reading, maxStatements: request.max }),
        };
      case "marks":
        return {
          is: "marks",
          marks: [...(await connection.readChangeMarks(request.tables, { ...reading, maxStatements: request.max }))],
        };
      case "functions": {
        const functions = await connection.readSafeFunctions?.();
        return { is: "functions", functions: functions && new Set(functions) };
      }
      case "safety":
        return { is: "safety", findings: [...(await connection.inspectSafety())] };
      case "rest":
        await connection.rest?.();
        return { is: "done" };
      case "close":
        await connection.close();
        return { is: "done" };
    }
  }

  #abortable(id: number): AbortSignal {
    const controller = new AbortController();
    this.#aborts.set(id, controller);
    return controller.signal;
  }

  #reply(id: number, answer: EngineAnswer): void {
    this.#send({ ...answer, id, statements: this.#connection?.statements ?? 0 });
  }

  #opened(): EngineConnection {
    if (this.#connection === undefined) throw new Error("The connection is not open.");
    return this.#connection;
  }
}
