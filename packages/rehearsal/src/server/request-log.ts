/** A request that the server received. */
export interface RecordedRequest {
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The query, without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed body if it is JSON, or the text; `undefined` without a body. */
  readonly body: unknown;
  /** The turn and the step that answered, if the script was used. Both count from 1. */
  readonly played?: { readonly turn: number; readonly step: number };
  /** Whether the client closed the connection before the answer was complete. */
  readonly closed: boolean;
}

/** A request that is not valid, or for which the script has no answer. */
export interface RehearsalFailure {
  /** Contains the file, the turn, the step and a remedy, or describes the problem of the request. */
  readonly message: string;
  readonly turn?: number | undefined;
  readonly step?: number | undefined;
  readonly request: RecordedRequest;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** A request without a complete answer. */
export type WritableRequest = Writable<RecordedRequest>;

type Predicate = (request: RecordedRequest) => boolean;
interface Waiter {
  readonly matches: Predicate;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (error: Error) => void;
}

/** The requests and failures of a rehearsal. Callers can wait for a request. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly failures: RehearsalFailure[] = [];
  readonly #failureKeys = new Set<string>();
  /** Requests that `next` has not returned yet. */
  readonly #fresh = new Set<RecordedRequest>();
  readonly #waiters = new Set<Waiter>();
  #isClosed = false;

  addRequest(request: RecordedRequest): void {
    this.requests.push(request);
    this.#fresh.add(request);
    const waiter = [...this.#waiters].find(({ matches }) => matches(request));
    if (waiter) this.#deliver(waiter, request);
  }

  /** Keeps only the first failure with each key. */
  addFailure(failure: RehearsalFailure, key: string): void {
    if (!this.#failureKeys.has(key)) this.failures.push(failure);
    this.#failureKeys.add(key);
  }

  /** Returns the oldest matching request that no earlier call has returned. If there is none, waits for one. */
  next(matches: Predicate = () => true): Promise<RecordedRequest> {
    return new Promise((resolve, reject) => {
      const waiter = { matches, resolve, reject };
      const request = [...this.#fresh].find(matches);
      if (request !== undefined) this.#deliver(waiter, request);
      else if (this.#isClosed) reject(closedError());
      else this.#waiters.add(waiter);
    });
  }

  /** Removes all entries. Callers that wait for a request continue to wait. */
  reset(): void {
    this.requests.length = 0;
    this.failures.length = 0;
    this.#failureKeys.clear();
    this.#fresh.clear();
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiters) reject(closedError());
    this.#waiters.clear();
  }

  #deliver(waiter: Waiter, request: RecordedRequest): void {
    this.#fresh.delete(request);
    this.#waiters.delete(waiter);
    waiter.resolve(request);
  }
}

function closedError(): Error {
  return new Error("The rehearsal was closed before the request arrived. Wait for the request before you close it.");
}
