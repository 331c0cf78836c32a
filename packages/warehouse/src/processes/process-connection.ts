import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { AbortError, InvalidRequestError } from "@bridle/protocol";
import type {
  CatalogOptions,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../port/connector.ts";
import type { TableName, WarehouseStructure } from "../port/structure.ts";
import { type EngineReply, type EngineRequest, toEngineError } from "./engine-messages.ts";
import { EngineProcess } from "./engine-process.ts";
import { ProcessRows } from "./process-rows.ts";

/** The time limit for closing the engine, in milliseconds: long enough for a busy machine. */
const closeMs = 5_000;

export interface ProcessOptions {
  /** The name of the engine, for messages. */
  readonly product: string;
  readonly config: unknown;
  readonly projectDir: string;
  start(): ChildProcess;
}

type ReplyOf<Kind extends EngineReply["is"]> = Extract<EngineReply, { is: Kind }>;

/**
 * A connection to an engine in a separate process. If a statement takes too much memory, the process and everything else that runs in it
 * end. The next statement starts another process.
 */
export class ProcessConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #options: ProcessOptions;
  #opening: Promise<EngineProcess>;
  #process: EngineProcess;
  /** The number of statements of earlier processes, which have ended. */
  #earlier = 0;
  #isClosed = false;

  private constructor(options: ProcessOptions, process: EngineProcess, server: ServerInfo) {
    this.#options = options;
    this.#process = process;
    this.#opening = Promise.resolve(process);
    this.server = server;
  }

  /** @throws the engine's error if the connection cannot be opened. */
  static async open(options: ProcessOptions, signal?: AbortSignal): Promise<ProcessConnection> {
    if (signal?.aborted) throw stopped(signal);
    const process = new EngineProcess(options.start(), options.product);
    return new ProcessConnection(options, process, await openEngine(process, options));
  }

  get statements(): number {
    return this.#earlier + this.#process.statements;
  }

  async readStructure(
    schemas: readonly string[] | undefined,
    options: CatalogOptions = {},
  ): Promise<WarehouseStructure> {
    const request = { do: "structure", schemas, max: options.maxStatements } as const;
    return (await this.#ask(request, "structure", options)).structure;
  }

  async readChangeMarks(
    tables: readonly TableName[],
    options: CatalogOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    const request = { do: "marks", tables, max: options.maxStatements } as const;
    const { marks } = await this.#ask(request, "marks", options);
    return tables.map((_, index) => marks[index]);
  }

  async readSafeFunctions(): Promise<ReadonlySet<string>> {
    return (await this.#ask({ do: "functions" }, "functions")).functions ?? new Set();
  }

  async inspectSafety(): Promise<readonly SafetyFinding[]> {
    return (await this.#ask({ do: "safety" }, "safety")).findings;
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new ProcessRows(sql, options, () => this.#current());
  }

  async rest(): Promise<void> {
    await this.#ask({ do: "rest" }, "done");
  }

  /** Ends the process after the engine has closed its resources, or after a time limit. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const process = await this.#opening.catch(() => this.#process);
    const closed = process.ask(process.takeNumber(), { do: "close" }).catch(() => {});
    await Promise.race([closed, sleep(closeMs, undefined, { ref: false })]);
    await process.destroy();
  }

  async #ask<Kind extends EngineReply["is"]>(
    request: EngineRequest,
    kind: Kind,
    { signal, onProgress }: CatalogOptions = {},
  ): Promise<ReplyOf<Kind>> {
    if (signal?.aborted) throw stopped(signal);
    const process = await this.#current();
    const id = process.takeNumber();
    const onAbort = () => process.tell(id, { do: "abort" });
    signal?.addEventListener("abort", onAbort);
    try {
      return expectReply(await process.ask(id, request, onProgress), kind);
    } catch (error) {
      throw signal?.aborted ? stopped(signal) : error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Returns the running process, or starts a new one. */
  async #current(): Promise<EngineProcess> {
    if (this.#isClosed)
      throw new InvalidRequestError(`The connection to ${this.#options.product} is closed. Open another one.`);
    const process = await this.#opening.catch(() => undefined);
    if (process === undefined || process.hasEnded) this.#opening = this.#replace(this.#opening);
    return this.#opening;
  }

  /** Replaces a process that has ended, only once even if several callers notice it at the same time. */
  async #replace(ended: Promise<EngineProcess>): Promise<EngineProcess> {
    this.#earlier += (await ended.catch(() => undefined))?.statements ?? 0;
    const process = new EngineProcess(this.#options.start(), this.#options.product);
    await openEngine(process, this.#options);
    this.#process = process;
    return process;
  }
}

async function openEngine(process: EngineProcess, { config, projectDir }: ProcessOptions): Promise<ServerInfo> {
  try {
    const reply = await process.ask(process.takeNumber(), { do: "open", config, projectDir });
    return expectReply(reply, "opened").server;
  } catch (error) {
    await process.destroy();
    throw error;
  }
}

/** @throws the error that the reply describes. */
function expectReply<Kind extends EngineReply["is"]>(reply: EngineReply, kind: Kind): ReplyOf<Kind> {
  if (reply.is === "failed") throw toEngineError(reply.failure);
  if (isKind(reply, kind)) return reply;
  throw new Error(`The process of the engine replied "${reply.is}", where "${kind}" was expected.`);
}

function isKind<Kind extends EngineReply["is"]>(reply: EngineReply, kind: Kind): reply is ReplyOf<Kind> {
  return reply.is === kind;
}

function stopped(signal: AbortSignal): AbortError {
  return new AbortError("The statement was stopped.", { cause: signal.reason });
}
