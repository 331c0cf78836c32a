import type { IncomingMessage } from "node:http";

/** The first lines of a request, as they were sent. A header that was sent twice is there twice. */
export interface RequestHead {
  readonly method: string;
  /** Such as `1.1`. A first line without one has 0.9. */
  readonly version: string;
  /** The target of the first line, undecoded. */
  readonly target: string;
  /** The address of the other end of the connection. `unix` for a socket in a folder. */
  readonly peer: string;
  /** The values of a header by its name in lower case. */
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

/** The value of a header that is there exactly once. */
export function oneValue(head: RequestHead, name: string): string | undefined {
  const values = head.all(name);
  return values.length === 1 ? values[0] : undefined;
}
