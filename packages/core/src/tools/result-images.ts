import {
  type HistoryMessage,
  type HistoryPart,
  type ImagePart,
  imagePartSchema,
  type ToolImage,
} from "@bridle/protocol";
import { z } from "zod";

/** The number of base64 characters of 5 MB. Hosts refuse a whole request if one of its images is larger. */
const maxImageChars = 7_000_000;

/** The limits of one result. Hosts refuse a request with too many images or too much data, and with it the rest of the conversation. */
const [maxImages, maxResultChars] = [20, 28_000_000];

const imagesSchema = z.array(z.object({ mediaType: z.string(), data: z.string() })).default([]);

/** The images that a model gets with a result, and a note for each image that it does not get. */
export interface ShownImages {
  readonly images: readonly ImagePart[];
  readonly notes: readonly string[];
}

const noImages: ShownImages = { images: [], notes: [] };

/** Returns the images. Throws an Error with a sentence if the value is not a list of images. */
export function readImages(images: unknown): readonly ToolImage[] {
  const parsed = imagesSchema.safeParse(images);
  if (parsed.success) return parsed.data;
  throw new Error("images has to be a list of { mediaType, data }, with the data as base64 without a prefix");
}

/**
 * Chooses the images that a host accepts. Their media types are corrected, because hosts refuse a wrong one. One note stands for all images
 * beyond the limit.
 */
export function showImages(
  given: readonly ToolImage[],
  host: { readonly id: string; readonly acceptsImages: boolean },
): ShownImages {
  if (given.length === 0) return noImages;
  const images: ImagePart[] = [];
  const notes: string[] = [];
  let [chars, left] = [0, 0];
  for (const image of given) {
    const shown = showImage(image, host);
    if (typeof shown === "string") notes.push(shown);
    else if (images.length === maxImages || chars + shown.data.length > maxResultChars) left += 1;
    else {
      images.push(shown);
      chars += shown.data.length;
    }
  }
  return { images, notes: left === 0 ? notes : [...notes, noteOfMany(left)] };
}

function noteOfMany(left: number): string {
  const subject = left === 1 ? "An image" : `${left} images`;
  return `[${subject} cannot be shown here: a result can have at most ${maxImages} images, of 20 MB together.]`;
}

/** Returns the image, or the note in its place. */
function showImage(
  { mediaType, data }: ToolImage,
  { id, acceptsImages }: { readonly id: string; readonly acceptsImages: boolean },
): ImagePart | string {
  if (!acceptsImages) return noteOf(mediaType, data, `${id} accepts no images in tool results`);
  if (data.length > maxImageChars) return noteOf(mediaType, data, "an image can have at most 5 MB");
  const found = imagePartSchema.safeParse({ type: "image", mediaType: typeOfImage(data), data });
  return found.success ? found.data : noteOf(mediaType, data, "it is not a PNG, JPEG, GIF or WebP in base64");
}

function noteOf(mediaType: string, data: string, reason: string): string {
  const bytes = Buffer.byteLength(data, "base64").toLocaleString("en");
  return `[An image (${mediaType}, ${bytes} bytes) cannot be shown here: ${reason}.]`;
}

/** Recognises the image types that hosts accept by the beginning of the data. */
function typeOfImage(data: string): string | undefined {
  const start = Buffer.from(data.slice(0, 16), "base64").toString("latin1");
  if (start.startsWith("\u0089PNG")) return "image/png";
  if (start.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  return start.startsWith("RIFF") && start.slice(8) === "WEBP" ? "image/webp" : undefined;
}

/** Converts the history for a host that accepts no images in tool results. */
export function withoutResultImages(history: readonly HistoryMessage[], host: string): readonly HistoryMessage[] {
  return history.map((message) =>
    message.content.some(hasImages)
      ? { ...message, content: message.content.map((part) => replaceImages(part, host)) }
      : message,
  );
}

function replaceImages(part: HistoryPart, id: string): HistoryPart {
  if (part.type !== "tool-result" || part.images === undefined) return part;
  const { images, ...result } = part;
  const { notes } = showImages(images, { id, acceptsImages: false });
  return { ...result, output: withNotes(part.output, notes) };
}

export function withNotes(text: string, notes: readonly string[]): string {
  return [text, ...notes].filter((each) => each !== "").join("\n\n");
}

export function hasImages(part: HistoryPart): boolean {
  return part.type === "tool-result" && part.images !== undefined;
}
