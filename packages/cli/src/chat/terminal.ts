import type { ReadStream, WriteStream } from "node:tty";
import { StdinBuffer, type Terminal } from "@earendil-works/pi-tui";

/** The streams of this process's terminal. */
export interface TerminalStreams {
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** Writes to the terminal, even while other writes to `output` are redirected. */
  write(text: string): void;
}

const bracketedPaste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
const cursor = { show: "\u001b[?25h", hide: "\u001b[?25l" };
/** How soon the rest of a key sequence arrives after its escape character, in milliseconds. */
const escapeTimeoutMs = 30;

/**
 * Implements the terminal interface of the rendering library. The library's own implementation would write to the stream where Bridle
 * redirects the output of tools. This implementation enables no keyboard protocol, so a crash cannot leave one enabled.
 */
export function createTerminal({ input, output, write }: TerminalStreams): Terminal {
  const keys = new StdinBuffer({ escapeTimeout: escapeTimeoutMs });
  let onResize: (() => void) | undefined;
  let isOn = false;
  const onData = (chunk: Buffer | string) => keys.process(String(chunk));

  function stop(): void {
    if (!isOn) return;
    isOn = false;
    process.off("exit", stop);
    keys.removeAllListeners();
    keys.destroy();
    input.off("data", onData);
    if (onResize) output.off("resize", onResize);
    write(bracketedPaste.off + cursor.show);
    if (!input.destroyed) input.setRawMode(false);
    input.pause();
  }

  return {
    start(onInput, resized) {
      isOn = true;
      onResize = resized;
      process.on("exit", stop); // restores the terminal in all cases
      keys.on("data", onInput);
      keys.on("paste", (text) => onInput(`\u001b[200~${text}\u001b[201~`));
      input.setRawMode(true);
      input.setEncoding("utf8");
      input.on("data", onData).resume();
      output.on("resize", resized);
      write(bracketedPaste.on);
    },
    stop,
    async drainInput() {},
    write,
    get columns() {
      return output.columns || 80;
    },
    get rows() {
      return output.rows || 24;
    },
    kittyProtocolActive: false,
    moveBy(lines) {
      if (lines !== 0) write(`\u001b[${Math.abs(lines)}${lines > 0 ? "B" : "A"}`);
    },
    hideCursor: () => write(cursor.hide),
    showCursor: () => write(cursor.show),
    clearLine: () => write("\u001b[K"),
    clearFromCursor: () => write("\u001b[J"),
    clearScreen: () => write("\u001b[2J\u001b[H"),
    setTitle() {},
    setProgress() {},
  };
}
