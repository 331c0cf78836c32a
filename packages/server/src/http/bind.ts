import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

/** Where a server listens: on a port of an address, or on a Unix socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string };

/** Starts to listen. Resolves with the port, or with 0 for a socket. @throws ConfigError if the address is in use. */
export function bind(server: Server, place: Place): Promise<number> {
  return "path" in place ? bindSocket(server, place.path) : bindPort(server, place);
}

/** Listens on a port, without falling back to another: the program on the requested port could be waiting for the token. */
async function bindPort(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  await listen(server, { host, port, exclusive: true }).catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    const reason = code === "EADDRINUSE" ? "another program uses it" : code;
    const remedy = "Stop that program, or choose another port with --port.";
    throw new ConfigError(`The address ${host}:${port} cannot be used: ${reason}. ${remedy}`, { cause });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Listens on a socket. Only this user can connect, because the folder and the socket are private. The umask makes the socket private from
 * the start.
 */
async function bindSocket(server: Server, path: string): Promise<number> {
  if (await isInUse(path))
    throw new ConfigError(`Another server listens on ${path}. Stop it, or choose another --unix.`);
  removeOldSocket(path);
  const before = process.umask(0o177);
  try {
    await listen(server, { path });
  } catch (cause) {
    throw new ConfigError(`The socket ${path} cannot be used: ${systemErrorCode(cause)}. Choose another --unix.`, {
      cause,
    });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o600);
  return 0;
}

/** Removes the socket of a killed server. Other files are never removed, because the path may be a typo. */
function removeOldSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new ConfigError(`${path} already exists and is not a socket. Choose another --unix.`);
  rmSync(path, { force: true });
}

function listen(server: Server, options: Parameters<Server["listen"]>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Whether a server listens on the socket. If not, a killed server left it behind. */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
