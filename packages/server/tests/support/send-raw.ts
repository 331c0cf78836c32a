import { connect, type Socket } from "node:net";

/** A response, up to its end or until the connection was closed. */
export interface RawResponse {
  /** The status; 0 if the server closed the connection without a reply. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The target of a raw request: a port of 127.0.0.1, or another address. */
export type RawPlace = number | { readonly host?: string; readonly port?: number; readonly path?: string };

/** Sends bytes unchanged, and reads one response. */
export function sendRaw(place: RawPlace, bytes: string | Buffer): Promise<RawResponse> {
  const socket = typeof place === "number" ? connect(place, "127.0.0.1") : connectTo(place);
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      if (isComplete(text)) finish();
    });
    const finish = () => {
      socket.destroy();
      resolve(parse(text));
    };
    socket.once("error", (error) => ("code" in error && error.code === "ECONNRESET" ? finish() : reject(error)));
    socket.once("close", finish);
    socket.write(bytes);
  });
}

function connectTo({ host = "127.0.0.1", port = 0, path }: Exclude<RawPlace, number>): Socket {
  return path === undefined ? connect(port, host) : connect(path);
}

function isComplete(text: string): boolean {
  const { status, head, body } = parse(text);
  if (status >= 100 && status < 200) return true; // the client must continue
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (/\r\ncontent-type: text\/event-stream/i.test(head)) return true; // the stream never ends
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return body.endsWith("0\r\n\r\n");
  return head !== "" && length !== undefined && body.length >= Number(length);
}

function parse(text: string): RawResponse {
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? "" : text.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
  return { status, head, body: end < 0 ? "" : text.slice(end + 4) };
}

/** Joins the lines of a request with CRLF. */
export function lines(...parts: readonly string[]): string {
  return `${parts.join("\r\n")}\r\n\r\n`;
}
