import { once } from "node:events";
import { Writable } from "node:stream";

/**
 * Returns the stream to an editor, over standard output. The stream accepts the next message only when the editor has read enough of the
 * previous ones. If the editor does not read, the protocol waits, and memory use does not grow.
 */
export function toEditor(stdout: { write(text: string): unknown }): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      const isTaken = stdout.write(String(chunk)) !== false;
      if (isTaken || !(stdout instanceof Writable)) done();
      else untilDrained(stdout).then(() => done(), done);
    },
  });
}

async function untilDrained(stdout: Writable): Promise<void> {
  if (!stdout.destroyed && stdout.writableNeedDrain) await once(stdout, "drain");
}
