import { counted } from "@bridle/protocol";
import type { TestProgress, TrialResult } from "@bridle/testing";
import type { Cli, Output } from "../cli/cli.ts";
import { cutAt } from "../report/columns.ts";
import { saySentence } from "../report/say-sentence.ts";
import { createPaint } from "../run/paint.ts";
import { boardLines, type Wait } from "./board-lines.ts";
import { caseLine } from "./case-line.ts";
import { createLiveBoard } from "./live-board.ts";
import { beginTally, beginTrial, endTrial, type Tally, trialsOfEnded } from "./tally.ts";

/** What is told of tests while they go on, on standard error. */
export interface ProgressView {
  onProgress(progress: TestProgress): void;
  /** A line beside the tests. */
  note(text: string): void;
  /** Nothing follows: what would not stay is taken away. */
  close(): void;
}

const tickMs = 1000;
/** What a terminal shows of an interrupt, behind the last line. */
const echo = "^C";
/** More of the trials that run nobody reads. */
const mostRows = 12;

type Parts = Pick<Cli, "stderr" | "environment"> & { readonly now: () => number };

/** A line for each case when it is over; on a terminal, also what runs, and how far it is. */
export function createProgressView({ stderr, environment, now }: Parts): ProgressView {
  const isLive = stderr.isTTY && environment.TERM !== "dumb";
  const paint = createPaint(stderr, environment);
  const board = createLiveBoard(stderr);
  let tally: Tally | undefined;
  let wait: Wait | undefined;
  let timer: NodeJS.Timeout | undefined;

  function draw(stays = ""): void {
    const width = (stderr.columns ?? 80) - echo.length - 1;
    const lines = tally && timer ? boardLines(tally, wait, now(), roomOf(stderr), { width, paint }) : [];
    if (isLive) board.show(lines, stays);
    else if (stays !== "") stderr.write(stays);
  }

  function note(text: string): void {
    const said: string[] = [];
    saySentence(text, { isTTY: stderr.isTTY, columns: stderr.columns, write: (each) => void said.push(each) });
    draw(said.join(""));
  }

  function begin({ plan, finished, warnings }: Extract<TestProgress, { type: "begun" }>): void {
    tally = beginTally(plan, finished, now());
    for (const warning of warnings) note(`Warning: ${warning}`);
    const isDone = finished.length === plan.cases.length * plan.trials;
    const left = isDone ? "Nothing is left to run" : "None will run again";
    if (finished.length > 0) note(`${counted(finished.length, "trial")} had run before. ${left}.`);
    if (isLive) timer = setInterval(() => draw(), tickMs);
    timer?.unref();
    draw();
  }

  function end(result: TrialResult, current: Tally): void {
    tally = endTrial(current, result);
    const trials = trialsOfEnded(tally, result.case);
    if (trials === undefined) draw();
    else tellCase(caseLine(trials));
  }

  function tellCase({ colour, text }: ReturnType<typeof caseLine>): void {
    const line = stderr.isTTY ? cutAt(text, (stderr.columns ?? 80) - 1) : text;
    draw(`${paint(colour, line)}\n`);
  }

  function pause(waiting: Extract<TestProgress, { type: "waiting" }>): void {
    wait = waiting;
    note(`! ${waiting.message}`);
  }

  function go(progress: TestProgress, current: Tally): void {
    if (progress.type === "waiting") pause(progress);
    if (progress.type === "trial.finished") end(progress.result, current);
    if (progress.type !== "trial.started") return;
    tally = beginTrial(current, { case: progress.case, trial: progress.trial, since: now() });
    draw();
  }

  function onProgress(progress: TestProgress): void {
    if (progress.type === "begun") begin(progress);
    else if (tally) go(progress, tally);
  }

  function close(): void {
    clearInterval(timer);
    timer = undefined;
    if (isLive) board.clear();
  }
  return { onProgress, note, close };
}

function roomOf({ rows = 24 }: Output): number {
  return Math.min(mostRows, rows - 2);
}
