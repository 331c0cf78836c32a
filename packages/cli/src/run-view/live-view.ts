import type { Environment } from "@bridle/app";
import type { EventOf, RunEvent } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { createEventLines } from "./event-lines.ts";
import { holdOpenTexts } from "./hold-open-texts.ts";
import { Screen } from "./screen.ts";

interface LiveViewOutputs {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly environment: Environment;
}

/**
 * Shows a run in progress: text on standard output, everything else in lines on standard error. On a terminal, text appears as it arrives,
 * with a note if it is discarded. Other outputs get the text of each step when the step has ended.
 */
export function createLiveView(outputs: LiveViewOutputs): (event: RunEvent) => void {
  const view = new LiveView(outputs);
  const show = (event: RunEvent) => view.show(event);
  return outputs.stdout.isTTY ? show : holdOpenTexts(show);
}

class LiveView {
  readonly #screen: Screen;
  readonly #paint: Paint;
  readonly #formatLine: ReturnType<typeof createEventLines>;
  #streamed = "";
  /** Whether text of the current step was shown. */
  #isShown = false;

  constructor({ stdout, stderr, environment }: LiveViewOutputs) {
    this.#screen = new Screen(stdout, stderr, environment);
    this.#paint = createPaint(stderr, environment);
    this.#formatLine = createEventLines(stderr);
  }

  show(event: RunEvent): void {
    if (event.type === "run.finished") this.#screen.end();
    else if (event.type === "approval.requested") this.#screen.yield();
    else if (event.type === "text.delta") this.#addText(event);
    else this.#showOther(event);
  }

  #showOther(event: RunEvent): void {
    if (event.type === "text.completed") this.#completeText(event);
    if (event.type === "step.started" || event.type === "step.finished") this.#isShown = false;
    const line = this.#formatLine(event);
    if (line) this.#screen.note(this.#paint(line.colour, line.text));
    if (event.type === "retry.scheduled") this.#voidText();
    if (event.type === "limit.waiting") this.#screen.wait("waiting for the usage limit:", event.remainingMs);
    else this.#screen.wait("working");
  }

  #addText({ text }: EventOf<"text.delta">): void {
    this.#streamed += text;
    this.#isShown = true;
    this.#screen.print(text);
  }

  /** Shows a step's text if the host did not stream it. */
  #completeText({ text }: EventOf<"text.completed">): void {
    if (text.startsWith(this.#streamed)) this.#screen.print(text.slice(this.#streamed.length));
    this.#screen.endLine();
    this.#streamed = "";
    this.#isShown = true;
  }

  #voidText(): void {
    if (this.#isShown) this.#screen.note(this.#paint("yellow", "! void so far; the answer starts again:"));
    this.#streamed = "";
    this.#isShown = false;
  }
}
