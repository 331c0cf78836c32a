import { UsageError } from "@bridle/app";

/** Returns the prompt, or standard input for `-`. Throws UsageError if the prompt is missing; the message calls the prompt `noun`. */
export async function readPrompt(
  operand: string | undefined,
  stdin: AsyncIterable<Uint8Array | string>,
  noun = "prompt",
): Promise<string> {
  if (operand === undefined) {
    throw new UsageError(
      'The prompt is missing. Write it in quotes, or "-" to read it from standard input: bridle run "Say hello."',
    );
  }
  const prompt = operand === "-" ? await readAll(stdin) : operand;
  if (prompt.trim() !== "") return prompt;
  throw new UsageError(
    operand === "-" ? `The ${noun} on standard input is empty. Pipe a text in.` : `The ${noun} is empty. Write a text.`,
  );
}

/** Reads a stream to its end. */
export async function readAll(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdin) text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
