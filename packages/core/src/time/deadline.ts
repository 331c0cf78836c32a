import { startTimer } from "./timer.ts";

/** Resolves with true if the work ended within the time, successfully or not; false if it is still in progress. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const callOff = startTimer(ms, () => late.resolve(false));
  try {
    const ended = work.then(
      () => true,
      () => true,
    );
    return await Promise.race([ended, late.promise]);
  } finally {
    callOff();
  }
}
