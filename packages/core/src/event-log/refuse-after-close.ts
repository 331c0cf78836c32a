import { type EventWriter, StoreError } from "@bridle/protocol";

/**
 * Wraps a writer so that it can be closed once and then refuses events and artifacts, because its stream may have another writer. The error
 * contains the stream's `name` and the event log's `address`.
 */
export function refuseAfterClose(writer: EventWriter, name: string, address: string): EventWriter {
  let closing: Promise<void> | undefined;
  const refuseIfClosed = () => {
    if (!closing) return;
    throw new StoreError(`The writer of the ${name} is closed. Open another one with openWriter().`, address);
  };
  return {
    append(runId, draft, options) {
      refuseIfClosed();
      return writer.append(runId, draft, options);
    },
    putArtifact(content) {
      refuseIfClosed();
      return writer.putArtifact(content);
    },
    durable: () => writer.durable(),
    close() {
      closing ??= writer.close();
      return closing;
    },
  };
}
