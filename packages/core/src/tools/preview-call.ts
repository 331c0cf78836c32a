import { type AnyTool, cutText, getErrorMessage, type ToolContext } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";

const limitMs = 5000;
const maxChars = 20_000;

/** Resolves with the tool's preview of a call, or with the reason if the preview fails. Never rejects. */
export async function previewCall(
  tool: AnyTool,
  input: Record<string, unknown>,
  context: Pick<ToolContext, "signal" | "projectDir" | "environment">,
): Promise<string | undefined> {
  if (!tool.preview) return undefined;
  const late = Promise.withResolvers<never>();
  const callOff = startTimer(limitMs, () => late.reject(new Error(`it took longer than ${limitMs / 1000} s`)));
  try {
    const work = (async () => tool.preview?.(structuredClone(input), context))();
    return cut(String(await Promise.race([work, late.promise])));
  } catch (error) {
    return `(The preview failed: ${getErrorMessage(error)})`;
  } finally {
    callOff();
  }
}

function cut(text: string): string {
  const shortened = cutText(text, maxChars);
  return shortened ? `${shortened.head}\n[${shortened.omitted} characters are left out]\n${shortened.tail}` : text;
}
