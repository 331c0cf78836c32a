import { once } from "node:events";
import { Writable } from "node:stream";

/**
 * The stream to an editor, over standard output. It takes the next message when the editor has read enough of those before, so that
 * an editor that does not read makes the protocol wait, and no memory grow.
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
