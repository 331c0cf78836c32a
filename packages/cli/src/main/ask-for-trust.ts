import type { FolderTrust, TrustedState } from "@bridle/protocol";
import type { Cli, Interrupt } from "../command/cli.ts";
import { QuestionInterrupted } from "../command/question-interrupted.ts";
import { screenWidth } from "../terminal/print-sentence.ts";

/** How long to wait for the user's answer, in milliseconds. After this time, the files are refused. */
const maxQuestionMs = 600_000;

type TrustTerminal = Pick<Cli, "environment" | "readLine" | "stderr" | "onInterrupt">;

/** Stores and requests the user's trust in folders. In a terminal, the user is asked about new folders. */
export function createTrust(cli: TrustTerminal): FolderTrust {
  let made: Promise<FolderTrust> | undefined;
  const open = () => {
    made ??= load(cli);
    return made;
  };
  return {
    check: async (files) => (await open()).check(files),
    require: async (files) => (await open()).require(files),
    close: async () => (await made)?.close?.(),
  };
}

async function load({ environment, readLine, stderr, onInterrupt }: TrustTerminal) {
  const { createFolderTrust, formatStates } = await import("@bridle/app/trust");
  if (!readLine) return createFolderTrust({ environment });
  const ask = async (states: readonly TrustedState[]) => {
    const { trustQuestionRows } = await import("../questions/trust-question.ts");
    const rows = trustQuestionRows(states, formatStates(states), screenWidth(stderr));
    const stopped = new AbortController();
    let interrupt: Interrupt | undefined;
    // An interrupt only ends the question: the command, which may handle interrupts itself, has not begun.
    const forget = onInterrupt((name) => {
      interrupt = name;
      stopped.abort();
    });
    try {
      stderr.write(`${rows.join("\n")} `);
      const line = await readLine(AbortSignal.any([stopped.signal, AbortSignal.timeout(maxQuestionMs)]));
      if (interrupt !== undefined) throw new QuestionInterrupted(interrupt);
      return /^\s*y(?:es)?\s*$/i.test(line ?? "");
    } finally {
      forget();
    }
  };
  return createFolderTrust({ environment, ask });
}

/** Trusts folders for a single command, for users who have read the files and for automation in a folder that its operator chose. */
export function trustForOnce({ environment }: Pick<Cli, "environment">): FolderTrust {
  let made: Promise<FolderTrust> | undefined;
  const open = () => {
    made ??= import("@bridle/app/trust").then(({ createTrustForOnce }) => createTrustForOnce({ environment }));
    return made;
  };
  return {
    check: async (files) => (await open()).check(files),
    require: async (files) => (await open()).require(files),
    close: async () => (await made)?.close?.(),
  };
}
