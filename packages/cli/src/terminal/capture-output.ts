/**
 * Passes everything that tools and libraries print to a listener, so that their output does not disturb the screen. Returns a function that
 * restores the streams.
 */
export function captureOutput(onText: (text: string) => void): () => void {
  const streams = [process.stdout, process.stderr];
  const own = streams.map(({ write }) => write);
  const decoder = new TextDecoder();
  for (const stream of streams) {
    stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
      const text = typeof chunk === "string" ? chunk : decoder.decode(chunk);
      if (text.trim() !== "") onText(text.trimEnd());
      const done = rest.find((each) => typeof each === "function");
      if (done) queueMicrotask(() => void Reflect.apply(done, undefined, []));
      return true;
    };
  }
  return () => {
    for (const [index, stream] of streams.entries()) {
      const write = own[index];
      if (write) stream.write = write;
    }
  };
}
