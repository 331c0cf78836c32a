/** A request as it came in. */
export interface RecordedRequest {
  /** When it came in, in milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed where it is JSON, else the text; `undefined` when there was none. */
  readonly body: unknown;
  /** What the script answered, where it was asked; both count from 1. */
  readonly played?: { readonly turn: number; readonly step: number };
  /** True once the client has hung up before its answer was complete. */
  readonly closed: boolean;
}

/** A request that the script had no answer to, or that was not valid. */
export interface RehearsalFailure {
  /** Names file, turn and step, and what to do; or what was wrong with the request. */
  readonly message: string;
  readonly turn?: number;
  readonly step?: number;
  readonly request: RecordedRequest;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
export type OpenRecord = Writable<RecordedRequest>;

type Predicate = (request: RecordedRequest) => boolean;
interface Waiter {
  readonly fits: Predicate;
  readonly resolve: (request: RecordedRequest) => void;
  readonly reject: (error: Error) => void;
}

export interface Recorder {
  readonly requests: readonly RecordedRequest[];
  readonly failures: readonly RehearsalFailure[];
  addRequest(request: RecordedRequest): void;
  /** Keeps the first of failures with the same key. */
  addFailure(failure: RehearsalFailure, key: string): void;
  next(fits?: Predicate): Promise<RecordedRequest>;
  /** Forgets what it holds; who waits for a request goes on waiting. */
  reset(): void;
  close(): void;
}

export function createRecorder(): Recorder {
  const requests: RecordedRequest[] = [];
  const failures: RehearsalFailure[] = [];
  const failed = new Set<string>();
  const fresh = new Set<RecordedRequest>();
  const waiters = new Set<Waiter>();
  let isClosed = false;

  const hand = (waiter: Waiter, request: RecordedRequest) => {
    fresh.delete(request);
    waiters.delete(waiter);
    waiter.resolve(request);
  };
  return {
    requests,
    failures,
    addRequest(request) {
      requests.push(request);
      fresh.add(request);
      const waiter = [...waiters].find(({ fits }) => fits(request));
      if (waiter) hand(waiter, request);
    },
    addFailure(failure, key) {
      if (!failed.has(key)) failures.push(failure);
      failed.add(key);
    },
    next: (fits = () => true) =>
      new Promise((resolve, reject) => {
        const waiter = { fits, resolve, reject };
        const request = [...fresh].find(fits);
        if (request !== undefined) hand(waiter, request);
        else if (isClosed) reject(closedError());
        else waiters.add(waiter);
      }),
    reset() {
      requests.length = 0;
      failures.length = 0;
      failed.clear();
      fresh.clear();
    },
    close() {
      isClosed = true;
      for (const { reject } of waiters) reject(closedError());
      waiters.clear();
    },
  };
}

function closedError(): Error {
  return new Error("The rehearsal was closed before the request came. Wait for the request before closing.");
}
