import type { IncomingMessage } from "node:http";

/** The request line and headers, exactly as sent. Repeated headers are kept. */
export interface RequestHead {
  readonly method: string;
  /** The HTTP version, such as `1.1`. Without a version in the request line, it is 0.9. */
  readonly version: string;
  /** The undecoded target of the request line. */
  readonly target: string;
  /** The address of the other end of the connection. `unix` for a Unix socket. */
  readonly peer: string;
  /** Returns all values of a header. `name` is in lower case. */
  all(name: string): readonly string[];
}

export function readHead({ method = "", url = "", httpVersion, rawHeaders, socket }: IncomingMessage): RequestHead {
  return {
    method,
    version: httpVersion,
    target: url,
    peer: socket.remoteAddress ?? "unix",
    all: (name) => rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name),
  };
}

/** Returns the value of a header that occurs exactly once. */
export function oneValue(head: RequestHead, name: string): string | undefined {
  const values = head.all(name);
  return values.length === 1 ? values[0] : undefined;
}
