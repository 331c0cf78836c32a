/** Converts a client's images and files to parts of a prompt. The request must contain them, because nothing is fetched from a URL. */
import { type PromptPart, partSchema } from "@bridle/protocol";
import { RequestProblem } from "../../http/problem.ts";

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=-]+)*;base64,([A-Za-z0-9+/=]*)$/;

/** Creates a part from data. @throws RequestProblem if the data are not an image, a PDF or text. */
export function toDataPart(mediaType: string, data: string, name?: string): PromptPart {
  const part = mediaType.startsWith("image/")
    ? { type: "image", mediaType, data }
    : { type: "file", mediaType, data, ...(name !== undefined && { name }) };
  const parsed = partSchema.safeParse(part);
  if (parsed.success) return parsed.data;
  const message = `A file of type ${mediaType.slice(0, 60)} cannot be sent. Send an image, a PDF or a text, as base64.`;
  throw new RequestProblem(422, "unsupported-file", message);
}

/** Creates a part from a URL. @throws RequestProblem if it is not a `data:` URL. */
export function toPartOfUrl(url: string, name?: string): PromptPart {
  const [, mediaType, data] = dataUrl.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return toDataPart(mediaType, data, name);
  throw new RequestProblem(
    422,
    "remote-file",
    "Files are not fetched from an address. Send the content as a data: URL.",
  );
}
