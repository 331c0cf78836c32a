import { styleText } from "node:util";
import type { Environment } from "@bridle/app";
import type { Output } from "../command/cli.ts";

export type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";
export type Paint = (colour: Colour, text: string) => string;

/** Colours texts on a terminal, unless NO_COLOR is set. Everywhere else, texts stay unchanged. */
export function createPaint({ isTTY }: Output, environment: Environment): Paint {
  const isPlain = !isTTY || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  return (colour, text) => (isPlain ? text : styleText(colour, text, { validateStream: false }));
}
