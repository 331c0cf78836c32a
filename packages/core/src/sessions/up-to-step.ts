import { InvalidRequestError, type Transcript } from "@bridle/protocol";

/** Returns the transcript up to a response and its calls. Throws InvalidRequestError if the response does not exist. */
export function upToStep(transcript: Transcript, step: number): Transcript {
  const { entries, steps } = transcript;
  if (!Number.isInteger(step) || step < 1 || step > steps) {
    throw new InvalidRequestError(
      `atStep is ${step}, but must be a whole number from 1 to ${steps}, the newest response.`,
    );
  }
  const last = entries.findLastIndex((entry) => "step" in entry && entry.step <= step);
  return { ...transcript, entries: entries.slice(0, last + 1) };
}
