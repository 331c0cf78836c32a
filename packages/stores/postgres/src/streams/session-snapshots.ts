/** Stores and reads snapshots of sessions. */
import type { SessionSnapshot } from "@bridle/protocol";
import type { SendStatement } from "../database/log-database.ts";

export async function readSnapshots(send: SendStatement, sessionId: string): Promise<readonly SessionSnapshot[]> {
  const rows = await send(
    `SELECT seq, after, content FROM snapshots
     WHERE stream = (SELECT id FROM streams WHERE kind = 'session' AND name = $1) ORDER BY seq`,
    [sessionId],
  );
  return rows.map(({ seq, after, content }) => ({ seq: Number(seq), after: Number(after), content: String(content) }));
}

/** Writes a snapshot. Call it in a transaction. Locks the session's row, so that several processes write one after another. */
export async function writeSnapshot(
  send: SendStatement,
  sessionId: string,
  { seq, after, content }: SessionSnapshot,
): Promise<boolean> {
  const [session] = await send(
    `SELECT stream, last_seq FROM sessions
     WHERE stream = (SELECT id FROM streams WHERE kind = 'session' AND name = $1) FOR UPDATE`,
    [sessionId],
  );
  if (session === undefined || seq <= after || seq > Number(session.last_seq)) return false;
  const { stream } = session;
  const [newest] = await send("SELECT max(seq) AS seq FROM snapshots WHERE stream = $1", [stream]);
  if (after !== 0 && after !== Number(newest?.seq ?? 0)) return false;
  if (after === 0) await send("DELETE FROM snapshots WHERE stream = $1", [stream]);
  await send("INSERT INTO snapshots (stream, seq, after, content) VALUES ($1, $2, $3, $4)", [
    stream,
    seq,
    after,
    content,
  ]);
  return true;
}
