import type { TestProgress, TrialResult } from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import type { Cli, Output } from "../command/cli.ts";
import { cutAt } from "../terminal/columns.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { printSentence } from "../terminal/print-sentence.ts";
import { caseLine } from "../test-report/case-line.ts";
import { boardLines, type Wait } from "./board-lines.ts";
import { LiveBoard } from "./live-board.ts";
import { endTrial, finishedTrials, startTally, startTrial, type Tally } from "./tally.ts";

const tickMs = 1000;
/** A terminal shows this echo of an interrupt after the last line. */
const echo = "^C";
/** The maximum number of rows for running trials. */
const maxRows = 12;

type ProgressViewOptions = Pick<Cli, "stderr" | "environment"> & {
  /** The current time, in milliseconds since the epoch. */
  readonly now: () => number;
};

/** Shows the progress of tests on standard error: a line for each finished case, and on a terminal also the running trials and counts. */
export class ProgressView {
  readonly #stderr: Output;
  readonly #now: () => number;
  readonly #isLive: boolean;
  readonly #paint: Paint;
  readonly #board: LiveBoard;
  #tally: Tally | undefined;
  #wait: Wait | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ stderr, environment, now }: ProgressViewOptions) {
    this.#stderr = stderr;
    this.#now = now;
    this.#isLive = stderr.isTTY && environment.TERM !== "dumb";
    this.#paint = createPaint(stderr, environment);
    this.#board = new LiveBoard(stderr);
  }

  readonly onProgress = (progress: TestProgress): void => {
    if (progress.type === "begun") this.#start(progress);
    else if (this.#tally) this.#update(progress, this.#tally);
  };

  /** Prints a line without disturbing the progress of the tests. */
  note(text: string): void {
    const { isTTY, columns } = this.#stderr;
    const lines: string[] = [];
    printSentence(text, { isTTY, columns, write: (each) => void lines.push(each) });
    this.#draw(lines.join(""));
  }

  /** Ends the view and removes its changing lines. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#isLive) this.#board.clear();
  }

  #start({ plan, finished, warnings }: Extract<TestProgress, { type: "begun" }>): void {
    this.#tally = startTally(plan, finished, this.#now());
    for (const warning of warnings) this.note(`Warning: ${warning}`);
    const isDone = finished.length === plan.cases.length * plan.trials;
    const rest = isDone ? "All trials are finished" : "They do not run again";
    if (finished.length > 0) this.note(`${counted(finished.length, "trial")} ran before. ${rest}.`);
    if (this.#isLive) this.#timer = setInterval(() => this.#draw(), tickMs);
    this.#timer?.unref();
    this.#draw();
  }

  #update(progress: TestProgress, tally: Tally): void {
    if (progress.type === "waiting") this.#pause(progress);
    if (progress.type === "trial.finished") this.#finish(progress.result, tally);
    if (progress.type !== "trial.started") return;
    this.#tally = startTrial(tally, { case: progress.case, trial: progress.trial, since: this.#now() });
    this.#draw();
  }

  #pause(waiting: Extract<TestProgress, { type: "waiting" }>): void {
    this.#wait = waiting;
    this.note(`! ${waiting.message}`);
  }

  #finish(result: TrialResult, tally: Tally): void {
    this.#tally = endTrial(tally, result);
    const trials = finishedTrials(this.#tally, result.case);
    if (trials === undefined) this.#draw();
    else this.#showCase(caseLine(trials));
  }

  #showCase({ colour, text }: ReturnType<typeof caseLine>): void {
    const { isTTY, columns } = this.#stderr;
    const line = isTTY ? cutAt(text, (columns ?? 80) - 1) : text;
    this.#draw(`${this.#paint(colour, line)}\n`);
  }

  #draw(permanent = ""): void {
    if (this.#isLive) this.#board.show(this.#lines(), permanent);
    else if (permanent !== "") this.#stderr.write(permanent);
  }

  #lines(): string[] {
    if (this.#tally === undefined || this.#timer === undefined) return [];
    const { columns = 80, rows = 24 } = this.#stderr;
    const page = { width: columns - echo.length - 1, paint: this.#paint };
    return boardLines(this.#tally, this.#wait, this.#now(), Math.min(maxRows, rows - 2), page);
  }
}
