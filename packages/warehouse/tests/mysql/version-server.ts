import { once } from "node:events";
import { createServer } from "node:net";
import mysql from "mysql2";

/** Creates a local server that only reports its version. */
export async function listenAsMySql(version: string): Promise<{ port: number; close(): void }> {
  const server = createServer((stream) => {
    const connection = mysql.createConnection({ isServer: true, stream });
    connection.on("error", () => {});
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: version,
      connectionId: 1,
      statusFlags: 2,
      characterSet: 45,
      capabilityFlags: 0x00ff_f7ff & ~0x0800,
      authCallback: () => connection.writeOk({ affectedRows: 0 }),
    });
    connection.on("query", () => {
      Reflect.set(connection, "sequenceId", 1);
      connection.writeTextResult([{ version }], [textColumn]);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { port: address !== null && typeof address === "object" ? address.port : 0, close: () => server.close() };
}

const textColumn = {
  catalog: "def",
  schema: "",
  table: "",
  orgTable: "",
  name: "version",
  orgName: "version",
  characterSet: 45,
  columnLength: 100,
  columnType: 253,
  flags: 0,
  decimals: 0,
};
