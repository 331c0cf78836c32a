import { startTimer } from "./timer.ts";

/** True when the work ended within the time, whether it succeeded or not; false when it is still going on. */
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
