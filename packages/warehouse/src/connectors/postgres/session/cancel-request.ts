import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { z } from "zod";

export interface ServerAddress {
  /** A host name, or a folder that contains a Unix socket. */
  readonly host: string;
  readonly port: number;
  /** The TLS settings, or undefined for a connection without TLS. */
  readonly tls: ConnectionOptions | undefined;
}

/** The process id and the key of a session. The server sends them when the session opens, and the driver keeps them. */
const sessionSchema = z.object({ processID: z.int(), secretKey: z.int() });

const cancelCode = 80877102;
const tlsCode = 80877103;

/** Asks the server to end the statement of a session. Resolves when the server has received the request, even if the server ignores it. */
export async function sendCancelRequest(
  { host, port, tls }: ServerAddress,
  session: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { processID, secretKey } = sessionSchema.parse(session);
  const socket = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  try {
    await once(socket, "connect", { signal });
    const stream = tls === undefined ? socket : await startTls(socket, host, tls, signal);
    const closed = once(stream, "close", { signal });
    stream.resume().end(int32s(16, cancelCode, processID, secretKey));
    await closed;
  } finally {
    socket.destroy();
  }
}

async function startTls(
  socket: Socket,
  host: string,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const answered = once(socket, "data", { signal });
  socket.write(int32s(8, tlsCode));
  const [answer] = await answered;
  if (String(answer) !== "S") return socket;
  const secure = connectTls({ ...options, socket, host });
  await once(secure, "secureConnect", { signal });
  return secure;
}

function int32s(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) buffer.writeInt32BE(number, index * 4);
  return buffer;
}
